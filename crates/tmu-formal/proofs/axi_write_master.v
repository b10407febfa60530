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

// A write master of bytes, with bursts of four and four of them at a time, before any memory.
module proof (
    input wire clk,
    input wire rst,
    input wire command_valid,
    input wire [15:0] command_data,
    input wire data_valid,
    input wire [8:0] data_data,
    input wire response_ready,
    input wire awready,
    input wire wready,
    input wire bvalid,
    input wire [1:0] bresp
);
    wire command_ready, data_ready, response_valid, awvalid, wvalid, wlast, bready;
    wire [1:0] response_data;
    wire [2:0] outstanding;
    wire [0:0] awid, wstrb;
    wire [12:0] awaddr;
    wire [7:0] awlen, wdata;
    wire [2:0] awsize, awprot;
    wire [1:0] awburst;
    wire [3:0] awcache, awqos;
    block dut (
        .clk(clk), .rst(rst), .command_valid(command_valid), .command_ready(command_ready),
        .command_data(command_data), .data_valid(data_valid), .data_ready(data_ready), .data_data(data_data),
        .response_valid(response_valid), .response_ready(response_ready), .response_data(response_data),
        .outstanding(outstanding), .axi_awid(awid), .axi_awaddr(awaddr), .axi_awlen(awlen), .axi_awsize(awsize),
        .axi_awburst(awburst), .axi_awcache(awcache), .axi_awprot(awprot), .axi_awqos(awqos), .axi_awvalid(awvalid),
        .axi_awready(awready), .axi_wdata(wdata), .axi_wstrb(wstrb), .axi_wlast(wlast), .axi_wvalid(wvalid),
        .axi_wready(wready), .axi_bid(1'b0), .axi_bresp(bresp), .axi_bvalid(bvalid), .axi_bready(bready)
    );
    // The reset reaches memory too, and comes once, at the start.
    reg started = 1'b0;
    always @(posedge clk) started <= 1'b1;
    always @* assume (rst == !started);

    wire is_final;
    wire [2:0] open;
    wire asks = awvalid && awready && !rst;
    wire answers = bvalid && bready && !rst;
    bursts_of_commands bursts (
        .clk(clk), .rst(rst), .command_taken(command_valid && command_ready), .command(command_data),
        .valid(awvalid), .ready(awready), .address(awaddr), .length(awlen), .answered(answers),
        .is_final(is_final), .open(open)
    );
    always @* if (awvalid) burst_is_plain: assert (awburst == 2'd1 && awsize == 3'd0 && awid == 1'b1);
    always @* counts_all: assert (outstanding == open + (awvalid && !rst));

    // Bursts that were taken and are not answered: how long, and whether the last of their command. `whole` of them have
    // all their transfers; one more where the burst that is offered has its own already.
    reg [1:0] lengths [0:3];
    reg [3:0] finals;
    reg [1:0] first = 2'd0, place = 2'd0;
    reg [2:0] whole = 3'd0;
    wire [1:0] behind = first + open[1:0];
    wire is_ahead = whole > open;
    wire of_offer = whole == open;
    wire [1:0] current = of_offer ? awlen[1:0] : lengths[first + whole[1:0]];
    wire moves = wvalid && wready && !rst;
    always @(posedge clk)
        if (rst) begin
            first <= 2'd0;
            place <= 2'd0;
            whole <= 3'd0;
        end else begin
            if (asks) begin
                lengths[behind] <= awlen[1:0];
                finals[behind] <= is_final;
            end
            if (moves) place <= wlast ? 2'd0 : place + 2'd1;
            whole <= whole + (moves && wlast) - answers;
            if (answers) first <= first + 2'd1;
        end
    offer_stays #(.WIDTH(10)) transfer (
        .clk(clk), .rst(rst), .valid(wvalid), .ready(wready), .data({wlast, wstrb, wdata})
    );
    in_order order (
        .in_clk(clk), .in_clear(rst), .taken(data_valid && data_ready && !rst), .in_mark(data_data[1:0]),
        .out_clk(clk), .out_clear(rst), .offered(wvalid), .given(moves), .out_mark(wdata[1:0])
    );
    always @* assume (!data_valid || data_data[8] == data_data[2]);
    always @* if (wvalid) begin
        of_a_burst: assert (!is_ahead && (!of_offer || awvalid));
        last_of_burst: assert (wlast == (place == current));
        own_strobe: assert (wstrb == wdata[2]);
    end
    always @* data_ahead: cover (is_ahead);

    // Memory answers what it has whole. Each command has one answer, the worst.
    always @* assume (!bvalid || (whole != 3'd0 && open != 3'd0));
    always @* assume (bresp != 2'd1);
    reg [1:0] worst = 2'd0, older, newer;
    reg [1:0] due = 2'd0;
    wire [1:0] now = bresp > worst ? bresp : worst;
    wire ends = answers && finals[first];
    wire told = response_valid && response_ready && !rst;
    always @(posedge clk)
        if (rst) begin
            worst <= 2'd0;
            due <= 2'd0;
        end else begin
            if (answers) worst <= finals[first] ? 2'd0 : now;
            due <= due + ends - told;
            if (ends && (due == 2'd0 || (due == 2'd1 && told))) older <= now;
            else if (told) older <= newer;
            if (ends) newer <= now;
        end
    always @* begin
        one_answer: assert (due <= 2'd2 && response_valid == (due != 2'd0));
        if (response_valid) worst_response: assert (response_data == older);
        failed: cover (told && response_data == 2'd3);
    end
    offer_stays #(.WIDTH(2)) response (
        .clk(clk), .rst(rst), .valid(response_valid), .ready(response_ready), .data(response_data)
    );
endmodule
