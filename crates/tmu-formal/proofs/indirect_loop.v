// The loop of indirect look-ups: some stage can always move.
//
// The FIFO beside the stages is the emitted one. What it stands between are models, which do whatever the proofs of `look_ahead` and
// `aggregate` leave open, with small numbers of quads: a quad has one row and one value here.
// - `look_ahead` offers first passes while it has room, second passes of quads whose places are back, and direct quads where none
//   waits; if no place is on its way, or that of a quad is back, within five clocks: proof `look_ahead_goes_on`.
// - The stages from `probes` to `filter` hand on in order what came three clocks before at the latest, where `aggregate` has room: within
//   eight clocks. They hold fewer quads than the FIFO.
// - `aggregate` has room for as many values as it lets come. If none comes, what waits in it leaves within six clocks, which stand for
//   all the steps of 16 clocks that a quad's tasks and its result take: proofs `aggregate` and `aggregate_goes_on`.
module proof (
    input wire clk,
    input wire rst,
    input wire is_asked,
    input wire [1:0] choice,
    input wire enters,
    input wire hands_on,
    input wire leaves
);
    localparam PLACES = 3, STAGES = 6, VALUES = 3;
    wire ready, is_there;
    wire [1:0] kind;
    wire [3:0] level;
    reg started = 1'b0;
    always @(posedge clk) started <= 1'b1;
    always @* assume (rst == !started);

    // Quads in `look_ahead`, and of these those whose places are back; what it offers; rows on their way.
    reg [1:0] waiting = 2'd0, back = 2'd0;
    reg is_offered = 1'b0, is_first = 1'b0;
    reg [2:0] away = 3'd0;
    // Quads in the stages, those that came in the two clocks before, values in `aggregate`.
    reg [2:0] inside = 3'd0;
    reg [2:1] came = 2'd0;
    reg [1:0] values = 2'd0;
    wire taken = is_offered && ready && enters && inside != STAGES && !rst;
    wire has_room = values != VALUES;
    wire is_due = inside > {1'b0, came[1]} + {1'b0, came[2]};
    wire done = is_due && has_room && hands_on && !rst;
    wire comes_back = done && kind[0];
    wire left = values != 2'd0 && leaves && !rst;
    wire is_free = (!is_offered || taken) && !rst;
    wire first = is_free && choice == 2'd1 && is_asked && waiting != PLACES;
    wire second = is_free && choice == 2'd2 && back != 2'd0;
    wire direct = is_free && choice == 2'd3 && is_asked && waiting == 2'd0;
    wire offers = first || second || direct;
    block dut (
        .clk(clk), .rst(rst), .input_valid(taken), .input_ready(ready), .input_data({1'b0, is_first}), .output_valid(is_there),
        .output_ready(done), .output_data(kind), .level(level)
    );
    always @(posedge clk)
        if (rst) begin
            waiting <= 2'd0;
            back <= 2'd0;
            is_offered <= 1'b0;
            away <= 3'd0;
            inside <= 3'd0;
            came <= 2'd0;
            values <= 2'd0;
        end else begin
            waiting <= waiting + first - second;
            back <= back + comes_back - second;
            is_offered <= offers || (is_offered && !taken);
            if (offers) is_first <= first;
            away <= away + first - comes_back;
            inside <= inside + taken - done;
            came <= {came[1], taken};
            values <= values + (done && !kind[0]) - left;
        end

    // What the other proofs say, and that stages make progress.
    reg [2:0] idle = 3'd0, stands = 3'd0, rests = 3'd0, full = 3'd0;
    wire may_go = (away == 3'd0 && (waiting != 2'd0 || is_asked)) || back != 2'd0;
    reg was_asked = 1'b0;
    always @(posedge clk) begin
        idle <= rst || offers || is_offered || !may_go ? 3'd0 : idle + 3'd1;
        stands <= rst || done || !is_due || !has_room ? 3'd0 : stands + 3'd1;
        rests <= rst || left || (done && !kind[0]) || values == 2'd0 ? 3'd0 : rests + 3'd1;
        full <= rst || taken || !is_offered || !ready || inside == STAGES ? 3'd0 : full + 3'd1;
        was_asked <= is_asked && !direct && !first && !rst;
    end
    always @* begin
        if (was_asked) assume (is_asked);
        if (idle == 3'd5 && may_go && !is_offered) assume (offers);
        if (stands == 3'd7 && is_due && has_room) assume (hands_on);
        if (rests == 3'd5) assume (leaves);
        if (full == 3'd3 && is_offered && ready && inside != STAGES) assume (enters);
    end

    // Nothing stands still for more than twelve clocks while there is something.
    wire moves = offers || taken || done || left;
    wire has_something = waiting != 2'd0 || is_offered || inside != 3'd0 || values != 2'd0;
    reg [3:0] still = 4'd0;
    always @(posedge clk) still <= rst || moves || !has_something ? 4'd0 : still + 4'd1;
    always @* begin
        some_stage_moves: assert (still < 4'd12);
        kind_is_there: assert (!done || is_there);
        of_a_first_pass: assert (!comes_back || away != 3'd0);
        each_is_away_or_back: assert (waiting == back + away);
        fifo_holds_the_stages: assert (level >= {1'b0, inside});
        looks_ahead: cover (waiting == PLACES && back == 2'd1 && values == 2'd2);
        waits_for_results: cover (values == VALUES && inside == STAGES);
        drains: cover (left && waiting == 2'd0 && inside == 3'd0 && still == 4'd3);
    end
endmodule
