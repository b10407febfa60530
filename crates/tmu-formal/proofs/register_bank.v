// Registers of each kind behind a register port. What they hold is followed byte by byte from the requests alone.
module proof (
    input wire clk,
    input wire rst,
    input wire valid,
    input wire is_write,
    input wire [2:0] address,
    input wire [31:0] write_data,
    input wire [3:0] strobes,
    input wire [3:0] events,
    input wire [8:0] count
);
    wire done, failed, enable, start;
    wire [31:0] read_data;
    wire [4:0] level;
    wire [3:0] errors;
    block dut (
        .clk(clk), .rst(rst), .port_valid(valid), .port_is_write(is_write), .port_address(address),
        .port_write_data(write_data), .port_strobes(strobes), .port_done(done), .port_failed(failed),
        .port_read_data(read_data), .input_status_errors(events), .input_status_count(count),
        .output_control_enable(enable), .output_control_start(start), .output_control_level(level),
        .output_status_errors(errors)
    );
    reg started = 1'b0;
    always @(posedge clk) started <= 1'b1;
    always @* assume (rst || started);

    // A request stays until it is done.
    reg waits = 1'b0;
    reg [39:0] request;
    always @(posedge clk) begin
        waits <= valid && !done && !rst;
        request <= {is_write, address, write_data, strobes};
    end
    always @* if (waits) assume (valid && request == {is_write, address, write_data, strobes});

    // A request is looked at in its second clock and done in its third.
    reg [1:0] clocks = 2'd0;
    always @(posedge clk) clocks <= rst || !valid || done ? 2'd0 : clocks + 2'd1;
    wire acts = valid && clocks == 2'd1;
    wire [31:0] mask = {{8{strobes[3]}}, {8{strobes[2]}}, {8{strobes[1]}}, {8{strobes[0]}}};
    wire [31:0] written = mask & {32{acts && is_write}};
    wire [31:0] ones = written & write_data;
    wire at_control = address == 3'd0;
    wire at_status = address == 3'd2;
    reg held_enable = 1'b1, held_start = 1'b0;
    reg [4:0] held_level = 5'h12;
    reg [3:0] held_errors = 4'd0;
    reg [31:0] control_before, status_before;
    integer i;
    always @(posedge clk) begin
        control_before <= {21'd0, held_level, 5'd0, held_enable};
        status_before <= {held_errors, 19'd0, count};
        if (rst) begin
            held_enable <= 1'b1;
            held_start <= 1'b0;
            held_level <= 5'h12;
            held_errors <= 4'd0;
        end else begin
            held_start <= at_control && ones[1];
            if (at_control && written[0]) held_enable <= write_data[0];
            for (i = 0; i < 5; i = i + 1) if (at_control && written[6 + i]) held_level[i] <= write_data[6 + i];
            for (i = 0; i < 4; i = i + 1) begin
                if (at_status && ones[28 + i]) held_errors[i] <= 1'b0;
                if (events[i]) held_errors[i] <= 1'b1;
            end
        end
    end

    reg was_done = 1'b0;
    always @(posedge clk) was_done <= done && !rst;
    always @* begin
        done_when_asked: assert (!done || (valid && clocks == 2'd2));
        done_in_time: assert (clocks != 2'd2 || done);
        fails_without_a_register: assert (!done || failed == !(at_control || at_status));
        reads_what_it_holds: assert (!done || failed || read_data == (at_control ? control_before : status_before));
        holds_what_was_written: assert (enable == held_enable && level == held_level);
        pulses_once: assert (start == held_start);
        events_stay: assert (errors == held_errors);
        event_beats_clear: cover (done && is_write && at_status && errors == 4'd2);
        reads_back: cover (done && !is_write && at_control && read_data == 32'h000002c0);
        fails: cover (done && failed);
        one_after_another: cover (was_done && valid && clocks == 2'd0);
    end
endmodule
