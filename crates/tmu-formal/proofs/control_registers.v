// The registers behind the control port.
module proof (
    input wire clk,
    input wire rst,
    input wire command_valid,
    input wire [46:0] command_data,
    input wire answer_ready,
    input wire resetting,
    input wire caches_invalidating,
    input wire [1:0] fault,
    input wire [35:0] fault_line,
    input wire [6:0] broken_rules,
    input wire packet_dropped,
    input wire [31:0] counts
);
    wire command_ready, answer_valid, soft_reset, invalidate;
    wire [32:0] answer_data;
    wire [35:0] window_line;
    reg [3:0] count_number;
    control_registers dut (
        .clk(clk), .rst(rst), .command_valid(command_valid), .command_ready(command_ready), .command_data(command_data),
        .answer_valid(answer_valid), .answer_ready(answer_ready), .answer_data(answer_data),
        .soft_reset(soft_reset), .invalidate(invalidate), .resetting(resetting), .caches_invalidating(caches_invalidating),
        .window_line(window_line), .fault(fault), .fault_line(fault_line),
        .broken_rules(broken_rules), .packet_dropped(packet_dropped), .counts(counts), .count_number(count_number)
    );
    // The counters pass by in turn, from any one on.
    always @(posedge clk) count_number <= count_number + 4'd1;

    offer_stays #(.WIDTH(33)) answer (.clk(clk), .rst(rst), .valid(answer_valid), .ready(answer_ready), .data(answer_data));

    // One answer for each command.
    wire taken = command_valid && command_ready;
    wire given = answer_valid && answer_ready;
    reg open = 1'b0;
    reg is_write;
    reg [9:0] word;
    reg [35:0] data;
    always @(posedge clk) begin
        if (rst) open <= 1'b0;
        else if (taken) open <= 1'b1;
        else if (given) open <= 1'b0;
        if (taken) {is_write, word, data} <= command_data;
    end
    reg [4:0] clocks = 5'd0;
    always @(posedge clk) clocks <= (rst || !open || answer_valid) ? 5'd0 : clocks + 5'd1;
    wire exists = word < 10'd13 || (word >= 10'd64 && word < 10'd73);
    always @* begin
        was_asked: assert (!answer_valid || open);
        one_at_a_time: assert (!command_ready || !open);
        takes_the_next: assert (command_ready || open);
        in_time: assert (clocks <= 5'd20);
        unknown_is_refused: assert (!answer_valid || answer_data[32] == exists);
        identity: assert (!(answer_valid && word == 10'd0) || answer_data[31:0] == 32'h544d5547);
    end

    // Strobes: any byte of the window's two registers takes what its lane carries, and only with its strobe.
    (* anyconst *) reg [2:0] lane;
    always @* assume (lane < 3'd5);
    wire [39:0] window = {window_line, 4'd0};
    wire [7:0] held = lane == 3'd0 ? window[7:0] : lane == 3'd1 ? window[15:8] : lane == 3'd2 ? window[23:16]
        : lane == 3'd3 ? window[31:24] : window[39:32];
    wire [7:0] carried = lane == 3'd0 ? 8'd0 : lane == 3'd1 ? {data[15:12], 4'd0} : lane == 3'd2 ? data[23:16]
        : lane == 3'd3 ? data[31:24] : data[7:0];
    wire strobe = lane == 3'd0 ? data[32] : lane == 3'd1 ? data[33] : lane == 3'd2 ? data[34]
        : lane == 3'd3 ? data[35] : data[32];
    wire writes_lane = is_write && word == (lane == 3'd4 ? 10'd7 : 10'd6) && strobe;
    reg [7:0] expected = 8'd0;
    always @(posedge clk)
        if (rst) expected <= 8'd0;
        else if (given && writes_lane) expected <= carried;
    wire now_in_force = answer_valid && writes_lane;
    always @* if (!open || answer_valid) strobes: assert (held == (now_in_force ? carried : expected));

    // Commands act once, and only with their strobe.
    reg acted = 1'b0;
    always @(posedge clk) acted <= !rst && open && (acted || soft_reset);
    wire asks_reset = open && is_write && word == 10'd4 && data[32] && data[0];
    always @* begin
        resets_if_asked: assert (!soft_reset || asks_reset);
        resets_once: assert (!(soft_reset && acted));
        window_at_4_kib: assert (window_line[7:0] == 8'd0);
        write: cover (given && writes_lane && lane == 3'd3 && carried == 8'h5a);
        counter: cover (given && word == 10'd70 && !is_write);
        reset: cover (soft_reset);
        refusal: cover (given && !answer_data[32]);
    end
endmodule
