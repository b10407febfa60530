// The AXI4-Lite subordinate, with whatever answers its commands in whatever time.
module proof (
    input wire clk,
    input wire rst,
    input wire [11:0] awaddr,
    input wire [2:0] awprot,
    input wire awvalid,
    input wire [31:0] wdata,
    input wire [3:0] wstrb,
    input wire wvalid,
    input wire bready,
    input wire [11:0] araddr,
    input wire [2:0] arprot,
    input wire arvalid,
    input wire rready,
    input wire command_ready,
    input wire answer_valid,
    input wire [32:0] answer_data,
    input wire unreachable
);
    wire awready, wready, bvalid, arready, rvalid, command_valid, answer_ready;
    wire [1:0] bresp, rresp;
    wire [31:0] rdata;
    wire [46:0] command_data;
    control_port dut (
        .clk(clk), .rst(rst),
        .axi_awaddr(awaddr), .axi_awprot(awprot), .axi_awvalid(awvalid), .axi_awready(awready),
        .axi_wdata(wdata), .axi_wstrb(wstrb), .axi_wvalid(wvalid), .axi_wready(wready),
        .axi_bresp(bresp), .axi_bvalid(bvalid), .axi_bready(bready),
        .axi_araddr(araddr), .axi_arprot(arprot), .axi_arvalid(arvalid), .axi_arready(arready),
        .axi_rdata(rdata), .axi_rresp(rresp), .axi_rvalid(rvalid), .axi_rready(rready),
        .command_valid(command_valid), .command_ready(command_ready), .command_data(command_data),
        .answer_valid(answer_valid), .answer_ready(answer_ready), .answer_data(answer_data), .unreachable(unreachable)
    );

    // Answers stay until they are taken.
    offer_stays #(.WIDTH(2)) write_response (.clk(clk), .rst(rst), .valid(bvalid), .ready(bready), .data(bresp));
    offer_stays #(.WIDTH(34)) read_response (.clk(clk), .rst(rst), .valid(rvalid), .ready(rready), .data({rresp, rdata}));

    // What was taken and not yet answered, with its contents.
    reg has_address = 1'b0, has_data = 1'b0, has_read = 1'b0;
    reg [9:0] write_word, read_word;
    reg [35:0] write_data;
    always @(posedge clk)
        if (rst) begin
            has_address <= 1'b0;
            has_data <= 1'b0;
            has_read <= 1'b0;
        end else begin
            if (awvalid && awready) begin
                has_address <= 1'b1;
                write_word <= awaddr[11:2];
            end
            if (wvalid && wready) begin
                has_data <= 1'b1;
                write_data <= {wstrb, wdata};
            end
            if (bvalid && bready) begin
                has_address <= 1'b0;
                has_data <= 1'b0;
            end
            if (arvalid && arready) begin
                has_read <= 1'b1;
                read_word <= araddr[11:2];
            end
            if (rvalid && rready) has_read <= 1'b0;
        end
    always @* begin
        one_address: assert (!(awready && has_address));
        one_data: assert (!(wready && has_data));
        one_read: assert (!(arready && has_read));
        takes_address: assert (awready || has_address);
        takes_data: assert (wready || has_data);
        takes_read: assert (arready || has_read);
        write_was_asked: assert (!bvalid || (has_address && has_data));
        read_was_asked: assert (!rvalid || has_read);
        legal_response: assert (bresp[0] == 1'b0 && rresp[0] == 1'b0);
    end

    // Commands: one for each access, with its contents, until it is taken or nobody can take it.
    wire passed = command_valid && command_ready && !rst;
    reg command_waits = 1'b0;
    reg [46:0] command = 47'd0;
    always @(posedge clk) begin
        command_waits <= command_valid && !command_ready && !unreachable && !rst;
        command <= command_data;
    end
    wire is_write = command_data[46];
    always @* begin
        // The data of a read mean nothing.
        if (command_waits) command_stays: assert (command_valid && command_data[46:36] == command[46:36]);
        if (command_waits && is_write) data_stay: assert (command_data[35:0] == command[35:0]);
        if (command_valid && is_write) begin
            write_is_whole: assert (has_address && has_data && !bvalid);
            write_is_right: assert (command_data[45:36] == write_word && command_data[35:0] == write_data);
        end
        if (command_valid && !is_write) begin
            read_is_asked: assert (has_read && !rvalid);
            read_is_right: assert (command_data[45:36] == read_word);
        end
    end

    // The other side answers each command once.
    reg open = 1'b0;
    reg open_is_write = 1'b0;
    always @(posedge clk)
        if (rst || unreachable) open <= 1'b0;
        else if (passed) begin
            open <= 1'b1;
            open_is_write <= is_write;
        end else if (answer_valid) open <= 1'b0;
    always @* assume (!answer_valid || open);
    always @* one_command: assert (!(open && command_valid));

    // What was answered is what comes out.
    reg ended = 1'b0, ended_write = 1'b0, good = 1'b0;
    reg [31:0] value = 32'd0;
    always @(posedge clk) begin
        ended <= answer_valid && open && !unreachable && !rst;
        ended_write <= open_is_write;
        good <= answer_data[32];
        value <= answer_data[31:0];
    end
    always @* if (ended) begin
        write_answered: assert (!ended_write || (bvalid && bresp == (good ? 2'd0 : 2'd2)));
        read_answered: assert (ended_write || (rvalid && rresp == (good ? 2'd0 : 2'd2) && rdata == value));
    end

    // Nobody waits for ever: with a side that takes commands and answers them at once, and a reader that takes answers.
    reg [3:0] clocks = 4'd0;
    wire prompt = (command_ready || !command_valid) && (answer_valid || !open) && bready && rready;
    always @(posedge clk) clocks <= (rst || !has_read || rvalid || !prompt) ? 4'd0 : clocks + 4'd1;
    reg [3:0] write_clocks = 4'd0;
    always @(posedge clk)
        write_clocks <= (rst || !(has_address && has_data) || bvalid || !prompt) ? 4'd0 : write_clocks + 4'd1;
    // Where nobody can be reached every access is refused, and soon.
    reg [3:0] cut_off = 4'd0;
    always @(posedge clk) cut_off <= (rst || !unreachable || !has_read || rvalid) ? 4'd0 : cut_off + (bready && rready);
    always @* begin
        read_in_time: assert (clocks <= 4'd7);
        write_in_time: assert (write_clocks <= 4'd7);
        refused_in_time: assert (cut_off <= 4'd5);
    end

    reg was_unreachable = 1'b0;
    always @(posedge clk) was_unreachable <= unreachable && (command_valid || open) && !rst;
    always @* if (was_unreachable) refused: assert (open || (bvalid && bresp == 2'd2) || (rvalid && rresp == 2'd2));

    always @* begin
        write_done: cover (bvalid && bready && bresp == 2'd0);
        read_done: cover (rvalid && rready && rresp == 2'd0 && rdata == 32'hcafe);
        both: cover (bvalid && rvalid);
        refusal: cover (rvalid && rresp == 2'd2);
    end
endmodule
