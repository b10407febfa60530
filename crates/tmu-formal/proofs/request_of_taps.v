// The stage that puts packets together, of the unit that looks up one line at a time: a quad goes on in the clock of its
// last beat, a binding waits until the unit is empty.
module proof (
    input wire clk,
    input wire rst,
    input wire beat_valid,
    input wire [137:0] beat_data,
    input wire quad_ready,
    input wire quad_done,
    input wire result_leaves,
    input wire invalidating,
    input wire table_done
);
    wire beat_ready, quad_valid, good, is_rgb, is_indexed, is_bilinear, is_mipmapped, invalidate_cache, table_load;
    wire packet_dropped, quad_enters;
    wire [259:0] quad_data;
    wire [3:0] width_log2, height_log2, max_lod;
    wire [1:0] mode_u, mode_v;
    wire [26:0] first_line;
    wire [7:0] broken_rules;
    wire [2:0] pixels_enter;
    reg [4:0] level = 5'd0;
    request dut (
        .clk(clk), .rst(rst), .beat_valid(beat_valid), .beat_ready(beat_ready), .beat_data(beat_data),
        .quad_valid(quad_valid), .quad_ready(quad_ready), .quad_data(quad_data), .binding_good(good),
        .binding_is_rgb(is_rgb), .binding_is_indexed(is_indexed), .binding_is_bilinear(is_bilinear),
        .binding_is_mipmapped(is_mipmapped), .binding_width_log2(width_log2), .binding_height_log2(height_log2),
        .binding_max_lod(max_lod), .binding_mode_u(mode_u), .binding_mode_v(mode_v), .binding_first_line(first_line),
        .result_level(level), .quad_done(quad_done), .invalidate_cache(invalidate_cache), .invalidating(invalidating),
        .table_load(table_load), .table_done(table_done), .broken_rules(broken_rules),
        .packet_dropped(packet_dropped), .quad_enters(quad_enters), .pixels_enter(pixels_enter)
    );
    reg started = 1'b0;
    always @(posedge clk) started <= 1'b1;
    always @* assume (rst || started);

    // Packets: a beat of a binding, two of a quad.
    wire moves = beat_valid && beat_ready && !rst;
    wire is_last = beat_data[137];
    wire is_binding_beat = beat_data[136];
    reg [1:0] beats = 2'd0;
    reg first_is_binding;
    reg [127:0] first_beat;
    reg was_wrong_end = 1'b0;
    wire is_binding = beats == 2'd0 ? is_binding_beat : first_is_binding;
    wire is_right = is_binding ? beats == 2'd0 : beats == 2'd1;
    wire quad_moves = quad_valid && quad_ready && !rst;
    reg moved_before = 1'b0;
    reg [3:0] valid_before;
    always @(posedge clk) begin
        if (rst) beats <= 2'd0;
        else if (moves) beats <= is_last ? 2'd0 : beats + (beats != 2'd2);
        if (moves && beats == 2'd0) first_is_binding <= is_binding_beat;
        if (moves) first_beat <= beat_data[127:0];
        was_wrong_end <= moves && is_last && !is_right;
        moved_before <= quad_moves;
        valid_before <= beat_data[131:128];
    end
    always @* begin
        dropped_whole: assert (packet_dropped == was_wrong_end);
        each_quad_once: assert (quad_moves == (moves && is_last && is_right && !is_binding));
        right_quad: assert (!quad_valid || quad_data == {beat_data[131:0], first_beat});
        counted_once: assert (quad_enters == moved_before && pixels_enter == (moved_before
            ? valid_before[0] + valid_before[1] + valid_before[2] + valid_before[3] : 3'd0));
    end

    // Quads in flight, and results that wait, as the FIFO knows of them; their level follows a clock later.
    reg [4:0] in_flight = 5'd0;
    reg [5:0] results = 6'd0;
    always @* begin
        assume (!quad_done || in_flight != 5'd0);
        assume (!result_leaves || results != 6'd0);
    end
    always @(posedge clk)
        if (rst) begin
            in_flight <= 5'd0;
            results <= 6'd0;
            level <= 5'd0;
        end else begin
            in_flight <= in_flight + quad_moves - quad_done;
            results <= results + quad_done - result_leaves;
            level <= results[4:0];
        end
    always @* begin
        result_has_room: assert (!quad_done || results < 6'd16);
        few_in_flight: assert (in_flight <= 5'd7);
    end

    // The binding stays as it is while a quad is under way, or enters.
    wire [45:0] binding = {first_line, mode_v, mode_u, max_lod, height_log2, width_log2, is_mipmapped, is_bilinear, is_indexed};
    reg [46:0] binding_before;
    reg kept = 1'b0;
    always @(posedge clk) begin
        binding_before <= {binding, good};
        kept <= !rst && (in_flight != 5'd0 || quad_moves);
    end
    always @* begin
        binding_stays: assert (!kept || binding_before == {binding, good});
        one_at_a_time: assert (!(in_flight != 5'd0 && (table_load || invalidate_cache)));
    end
    // A table is loaded once, from when it is asked for on.
    always @* if (table_done) assume (table_load);

    // For the induction.
    wire inner_has_half, inner_skipping, inner_entered, inner_is_empty, inner_has_room, inner_idle, inner_loading;
    wire [2:0] inner_measuring;
    wire inner_checking, inner_applying, inner_clearing;
    wire inner_may_load, inner_behind_table;
    wire [2:0] inner_in_flight;
    wire [127:0] inner_half;
    wire [26:0] inner_start, inner_skipped;
    wire measures = inner_measuring[0] || inner_measuring[1] || inner_measuring[2];
    wire steps = inner_checking || measures || inner_applying || inner_clearing || inner_loading;
    reg steady = 1'b0;
    always @(posedge clk) steady <= !rst && inner_idle;
    always @* begin
        packets_known: assert (inner_has_half == (beats == 2'd1 && !first_is_binding)
            && inner_skipping == (beats == 2'd2 || (beats == 2'd1 && first_is_binding)) && beats != 2'd3);
        half_kept: assert (!inner_has_half || inner_half == first_beat);
        in_flight_known: assert (in_flight == {2'd0, inner_in_flight} + inner_entered);
        empty_is_empty: assert (!inner_is_empty || in_flight == 5'd0);
        entered_known: assert (inner_entered == moved_before);
        room_is_room: assert (!inner_has_room || ({2'd0, in_flight} + results <= 7'd14 && in_flight <= 5'd6));
        never_more: assert ({2'd0, in_flight} + results <= 7'd15);
        empty_while_it_steps: assert (!steps || in_flight == 5'd0);
        idle_is_idle: assert (!inner_idle || !steps);
        loads_in_loading: assert (!inner_may_load || inner_loading || in_flight == 5'd0);
        line_stands: assert (in_flight == 5'd0 || first_line == inner_start + inner_skipped);
    end
    always @* begin
        quad: cover (quad_moves && in_flight == 5'd1);
        loads: cover (table_load);
        drop: cover (packet_dropped);
    end
endmodule
