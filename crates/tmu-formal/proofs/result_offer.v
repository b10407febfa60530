// The result FIFO and the register behind it: what is offered to the streams' other side.
//
// The FIFO stands in for the emitted one: it gives anything at any time, and takes back what it offers whenever it likes, as it
// does when the units or the memory port are reset.
module proof (
    input wire clk,
    input wire rst,
    input wire input_valid,
    input wire [132:0] input_data,
    input wire output_ready
);
    wire input_ready, output_valid;
    wire [132:0] output_data;
    result_register dut (
        .clk(clk), .rst(rst), .input_valid(input_valid), .input_ready(input_ready), .input_data(input_data),
        .output_valid(output_valid), .output_ready(output_ready), .output_data(output_data)
    );
    reg started = 1'b0;
    always @(posedge clk) started <= 1'b1;
    always @* assume (rst || started);

    offer_stays #(.WIDTH(133)) offer (
        .clk(clk), .rst(rst), .valid(output_valid), .ready(output_ready), .data(output_data)
    );

    // What the FIFO gives and what is taken outside, one item at most between them.
    wire taken = input_valid && input_ready && !rst;
    wire given = output_valid && output_ready && !rst;
    reg holds = 1'b0;
    reg [132:0] held;
    always @(posedge clk) begin
        if (rst) holds <= 1'b0;
        else if (taken) holds <= 1'b1;
        else if (given) holds <= 1'b0;
        if (taken) held <= input_data;
    end
    always @* if (started) begin
        one_item: assert (output_valid == holds);
        same_item: assert (!holds || output_data == held);
        lets_in: assert (input_ready == (!holds || output_ready));
    end

    // Offered, then the FIFO is emptied, still offered, and taken; and then a result from after the reset.
    reg [2:0] seen = 3'd0;
    always @(posedge clk)
        if (rst) seen <= 3'd0;
        else case (seen)
            3'd0: if (output_valid && !output_ready && input_valid) seen <= 3'd1;
            3'd1: seen <= output_valid && !output_ready && !input_valid ? 3'd2 : 3'd0;
            3'd2: if (given && !input_valid) seen <= 3'd3;
            3'd3: if (given) seen <= 3'd4;
            default: seen <= seen;
        endcase
    always @* begin
        stays_when_emptied: cover (seen == 3'd2 && output_valid);
        taken_afterwards: cover (seen == 3'd3);
        next_one: cover (seen == 3'd4);
    end
endmodule
