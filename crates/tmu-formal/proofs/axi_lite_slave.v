// The AXI4-Lite slave, with registers that take any time.
module proof (
    input wire clk,
    input wire rst,
    input wire [4:0] awaddr,
    input wire awvalid,
    input wire [31:0] wdata,
    input wire [3:0] wstrb,
    input wire wvalid,
    input wire bready,
    input wire [4:0] araddr,
    input wire arvalid,
    input wire rready,
    input wire done,
    input wire failed,
    input wire [31:0] read_data
);
    wire awready, wready, bvalid, arready, rvalid, valid, is_write;
    wire [1:0] bresp, rresp;
    wire [31:0] rdata, write_data;
    wire [3:0] strobes;
    wire [2:0] address;
    block dut (
        .clk(clk), .rst(rst),
        .axi_awaddr(awaddr), .axi_awprot(3'd0), .axi_awvalid(awvalid), .axi_awready(awready),
        .axi_wdata(wdata), .axi_wstrb(wstrb), .axi_wvalid(wvalid), .axi_wready(wready),
        .axi_bresp(bresp), .axi_bvalid(bvalid), .axi_bready(bready),
        .axi_araddr(araddr), .axi_arprot(3'd0), .axi_arvalid(arvalid), .axi_arready(arready),
        .axi_rdata(rdata), .axi_rresp(rresp), .axi_rvalid(rvalid), .axi_rready(rready),
        .registers_valid(valid), .registers_is_write(is_write), .registers_address(address),
        .registers_write_data(write_data), .registers_strobes(strobes), .registers_done(done),
        .registers_failed(failed), .registers_read_data(read_data)
    );
    // Answers stay until they are taken.
    offer_stays #(.WIDTH(2)) write_response (.clk(clk), .rst(rst), .valid(bvalid), .ready(bready), .data(bresp));
    offer_stays #(.WIDTH(34)) read_response (.clk(clk), .rst(rst), .valid(rvalid), .ready(rready), .data({rresp, rdata}));

    // What was taken and not done, with its contents.
    reg has_address = 1'b0, has_data = 1'b0, has_read = 1'b0;
    reg [2:0] write_word, read_word;
    reg [35:0] write_contents;
    wire ends = valid && done && !rst;
    always @(posedge clk)
        if (rst) begin
            has_address <= 1'b0;
            has_data <= 1'b0;
            has_read <= 1'b0;
        end else begin
            if (ends && is_write) {has_address, has_data} <= 2'd0;
            if (ends && !is_write) has_read <= 1'b0;
            if (awvalid && awready) begin
                has_address <= 1'b1;
                write_word <= awaddr[4:2];
            end
            if (wvalid && wready) begin
                has_data <= 1'b1;
                write_contents <= {wstrb, wdata};
            end
            if (arvalid && arready) begin
                has_read <= 1'b1;
                read_word <= araddr[4:2];
            end
        end
    always @* begin
        one_address: assert (awready == !has_address);
        one_data: assert (wready == !has_data);
        one_read: assert (arready == !has_read);
        legal_response: assert (bresp[0] == 1'b0 && rresp[0] == 1'b0);
    end

    // The registers are asked for what was taken, and for nothing else; a request stays until it is done, then pauses.
    reg waits = 1'b0, was_done = 1'b0, waits_write;
    always @(posedge clk) begin
        waits <= valid && !done && !rst;
        was_done <= ends;
        waits_write <= is_write;
    end
    always @* begin
        if (waits) request_stays: assert (valid && is_write == waits_write);
        if (was_done) pause: assert (!valid);
        if (valid && is_write) begin
            write_is_whole: assert (has_address && has_data && !bvalid);
            write_is_right: assert ({address, strobes, write_data} == {write_word, write_contents});
        end
        if (valid && !is_write) begin
            read_is_asked: assert (has_read && !rvalid);
            read_is_right: assert (address == read_word);
        end
    end

    // What was done is what comes out, once.
    reg ended_write = 1'b0, ended_read = 1'b0, was_failed;
    reg [31:0] was_read;
    reg write_open = 1'b0, read_open = 1'b0;
    always @(posedge clk) begin
        ended_write <= ends && is_write;
        ended_read <= ends && !is_write;
        was_failed <= failed;
        was_read <= read_data;
        write_open <= !rst && ((ends && is_write) || (write_open && !(bvalid && bready)));
        read_open <= !rst && ((ends && !is_write) || (read_open && !(rvalid && rready)));
    end
    always @* begin
        if (ended_write) write_told: assert (bresp == {was_failed, 1'b0});
        if (ended_read) read_told: assert (rresp == {was_failed, 1'b0} && rdata == was_read);
        write_once: assert (bvalid == write_open);
        read_once: assert (rvalid == read_open);
    end

    // Nobody waits for ever, where registers answer at once and answers are taken.
    reg [3:0] read_clocks = 4'd0, write_clocks = 4'd0;
    wire prompt = (done || !valid) && bready && rready;
    always @(posedge clk) begin
        read_clocks <= rst || !has_read || (ends && !is_write) || !prompt ? 4'd0 : read_clocks + 4'd1;
        write_clocks <= rst || !(has_address && has_data) || (ends && is_write) || !prompt ? 4'd0 : write_clocks + 4'd1;
    end
    always @* begin
        read_in_time: assert (read_clocks <= 4'd5);
        write_in_time: assert (write_clocks <= 4'd5);
        both: cover (bvalid && rvalid);
        failure: cover (rvalid && rresp == 2'd2 && rdata == 32'hcafe);
    end
endmodule
