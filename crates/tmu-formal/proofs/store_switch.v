// Packets of the store port in between those of the request stream. Bit 2 of a beat tells the sides apart, bits 1:0 mark any two beats of the port.
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
    always @* if (stream_waits) assume (stream_valid && stream == stream_offered);
    offer_stays #(.WIDTH(138)) offer (.clk(clk), .rst(rst), .valid(output_valid), .ready(output_ready), .data(out));

    // Each beat of the port once and in order; those of the stream pass in their clock.
    in_order of_stored (
        .in_clk(clk), .in_clear(rst), .taken(takes_port), .in_mark(port[1:0]),
        .out_clk(clk), .out_clear(rst), .offered(output_valid && of_port), .given(given && of_port), .out_mark(out[1:0])
    );

    // As they came: one beat of the port is held at a time.
    reg [128:0] held;
    always @(posedge clk) if (takes_port) held <= port;
    always @* if (output_valid) begin
        stream_as_it_came: assert (of_port || (stream_valid && out == stream));
        port_as_it_came: assert (!of_port || out == {held[128], 1'b1, 8'd0, held[127:0]});
    end
    always @* if (!rst) stream_in_its_clock: assert (takes_stream == (given && !of_port));

    // Whole packets, in turn: behind the end of each the other side's is next, if it waits.
    reg inside = 1'b0;
    reg inside_port;
    reg was_port_end = 1'b0;
    reg was_stream_end = 1'b0;
    always @(posedge clk) begin
        if (rst) inside <= 1'b0;
        else if (given) inside <= !out[137];
        if (given) inside_port <= of_port;
        was_port_end <= given && of_port && out[137];
        was_stream_end <= given && !of_port && out[137] && !port_ready;
    end
    always @* begin
        never_split: assert (!inside || !output_valid || of_port == inside_port);
        turn_of_the_stream: assert (!was_port_end || output_valid == stream_valid && !(output_valid && of_port));
        turn_of_the_port: assert (!was_stream_end || (output_valid && of_port));
        both: cover (was_port_end && given && !of_port && !out[137]);
        lets_in: cover (was_stream_end && given);
    end
endmodule
