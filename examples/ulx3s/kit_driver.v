// What a processor would do with the bring-up kit: runs a list of register accesses on the core's control port, shows what it
// reads on eight LEDs and sends it as text. `build.py` writes the list, a word of 48 bits an entry:
//
// | bits 47:44 | bits 43:32 | bits 31:0 | |
// | --- | --- | --- | --- |
// | 0 | | | end |
// | 1 | register | value | writes it |
// | 2 | register | mask | reads it until all bits of the mask are 0 |
// | 3 | register | mask | reads it until one of them is 1 |
// | 4 | register | | reads it: the low byte to the LEDs, eight hexadecimal digits to the text |
// | 5 | | byte | a character of the text |
//
// An access that the core refuses ends the list: the text gets an exclamation mark and all LEDs are lit.
`default_nettype none

module kit_driver #(
    parameter ENTRY_BITS = 9,
    parameter ACCESSES = "program.mem"
) (
    input  wire        clock,
    input  wire        resetn,
    output wire [11:0] awaddr,
    output wire        awvalid,
    input  wire        awready,
    output wire [31:0] wdata,
    output wire        wvalid,
    input  wire        wready,
    input  wire [1:0]  bresp,
    input  wire        bvalid,
    output wire        bready,
    output wire [11:0] araddr,
    output wire        arvalid,
    input  wire        arready,
    input  wire [31:0] rdata,
    input  wire [1:0]  rresp,
    input  wire        rvalid,
    output wire        rready,
    output wire        text_valid,
    input  wire        text_ready,
    output wire [7:0]  text,
    output reg  [7:0]  led
);
    localparam [3:0] WRITE = 1, UNTIL_CLEAR = 2, UNTIL_SET = 3, SHOW = 4, SAY = 5;
    localparam [2:0] WAITING = 0, FETCHING = 1, CHOOSING = 2, ACCESSING = 3, ANSWERED = 4, TELLING = 5, STOPPED = 6;
    localparam [7:0] REFUSED = "!";

    (* ram_style = "block" *) reg [47:0] accesses [0:(1 << ENTRY_BITS) - 1];
    initial $readmemh(ACCESSES, accesses);

    reg [2:0] state;
    reg [ENTRY_BITS-1:0] place;
    reg [47:0] entry;
    wire [3:0] what = entry[47:44];
    wire [31:0] operand = entry[31:0];

    // The core answers with an error until its other clock's reset has reached it, too.
    reg [7:0] waited;
    // Address and data of a write are taken in any order.
    reg address_open, data_open;
    reg [31:0] word;
    // Characters that follow; the next one is a digit of `word` if it is not `character`.
    reg [3:0] digits_left;
    reg [7:0] character;
    reg stops;
    wire [3:0] digit = word[31:28];
    wire [7:0] digit_text = digit < 10 ? {4'h3, digit} : {4'h6, digit - 4'd9};

    wire accessing = state == ACCESSING;
    wire is_write = what == WRITE;
    assign awaddr = entry[43:32];
    assign araddr = entry[43:32];
    assign wdata = operand;
    assign awvalid = accessing && is_write && address_open;
    assign wvalid = accessing && is_write && data_open;
    assign arvalid = accessing && !is_write && address_open;
    assign bready = accessing && is_write;
    assign rready = accessing && !is_write;
    wire answered = is_write ? bvalid : rvalid;
    wire refused = (is_write ? bresp : rresp) != 0;

    assign text_valid = state == TELLING;
    assign text = digits_left == 0 ? character : digit_text;

    always @(posedge clock) begin
        entry <= accesses[place];
        if (!resetn) begin
            state <= WAITING;
            place <= 0;
            waited <= 0;
            led <= 0;
            stops <= 0;
        end else
            case (state)
                WAITING: begin
                    waited <= waited + 8'd1;
                    if (&waited) state <= FETCHING;
                end
                FETCHING: state <= CHOOSING;
                CHOOSING: begin
                    address_open <= 1;
                    data_open <= 1;
                    digits_left <= 0;
                    character <= operand[7:0];
                    case (what)
                        WRITE, UNTIL_CLEAR, UNTIL_SET, SHOW: state <= ACCESSING;
                        SAY: state <= TELLING;
                        default: state <= STOPPED;
                    endcase
                end
                ACCESSING: begin
                    if (is_write ? awready : arready) address_open <= 0;
                    if (wready) data_open <= 0;
                    word <= rdata;
                    if (answered && refused) begin
                        character <= REFUSED;
                        led <= 8'hff;
                        stops <= 1;
                        state <= TELLING;
                    end else if (answered) state <= ANSWERED;
                end
                ANSWERED: begin
                    address_open <= 1;
                    state <= ACCESSING;
                    if (what == SHOW) begin
                        led <= word[7:0];
                        digits_left <= 8;
                        state <= TELLING;
                    end else if (is_write || (what == UNTIL_SET) == |(word & operand)) begin
                        place <= place + 1'b1;
                        state <= FETCHING;
                    end
                end
                TELLING:
                    if (text_ready) begin
                        word <= {word[27:0], 4'h0};
                        if (digits_left > 1) digits_left <= digits_left - 4'd1;
                        else begin
                            place <= place + 1'b1;
                            state <= stops ? STOPPED : FETCHING;
                        end
                    end
                default: state <= STOPPED;
            endcase
    end
endmodule

`default_nettype wire
