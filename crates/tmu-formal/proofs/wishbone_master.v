// The Wishbone master, before any slave.
module proof (
    input wire clk,
    input wire rst,
    input wire command_valid,
    input wire [39:0] command_data,
    input wire answer_ready,
    input wire [31:0] dat_i,
    input wire ack,
    input wire err
);
    wire command_ready, answer_valid, cyc, stb, we;
    wire [32:0] answer_data;
    wire [2:0] adr;
    wire [3:0] sel;
    wire [31:0] dat_o;
    block dut (
        .clk(clk), .rst(rst), .command_valid(command_valid), .command_ready(command_ready),
        .command_data(command_data), .answer_valid(answer_valid), .answer_ready(answer_ready),
        .answer_data(answer_data), .wishbone_cyc(cyc), .wishbone_stb(stb), .wishbone_we(we), .wishbone_adr(adr),
        .wishbone_sel(sel), .wishbone_dat_o(dat_o), .wishbone_dat_i(dat_i), .wishbone_ack(ack), .wishbone_err(err)
    );
    offer_stays #(.WIDTH(33)) answer (
        .clk(clk), .rst(rst), .valid(answer_valid), .ready(answer_ready), .data(answer_data)
    );
    // An access stays unchanged until it is answered, and is the command that was taken.
    wire ends = stb && (ack || err) && !rst;
    wire taken = command_valid && command_ready && !rst;
    reg open = 1'b0;
    reg [39:0] command;
    reg ended = 1'b0;
    reg [32:0] outcome;
    reg due = 1'b0;
    always @(posedge clk) begin
        open <= !rst && (taken || (open && !ends));
        if (taken) command <= command_data;
        ended <= ends;
        outcome <= {err, dat_i};
        due <= !rst && (ends || (due && !answer_ready));
    end
    always @* begin
        cycle_is_strobe: assert (cyc == stb);
        access_while_open: assert (stb == open);
        if (stb) access_is_right: assert ({we, sel, adr, dat_o} == command);
        if (ended) left_for_a_clock: assert (!stb);
        if (ended) outcome_told: assert (answer_data == outcome);
        answered_once: assert (answer_valid == due);
        takes_when_free: assert (command_ready == (!open && !due));
        failure: cover (answer_valid && answer_data[32]);
        second: cover (due && answer_ready && command == 40'h12_3456_789a);
    end
endmodule
