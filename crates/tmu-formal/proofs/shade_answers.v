// Answers of textures on their way to registers. Four rows may wait, not sixteen, and of one only what it is for is kept; what it holds is
// anything.
module sync_fifo_16x296 (
    input wire clk,
    input wire rst,
    input wire input_valid,
    output wire input_ready,
    input wire [295:0] input_data,
    output wire output_valid,
    input wire output_ready,
    output wire [295:0] output_data,
    output wire [4:0] level
);
    (* anyseq *) reg [292:0] anything;
    reg [2:0] count = 3'd0;
    reg [11:0] kinds;
    assign input_ready = count != 3'd4;
    assign output_valid = count != 3'd0;
    wire comes = input_valid && input_ready;
    wire goes = output_valid && output_ready;
    wire [2:0] left = count - {2'd0, goes};
    wire [11:0] moved = goes ? kinds >> 3 : kinds;
    wire [2:0] kind = {input_data[10], input_data[1:0]};
    always @(posedge clk) begin
        count <= rst ? 3'd0 : left + {2'd0, comes};
        kinds <= comes ? (moved & ~(12'd7 << 3 * left)) | ({9'd0, kind} << 3 * left) : moved;
    end
    assign output_data = {anything[292:8], kinds[2], anything[7:0], kinds[1:0]};
    assign level = {2'd0, count};
endmodule

module proof (
    input wire clk,
    input wire rst,
    input wire tokens_valid,
    input wire [39:0] tokens_data,
    input wire answers_valid,
    input wire [256:0] answers_data,
    input wire converted_valid,
    input wire [191:0] converted_data,
    input wire is_busy,
    input wire woken_ready
);
    wire tokens_ready, answers_ready, converted_ready, owes, writes, woken_valid;
    shade_answers dut (
        .clk(clk), .rst(rst), .tokens_valid(tokens_valid), .tokens_ready(tokens_ready), .tokens_data(tokens_data),
        .answers_valid(answers_valid), .answers_ready(answers_ready), .answers_data(answers_data),
        .converted_valid(converted_valid), .converted_ready(converted_ready), .converted_data(converted_data), .owes(owes),
        .is_busy(is_busy), .writes(writes), .woken_valid(woken_valid), .woken_ready(woken_ready)
    );
    reg started = 1'b0;
    always @(posedge clk) started <= 1'b1;
    always @* assume (rst || started);
    wire samples = tokens_data[0];
    wire converts = tokens_data[1];

    // A token stays until it is taken, and so do an answer and a conversion. Those of a token come behind it.
    reg has_token = 1'b0, has_answer = 1'b0, has_converted = 1'b0;
    reg [39:0] token_was;
    always @(posedge clk) begin
        has_token <= tokens_valid && !tokens_ready && !rst;
        token_was <= tokens_data;
        has_answer <= answers_valid && !answers_ready && !rst;
        has_converted <= converted_valid && !converted_ready && !rst;
    end
    always @* begin
        assume (!has_token || (tokens_valid && tokens_data == token_was));
        assume (!has_answer || answers_valid);
        assume (!has_converted || converted_valid);
        assume (!tokens_valid || !(samples && converts));
    end

    // Arithmetic leaves a turn out for each row that is owed one, four clocks later at the latest.
    localparam LATE = 4;
    reg [LATE-1:0] owed = 0;
    reg [2:0] due = 3'd0;
    always @(posedge clk) begin
        owed <= rst ? 0 : {owed[LATE-2:0], owes};
        due <= rst ? 3'd0 : due + {2'd0, owed[LATE-1]} - {2'd0, due != 3'd0};
    end
    always @* assume (due == 3'd0 || !is_busy);

    // Nothing waits for long: neither a token whose answer is there, nor an answer in front of which no other token stands.
    wire is_there = samples ? answers_valid : !converts || converted_valid;
    reg [5:0] waits = 6'd0;
    always @(posedge clk) waits <= rst || !(tokens_valid && is_there) || tokens_ready ? 6'd0 : waits + 6'd1;
    reg was_busy = 1'b0;
    reg [4:0] unwritten = 5'd0;
    always @(posedge clk) begin
        was_busy <= is_busy;
        unwritten <= rst ? 5'd0 : unwritten + {4'd0, owes} - {4'd0, writes};
    end
    always @* begin
        goes_on: assert (waits <= 6'd8);
        in_a_free_turn: assert (!writes || !was_busy);
        of_its_own: assert (rst || (answers_valid && answers_ready) == (tokens_valid && tokens_ready && samples));
        conversion_of_its_own: assert (rst || (converted_valid && converted_ready) == (tokens_valid && tokens_ready && converts));
        as_many_as_owed: assert (!writes || unwritten != 5'd0);
    end
    always @* begin
        full: cover (waits == 6'd2);
        busy: cover (writes && unwritten == 5'd4);
    end
endmodule
