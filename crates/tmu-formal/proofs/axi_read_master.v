// A read master of bytes, with bursts of four and four of them at a time, before any memory.
module proof (
    input wire clk,
    input wire rst,
    input wire command_valid,
    input wire [15:0] command_data,
    input wire data_ready,
    input wire arready,
    input wire rvalid,
    input wire [7:0] rdata
);
    wire command_ready, data_valid, arvalid, rready;
    wire [10:0] data_data;
    wire [2:0] outstanding;
    wire [0:0] arid;
    wire [12:0] araddr;
    wire [7:0] arlen;
    wire [2:0] arsize, arprot;
    wire [1:0] arburst;
    wire [3:0] arcache, arqos;
    wire rlast;
    wire [1:0] rresp = rdata[4:3];
    block dut (
        .clk(clk), .rst(rst), .command_valid(command_valid), .command_ready(command_ready),
        .command_data(command_data), .data_valid(data_valid), .data_ready(data_ready), .data_data(data_data),
        .outstanding(outstanding), .axi_arid(arid), .axi_araddr(araddr), .axi_arlen(arlen), .axi_arsize(arsize),
        .axi_arburst(arburst), .axi_arcache(arcache), .axi_arprot(arprot), .axi_arqos(arqos), .axi_arvalid(arvalid),
        .axi_arready(arready), .axi_rid(1'b0), .axi_rdata(rdata), .axi_rresp(rresp), .axi_rlast(rlast),
        .axi_rvalid(rvalid), .axi_rready(rready)
    );
    // The reset reaches memory too, and comes once, at the start.
    reg started = 1'b0;
    always @(posedge clk) started <= 1'b1;
    always @* assume (rst == !started);

    wire [1:0] first;
    wire [2:0] open;
    wire [7:0] lengths;
    wire [3:0] finals;
    wire moves = rvalid && rready && !rst;
    bursts_of_commands bursts (
        .clk(clk), .rst(rst), .command_taken(command_valid && command_ready), .command(command_data),
        .valid(arvalid), .ready(arready), .address(araddr), .length(arlen), .attributes({arburst, arsize, arid}),
        .outstanding(outstanding), .answered(moves && rlast), .first(first), .open(open), .lengths(lengths),
        .finals(finals)
    );

    // Memory: answers bursts in order, transfer by transfer. What it sends says what it is.
    reg [1:0] place = 2'd0;
    always @(posedge clk)
        if (rst) place <= 2'd0;
        else if (moves) place <= rlast ? 2'd0 : place + 2'd1;
    assign rlast = place == lengths[2*first +: 2];
    always @* begin
        assume (!rvalid || open != 3'd0);
        assume (!rvalid || rdata[2] == (rlast && finals[first]));
    end
    in_order order (
        .in_clk(clk), .in_clear(rst), .taken(moves), .in_mark(rdata[1:0]), .out_clk(clk), .out_clear(rst),
        .offered(data_valid), .given(data_valid && data_ready), .out_mark(data_data[1:0])
    );
    offer_stays #(.WIDTH(11)) data (
        .clk(clk), .rst(rst), .valid(data_valid), .ready(data_ready), .data(data_data)
    );
    always @* if (data_valid) begin
        last_of_command: assert (data_data[10] == data_data[2]);
        own_response: assert (data_data[9:8] == data_data[4:3]);
    end

    // Memory that answers waits a clock at most, where what was read is taken.
    reg [1:0] waits = 2'd0;
    always @(posedge clk) waits <= rst || !rvalid || rready || !data_ready ? 2'd0 : waits + 2'd1;
    always @* is_heard: assert (waits <= 2'd1);
endmodule
