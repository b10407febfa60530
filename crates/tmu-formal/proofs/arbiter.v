// Chooses between requests in turn.
module proof (
    input wire clk,
    input wire rst,
    input wire [`COUNT-1:0] requests,
    input wire accept
);
    wire [`COUNT-1:0] grant;
    wire [$clog2(`COUNT)-1:0] grant_index;
    block dut (.clk(clk), .rst(rst), .requests(requests), .accept(accept), .grant(grant), .grant_index(grant_index));

    // Any one of those who ask.
    (* anyconst *) reg [$clog2(`COUNT)-1:0] who;
    always @* assume (who < `COUNT);
    wire served = grant[who];
    wire other_served = |grant && !served && accept;
    // How often others were served while this one asked.
    reg [3:0] passed_over = 4'd0;
    always @(posedge clk) passed_over <= (rst || !requests[who] || served) ? 4'd0 : passed_over + other_served;

`ifdef REGISTERED
    // One grant is already made when a request comes.
    localparam MOST = `COUNT;
    reg [`COUNT-1:0] asked = 0;
    reg waits = 1'b0;
    reg [`COUNT-1:0] before = 0;
    reg accepted = 1'b0;
    always @(posedge clk) begin
        asked <= requests;
        waits <= |grant && !accept && !rst;
        before <= grant;
        accepted <= rst || accept;
    end
    always @* begin
        grant_stays: assert (!waits || grant == before);
        asked_for: assert (waits || (grant & ~asked) == 0);
        not_twice: assert (!(accepted && |(grant & before)));
    end
`else
    localparam MOST = `COUNT - 1;
    always @* begin
        asked_for: assert ((grant & ~requests) == 0);
        someone: assert (!(|requests) || |grant);
    end
`endif
    always @* begin
        one_only: assert ((grant & (grant - 1'b1)) == 0);
        index_fits: assert (!(|grant) || grant == (1'b1 << grant_index));
        bounded_wait: assert (passed_over <= MOST);
        waits_longest: cover (passed_over == MOST - 1 && served);
    end
    // With every grant taken at once, no longer than this many clocks.
    reg [3:0] clocks = 4'd0;
    always @(posedge clk) clocks <= (rst || !accept || !requests[who] || served) ? 4'd0 : clocks + 4'd1;
    always @* bounded_clocks: assert (clocks <= `COUNT);
endmodule
