// The jobs of the mesh engine, one behind the other: how they start and how they end.

// The registers: anything, as long as no job is at work.
module register_bank_30 (
    input wire clk,
    input wire rst,
    input wire port_valid,
    input wire port_is_write,
    input wire [6:0] port_address,
    input wire [31:0] port_write_data,
    input wire [3:0] port_strobes,
    output wire port_done,
    output wire port_failed,
    output wire [31:0] port_read_data,
    input wire input_control_start,
    input wire input_control_chroma_key,
    input wire input_control_additive,
    input wire [31:0] input_identity_value,
    input wire input_interrupt_done,
    input wire input_status_busy,
    input wire input_status_error,
    input wire [3:0] input_status_code,
    input wire [1:0] input_status_response,
    input wire [31:0] input_fault_address_address,
    input wire [31:0] input_pixels_drawn_count,
    input wire [31:0] input_pixels_left_out_count,
    input wire [31:0] input_texture_lines_count,
    input wire [31:0] input_texture_hits_count,
    input wire [31:0] input_clocks_stalled_count,
    output wire output_control_start,
    output wire output_control_chroma_key,
    output wire output_control_additive,
    output wire [15:0] output_hmeshlast_count,
    output wire [15:0] output_vmeshlast_count,
    output wire [5:0] output_brightness_level,
    output wire [15:0] output_chroma_key_color,
    output wire [31:0] output_vertices_address,
    output wire [31:0] output_texture_address,
    output wire [15:0] output_texture_width_pixels,
    output wire [15:0] output_texture_height_pixels,
    output wire [17:0] output_mask_x_bits,
    output wire [17:0] output_mask_y_bits,
    output wire [31:0] output_frame_address,
    output wire [15:0] output_frame_width_pixels,
    output wire [15:0] output_frame_height_pixels,
    output wire [31:0] output_x_offset_pixels,
    output wire [31:0] output_y_offset_pixels,
    output wire [15:0] output_rectangle_width_pixels,
    output wire [15:0] output_rectangle_height_pixels,
    output wire [5:0] output_alpha_level,
    output wire output_interrupt_enable_done,
    output wire output_interrupt_done,
    output wire output_reset_end
);
    (* anyseq *) reg [356:0] anything;
    reg [354:0] values;
    wire start = anything[355] && !input_status_busy && !rst;
    always @(posedge clk) if (!input_status_busy && !start) values <= anything[354:0];
    assign output_control_start = start;
    assign output_reset_end = anything[356];
    assign output_control_chroma_key = values[0];
    assign output_control_additive = values[1];
    assign output_hmeshlast_count = values[17:2];
    assign output_vmeshlast_count = values[33:18];
    assign output_brightness_level = values[39:34];
    assign output_chroma_key_color = values[55:40];
    assign output_vertices_address = values[87:56];
    assign output_texture_address = values[119:88];
    assign output_texture_width_pixels = values[135:120];
    assign output_texture_height_pixels = values[151:136];
    assign output_mask_x_bits = values[169:152];
    assign output_mask_y_bits = values[187:170];
    assign output_frame_address = values[219:188];
    assign output_frame_width_pixels = values[235:220];
    assign output_frame_height_pixels = values[251:236];
    assign output_x_offset_pixels = values[283:252];
    assign output_y_offset_pixels = values[315:284];
    assign output_rectangle_width_pixels = values[331:316];
    assign output_rectangle_height_pixels = values[347:332];
    assign output_alpha_level = values[353:348];
    assign output_interrupt_enable_done = values[354];
endmodule

module proof (
    input wire clk,
    input wire rst,
    input wire vertices_fault_happened,
    input wire [1:0] vertices_fault_response,
    input wire [27:0] vertices_fault_line,
    input wire texture_fault_happened,
    input wire [1:0] texture_fault_response,
    input wire [27:0] texture_fault_line,
    input wire frame_fault_happened,
    input wire [1:0] frame_fault_response,
    input wire [27:0] frame_fault_line,
    input wire write_fault_happened,
    input wire [1:0] write_fault_response,
    input wire [27:0] write_fault_line,
    input wire vertices_idle,
    input wire finished,
    input wire events_drawn,
    input wire events_outside,
    input wire events_dropped,
    input wire events_texture_line,
    input wire [2:0] events_hits,
    input wire events_stalled
);
    wire interrupt, start, cancelled;
    mesh_job dut (
        .clk(clk), .rst(rst),
        .registers_valid(1'b0), .registers_is_write(1'b0), .registers_address(7'd0), .registers_write_data(32'd0),
        .registers_strobes(4'd0), .vertices_fault_happened(vertices_fault_happened),
        .vertices_fault_response(vertices_fault_response), .vertices_fault_line(vertices_fault_line),
        .texture_fault_happened(texture_fault_happened), .texture_fault_response(texture_fault_response),
        .texture_fault_line(texture_fault_line), .frame_fault_happened(frame_fault_happened),
        .frame_fault_response(frame_fault_response), .frame_fault_line(frame_fault_line),
        .write_fault_happened(write_fault_happened), .write_fault_response(write_fault_response),
        .write_fault_line(write_fault_line), .vertices_idle(vertices_idle), .finished(finished), .events_drawn(events_drawn),
        .events_outside(events_outside), .events_dropped(events_dropped), .events_texture_line(events_texture_line),
        .events_hits(events_hits), .events_stalled(events_stalled),
        .interrupt(interrupt), .start(start), .cancelled(cancelled)
    );
    reg started = 1'b0;
    always @(posedge clk) started <= 1'b1;
    always @* assume (rst == !started);
    wire inner_busy, inner_bank_start, inner_bank_input_interrupt_done;
    wire [3:0] inner_code;
    wire [354:0] inner_bank_values;

    // What is refused, and with which code.
    function is_size(input [15:0] size);
        is_size = size >= 16'd1 && size <= 16'd2047;
    endfunction
    function is_mesh(input [15:0] count);
        is_mesh = count >= 16'd1 && count <= 16'd127;
    endfunction
    wire [15:0] across = inner_bank_values[17:2], down = inner_bank_values[33:18];
    wire [15:0] texture_width = inner_bank_values[135:120], texture_height = inner_bank_values[151:136];
    wire [15:0] frame_width = inner_bank_values[235:220], frame_height = inner_bank_values[251:236];
    wire [15:0] width = inner_bank_values[331:316], height = inner_bank_values[347:332];
    wire [31:0] vertices = inner_bank_values[87:56];
    wire [31:0] texture = inner_bank_values[119:88], frame = inner_bank_values[219:188];
    wire [3:0] refusal = !is_mesh(across) || !is_mesh(down) ? 4'd1
        : !is_size(texture_width) || !is_size(texture_height) ? 4'd2
        : !is_size(frame_width) || !is_size(frame_height) ? 4'd3
        : !is_size(width) || !is_size(height) ? 4'd4
        : vertices[2:0] != 3'd0 || texture[0] || frame[0] ? 4'd5 : 4'd0;

    // A job from its start to its end: whether the end of its pixels has come with all writes answered, and what has failed.
    reg was_busy = 1'b0, was_told = 1'b0, runs = 1'b0, has_finished = 1'b0, was_cancelled = 1'b0;
    reg [1:0] was_idle = 2'd0;
    reg [2:0] has_failed = 3'd0;
    wire ended = was_busy && !inner_busy;
    wire fails = vertices_fault_happened || texture_fault_happened || frame_fault_happened || write_fault_happened;
    always @(posedge clk) begin
        was_busy <= inner_busy && !rst;
        was_told <= inner_bank_input_interrupt_done && !rst;
        was_cancelled <= cancelled && !rst;
        was_idle <= {was_idle[0], vertices_idle};
        runs <= !rst && (start || (runs && !ended));
        has_finished <= !rst && !start && (has_finished || (runs && finished));
        has_failed <= rst || !runs ? 3'd0 : {has_failed[1:0], has_failed[0] || fails};
    end
    always @* if (started) begin
        if (start) legal: assert (inner_busy && refusal == 4'd0);
        told_as_it_ends: assert (ended == was_told);
        interrupts_at_an_end: assert (!interrupt || ended);
        if (ended && runs) all_answered: assert (has_finished && was_idle[1]);
        if (ended && !runs) refused: assert (inner_code == refusal && refusal != 4'd0);
        if (ended && runs) failure_told: assert (inner_code == 4'd0 ? !has_failed[2] : inner_code >= 4'd8);
        if (cancelled) cancelled_at_work: assert (runs && inner_code >= 4'd8);
        if (was_cancelled) cancelled_to_the_end: assert (cancelled || ended);
    end
    // What an induction needs: the stage's registers say the same, state by state.
    localparam [3:0] IDLE = 4'd0, CHECK = 4'd1, ASK_WIDTH = 4'd2, START = 4'd6, RUN = 4'd7, FINISH = 4'd8;
    wire [3:0] inner_state, inner_found;
    wire [4:0] inner_broken;
    wire inner_ends_early, inner_has_finished;
    wire [3:0] state = inner_state;
    wire at_end = state == IDLE && was_busy;
    wire [4:0] rules = {vertices[2:0] != 3'd0 || texture[0] || frame[0], !is_size(width) || !is_size(height),
        !is_size(frame_width) || !is_size(frame_height), !is_size(texture_width) || !is_size(texture_height),
        !is_mesh(across) || !is_mesh(down)};
    always @* if (started) begin
        by_state: assert (state <= FINISH && inner_busy == (state != IDLE) && was_told == at_end);
        looked_at: assert (state != CHECK || inner_broken == rules);
        not_refused: assert (state < ASK_WIDTH || state > RUN || (refusal == 4'd0 && (state == RUN || inner_code == 4'd0)));
        runs_by_state: assert (runs ? state == RUN || state == FINISH || at_end : state != RUN);
        refused_by_state: assert (runs || !(state == FINISH || at_end) || (inner_code == refusal && refusal != 4'd0));
        same_end: assert (state != RUN || inner_has_finished == has_finished);
        all_has_come: assert (!runs || state != FINISH || (has_finished && was_idle[0]));
        all_had_come: assert (!runs || !at_end || (has_finished && was_idle[1]));
        found_a_code: assert (!inner_ends_early || inner_found >= 4'd8);
        code_of_a_failure: assert (!runs || inner_code == 4'd0 || inner_code >= 4'd8);
        cancelled_by_state: assert (cancelled == ((state == RUN || state == FINISH) && runs && inner_code != 4'd0));
        was_cancelled_by_state: assert (!was_cancelled || (runs && inner_code != 4'd0 && state != START));
        failures_follow: assert ((!has_failed[2] || has_failed[1]) && (!has_failed[1] || has_failed[0]));
        seen: assert (state != RUN || !has_failed[0] || inner_ends_early || inner_code != 4'd0);
        seen_and_kept: assert (!runs || !(state == RUN || state == FINISH) || !has_failed[1] || inner_code != 4'd0);
        none_before: assert (runs || has_failed == 3'd0 || state <= CHECK);
    end
    always @* begin
        ends_well: cover (ended && runs && inner_code == 4'd0);
        ends_by_reset: cover (ended && inner_code == 4'd15);
        texture_failed: cover (ended && inner_code == 4'd9);
        interrupts: cover (interrupt);
        is_refused: cover (ended && inner_code == 4'd5);
    end
endmodule
