// What an address channel of an AXI4 master has to do with its commands: the bursts of each one follow each other, end
// with its last transfer, and keep the rules. Transfers are bytes; a burst has at most four. Read and write masters alike.
module bursts_of_commands (
    input wire clk,
    input wire rst,
    input wire command_taken,
    input wire [15:0] command,
    input wire valid,
    input wire ready,
    input wire [12:0] address,
    input wire [7:0] length,
    // Bursts that were taken and are not answered.
    input wire answered,
    // The burst that is offered is the last of its command.
    output wire is_final,
    output wire [2:0] open,
    // For invariants: commands that still have bursts to come, and the one they belong to.
    output wire [1:0] commands,
    output wire [12:0] next_address,
    output wire [2:0] left,
    output wire [15:0] next_command
);
    offer_stays #(.WIDTH(21)) offer (
        .clk(clk), .rst(rst), .valid(valid), .ready(ready), .data({address, length})
    );
    reg [1:0] count = 2'd0;
    reg [12:0] at;
    reg [2:0] to_come;
    reg [15:0] waiting;
    reg [2:0] bursts = 3'd0;
    assign is_final = length == {5'd0, to_come};
    wire taken = valid && ready;
    wire ends = taken && is_final;
    always @(posedge clk)
        if (rst) begin
            count <= 2'd0;
            bursts <= 3'd0;
        end else begin
            count <= count + command_taken - ends;
            bursts <= bursts + taken - answered;
            if (command_taken) waiting <= command;
            if (command_taken && (count == 2'd0 || (count == 2'd1 && ends))) begin
                at <= command[15:3];
                to_come <= command[2:0];
            end else if (ends) begin
                at <= waiting[15:3];
                to_come <= waiting[2:0];
            end else if (taken) begin
                at <= at + length[2:0] + 13'd1;
                to_come <= to_come - length[2:0] - 3'd1;
            end
        end
    always @* begin
        at_most_two: assert (count <= 2'd2);
        within_limit: assert (bursts <= 3'd4);
        if (valid) begin
            of_a_command: assert (count != 2'd0);
            in_sequence: assert (address == at);
            not_too_long: assert (length <= 8'd3 && length <= {5'd0, to_come});
            within_4_kib: assert ({1'b0, address[11:0]} + {5'd0, length} <= 13'd4095);
            has_room: assert (bursts <= 3'd3);
        end
        all_wait: cover (bursts == 3'd4);
        at_the_boundary: cover (taken && address[11:0] == 12'hfff && !is_final);
        of_three: cover (ends && to_come == 3'd2 && count == 2'd2);
    end
    assign open = bursts;
    assign commands = count;
    assign next_address = at;
    assign left = to_come;
    assign next_command = waiting;
endmodule

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

    wire is_final;
    wire [2:0] open;
    wire asks = arvalid && arready && !rst;
    wire moves = rvalid && rready && !rst;
    bursts_of_commands bursts (
        .clk(clk), .rst(rst), .command_taken(command_valid && command_ready), .command(command_data),
        .valid(arvalid), .ready(arready), .address(araddr), .length(arlen), .answered(moves && rlast),
        .is_final(is_final), .open(open)
    );
    always @* if (arvalid) burst_is_plain: assert (arburst == 2'd1 && arsize == 3'd0 && arid == 1'b1);
    always @* counts_all: assert (outstanding == open + (arvalid && !rst));

    // Memory: answers bursts in order, transfer by transfer. What it sends says what it is.
    reg [1:0] lengths [0:3];
    reg [3:0] finals;
    reg [1:0] first = 2'd0, place = 2'd0;
    wire [1:0] behind = first + open[1:0];
    always @(posedge clk)
        if (rst) begin
            first <= 2'd0;
            place <= 2'd0;
        end else begin
            if (asks) begin
                lengths[behind] <= arlen[1:0];
                finals[behind] <= is_final;
            end
            if (moves) place <= rlast ? 2'd0 : place + 2'd1;
            if (moves && rlast) first <= first + 2'd1;
        end
    assign rlast = place == lengths[first];
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

    // Memory that answers is heard within three clocks, where what was read is taken.
    reg [2:0] waits = 3'd0;
    always @(posedge clk) waits <= rst || !rvalid || rready || !data_ready ? 3'd0 : waits + 3'd1;
    always @* is_heard: assert (waits <= 3'd3);
endmodule
