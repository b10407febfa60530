// What stands between the control port and an engine's registers: accesses pass as they are, but for writes to some registers
// while the engine is at work, which are refused and reach nobody.
module proof (
    input wire clk,
    input wire rst,
    input wire valid,
    input wire is_write,
    input wire [6:0] address,
    input wire [31:0] write_data,
    input wire [3:0] strobes,
    input wire bank_done,
    input wire bank_failed,
    input wire [31:0] bank_read_data,
    input wire busy
);
    wire done, failed, bank_valid, bank_is_write;
    wire [31:0] read_data, bank_write_data;
    wire [6:0] bank_address;
    wire [3:0] bank_strobes;
    register_guard dut (
        .clk(clk), .rst(rst), .port_valid(valid), .port_is_write(is_write), .port_address(address),
        .port_write_data(write_data), .port_strobes(strobes), .port_done(done), .port_failed(failed),
        .port_read_data(read_data), .bank_valid(bank_valid), .bank_is_write(bank_is_write),
        .bank_address(bank_address), .bank_write_data(bank_write_data), .bank_strobes(bank_strobes),
        .bank_done(bank_done), .bank_failed(bank_failed), .bank_read_data(bank_read_data), .busy(busy)
    );
    reg started = 1'b0;
    always @(posedge clk) started <= 1'b1;
    always @* assume (rst || started);

    // An access stays until it is done, and nothing is asked in the clock in which it is. The bank answers what it is asked,
    // while it is. The engine takes up its work some clocks behind the write that starts it, never under a write.
    reg waits = 1'b0;
    reg [43:0] access;
    reg was_busy = 1'b0;
    wire [43:0] now = {is_write, address, write_data, strobes};
    always @(posedge clk) begin
        waits <= valid && !done && !rst;
        access <= now;
        was_busy <= busy;
    end
    always @* begin
        if (waits) assume (valid && now == access);
        if (waits) assume (busy == was_busy);
        assume (!bank_done || bank_valid);
        assume (!bank_failed || bank_done);
    end

    // CONTROL, SOURCE, DESTINATION and LENGTH of the engine copy.
    wire is_guarded = address == 7'd0 || (address >= 7'd4 && address <= 7'd8);
    wire refuses = valid && is_write && is_guarded && busy;
    reg [1:0] clocks = 2'd0;
    always @(posedge clk) clocks <= rst || !refuses || done ? 2'd0 : clocks + 2'd1;
    always @* if (started && !rst) begin
        refused_reaches_nobody: assert (!(refuses && bank_valid));
        refused_fails: assert (!(refuses && done) || failed);
        refused_at_once: assert (clocks <= 2'd2);
        others_pass: assert (!(valid && waits) || refuses || bank_valid);
        not_made_up: assert (!bank_valid || valid);
        as_it_is: assert (!bank_valid || {bank_is_write, bank_address, bank_write_data, bank_strobes} == now);
        answer_passes: assert (refuses || (done == bank_done && failed == bank_failed));
        data_passes: assert (read_data == bank_read_data);
        refused: cover (refuses && done);
        passed_while_busy: cover (busy && valid && is_write && done && !failed);
        read_while_busy: cover (busy && valid && !is_write && is_guarded && done && !failed);
    end
endmodule
