// The Wishbone slave, with registers that take any time, before a master that may give up.
module proof (
    input wire clk,
    input wire rst,
    input wire cyc,
    input wire stb,
    input wire we,
    input wire [2:0] adr,
    input wire [3:0] sel,
    input wire [31:0] dat_i,
    input wire done,
    input wire failed,
    input wire [31:0] read_data
);
    wire [31:0] dat_o, write_data;
    wire ack, err, valid, is_write;
    wire [2:0] address;
    wire [3:0] strobes;
    block dut (
        .clk(clk), .rst(rst), .wishbone_cyc(cyc), .wishbone_stb(stb), .wishbone_we(we), .wishbone_adr(adr),
        .wishbone_sel(sel), .wishbone_dat_i(dat_i), .wishbone_dat_o(dat_o), .wishbone_ack(ack), .wishbone_err(err),
        .registers_valid(valid), .registers_is_write(is_write), .registers_address(address),
        .registers_write_data(write_data), .registers_strobes(strobes), .registers_done(done),
        .registers_failed(failed), .registers_read_data(read_data)
    );
    // A master holds its access until it is answered, or gives it up by lowering CYC or STB for a clock.
    wire asks = cyc && stb;
    reg held = 1'b0;
    reg [39:0] access;
    always @(posedge clk) begin
        held <= asks && !ack && !err && !rst;
        access <= {we, adr, sel, dat_i};
    end
    always @* if (held && asks) assume ({we, adr, sel, dat_i} == access);

    // An access is answered once, by ACK or ERR, for one clock, and only while the master wants it.
    reg was_asked = 1'b0, answered = 1'b0;
    always @(posedge clk) begin
        was_asked <= asks && !rst;
        answered <= (ack || err) && !rst;
    end
    always @* begin
        one_of_both: assert (!(ack && err));
        was_wanted: assert (!(ack || err) || was_asked);
        one_clock: assert (!(answered && (ack || err)));
    end

    // The registers are asked once for each access that begins, with its contents, until they have done it.
    reg waits = 1'b0, was_done = 1'b0;
    reg [39:0] request;
    wire ends = valid && done && !rst;
    always @(posedge clk) begin
        waits <= valid && !done && !rst;
        was_done <= ends;
        request <= {is_write, address, strobes, write_data};
    end
    // The access that the registers work on is still the master's, who never gave it up.
    reg same = 1'b0, was_same, was_failed;
    reg [31:0] was_read;
    always @(posedge clk) begin
        same <= !rst && asks && !ends && !ack && !err && (!valid || same);
        was_same <= valid && same && asks;
        was_failed <= failed;
        was_read <= read_data;
    end
    always @* begin
        if (waits) request_stays: assert (valid && {is_write, address, strobes, write_data} == request);
        if (was_done) pause: assert (!valid);
        if (valid && !waits) request_was_asked: assert (was_asked);
        if (valid && same) request_is_right: assert ({is_write, address, strobes, write_data} == access);
        if (was_done && was_same) answer_comes: assert (ack == !was_failed && err == was_failed && dat_o == was_read);
        if (was_done && !was_same) nothing_for_who_gave_up: assert (!ack && !err);
        if (!was_done) nothing_made_up: assert (!ack && !err);
        given_up: cover (was_done && !was_same);
        failure: cover (err);
        read: cover (ack && dat_o == 32'hcafe);
    end
    // With registers that answer at once nobody waits for long.
    reg [2:0] clocks = 3'd0;
    always @(posedge clk) clocks <= rst || !asks || ack || err || (valid && !done) ? 3'd0 : clocks + 3'd1;
    always @* in_time: assert (clocks <= 3'd4);
endmodule
