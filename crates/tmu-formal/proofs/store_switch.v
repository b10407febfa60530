// Packets of the store port in between those of the request stream. Bit 2 of a beat tells the sides apart, bits 1:0 mark any two beats of each.
module proof (
    input wire clk,
    input wire rst,
    input wire stream_valid,
    input wire [137:0] stream,
    input wire port_valid,
    input wire [128:0] port,
    input wire output_ready
);
    wire stream_ready, port_ready, output_valid;
    wire [137:0] out;
    store_switch dut (
        .clk(clk), .rst(rst), .stream_valid(stream_valid), .stream_ready(stream_ready), .stream_data(stream),
        .port_valid(port_valid), .port_ready(port_ready), .port_data(port), .output_valid(output_valid),
        .output_ready(output_ready), .output_data(out)
    );
    always @* assume (!stream[2] && port[2]);
    wire takes_stream = stream_valid && stream_ready && !rst;
    wire takes_port = port_valid && port_ready && !rst;
    wire given = output_valid && output_ready && !rst;
    wire of_port = out[2];

    // What has been offered to the switch stays.
    reg stream_waits = 1'b0;
    reg [137:0] stream_offered;
    always @(posedge clk) begin
        stream_waits <= stream_valid && !stream_ready && !rst;
        stream_offered <= stream;
    end
    reg port_waits = 1'b0;
    reg [128:0] port_offered;
    always @(posedge clk) begin
        port_waits <= port_valid && !port_ready && !rst;
        port_offered <= port;
    end
    always @* if (stream_waits) assume (stream_valid && stream == stream_offered);
    always @* if (port_waits) assume (port_valid && port == port_offered);
    offer_stays #(.WIDTH(138)) offer (.clk(clk), .rst(rst), .valid(output_valid), .ready(output_ready), .data(out));

    // Each beat once and in order, of either side. Any two of a side are marked, and known: as they come out they are what they were.
    (* anyconst *) reg [137:0] first_stream, second_stream;
    (* anyconst *) reg [128:0] first_stored, second_stored;
    always @* begin
        if (takes_stream && stream[1:0] == 2'd1) assume (stream == first_stream);
        if (takes_stream && stream[1:0] == 2'd2) assume (stream == second_stream);
        if (takes_port && port[1:0] == 2'd1) assume (port == first_stored);
        if (takes_port && port[1:0] == 2'd2) assume (port == second_stored);
    end
    in_order of_stream (
        .in_clk(clk), .in_clear(rst), .taken(takes_stream), .in_mark(stream[1:0]),
        .out_clk(clk), .out_clear(rst), .offered(output_valid && !of_port), .given(given && !of_port), .out_mark(out[1:0])
    );
    in_order of_stored (
        .in_clk(clk), .in_clear(rst), .taken(takes_port), .in_mark(port[1:0]),
        .out_clk(clk), .out_clear(rst), .offered(output_valid && of_port), .given(given && of_port), .out_mark(out[1:0])
    );
    always @* if (output_valid) begin
        stream_as_it_came: assert ((of_port || out[1:0] != 2'd1 || out == first_stream)
                                   && (of_port || out[1:0] != 2'd2 || out == second_stream));
        port_as_it_came: assert ((!of_port || out[1:0] != 2'd1 || out == {first_stored[128], 1'b1, 8'd0, first_stored[127:0]})
                                 && (!of_port || out[1:0] != 2'd2 || out == {second_stored[128], 1'b1, 8'd0, second_stored[127:0]}));
    end
    occupancy #(.DEPTH(2), .LATENCY(1)) room (
        .clk(clk), .rst(rst), .taken(takes_stream || takes_port), .given(output_valid && output_ready),
        .ready(stream_ready || port_ready), .valid(output_valid)
    );

    // Whole packets, in turn: behind the end of each the other side's is next, if it waits.
    reg inside = 1'b0;
    reg inside_port;
    reg was_port_end = 1'b0;
    reg was_stream_end = 1'b0;
    reg taken_inside = 1'b0;
    reg taken_of_port;
    always @(posedge clk) begin
        if (rst) inside <= 1'b0;
        else if (given) inside <= !out[137];
        if (given) inside_port <= of_port;
        if (rst) taken_inside <= 1'b0;
        else if (takes_stream) taken_inside <= !stream[137];
        else if (takes_port) taken_inside <= !port[128];
        if (takes_stream || takes_port) taken_of_port <= takes_port;
        was_port_end <= takes_port && port[128];
        was_stream_end <= takes_stream && stream[137] && port_valid;
    end
    always @* begin
        never_split: assert (!inside || !output_valid || of_port == inside_port);
        taken_whole: assert (!taken_inside || (taken_of_port ? !takes_stream : !takes_port));
        turn_of_the_stream: assert (!was_port_end || !port_ready);
        turn_of_the_port: assert (!was_stream_end || !stream_ready);
        both: cover (was_port_end && takes_stream && !stream[137]);
        back: cover (was_stream_end && takes_port);
    end
endmodule
