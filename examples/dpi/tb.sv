// A test bench of one texture unit that knows each result before it comes: the golden model runs beside the hardware.
//
// Whatever the hardware takes on its request stream is handed to the model in the same clock; each result of the hardware is
// compared with the model's, all bits of it. The memory beside the hardware is the model's own, so that there is one picture and
// not two. Bindings and quads are random, some bindings are wrong, some lines of memory cannot be read, and both streams and memory
// pause. +seed=N chooses others, +quads=N how many. +plant=N turns a bit of each Nth beat that the hardware reads over, to see that
// the bench notices.
//
// Copy it: what is of this core alone are the two macros.
`timescale 1ns / 1ps

// The top module, and the preset or configuration that it was made of.
`ifndef TMU_TOP
`define TMU_TOP fury_single
`endif
`ifndef TMU_PRESET
`define TMU_PRESET "fury-single"
`endif

module tb;
  import tmu_golden_dpi::*;

  localparam int LINES = 4096;
  localparam int PATIENCE_CLOCKS = 20000;

  chandle golden;
  int seed = 1;
  int quads = 2000;
  int plant = 0;

  // ---- random numbers that a seed repeats everywhere: xorshift -------------------------------------------------------------
  bit [31:0] state = 1;

  function automatic bit [31:0] random();
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
  endfunction

  function automatic int below(input int limit);
    return int'(random() >> 1) % limit;
  endfunction

  // ---- clocks and resets ------------------------------------------------------------------------------------------------
  logic core_aclk = 0;
  logic tmu_aclk = 0;
  logic core_aresetn = 0;
  logic tmu_aresetn = 0;
  always #1.25 core_aclk = ~core_aclk;
  always #1.042 tmu_aclk = ~tmu_aclk;

  // ---- the core ---------------------------------------------------------------------------------------------------------
  logic req_tvalid = 0;
  logic req_tready;
  logic [135:0] req_tdata = 0;
  logic req_tuser = 0;
  logic req_tlast = 0;
  logic res_tvalid;
  logic res_tready = 0;
  logic [127:0] res_tdata;
  logic [4:0] res_tuser;
  logic [3:0] arid;
  logic [39:0] araddr;
  logic [7:0] arlen;
  logic arvalid;
  logic arready = 0;
  logic [3:0] rid = 0;
  logic [127:0] rdata = 0;
  logic [1:0] rresp = 0;
  logic rlast = 0;
  logic rvalid = 0;
  logic rready;

  /* verilator lint_off PINCONNECTEMPTY */
  `TMU_TOP core (
      .core_aclk(core_aclk),
      .core_aresetn(core_aresetn),
      .tmu_aclk(tmu_aclk),
      .tmu_aresetn(tmu_aresetn),
      .s_axis_req0_tvalid(req_tvalid),
      .s_axis_req0_tready(req_tready),
      .s_axis_req0_tdata(req_tdata),
      .s_axis_req0_tuser(req_tuser),
      .s_axis_req0_tlast(req_tlast),
      .m_axis_res0_tvalid(res_tvalid),
      .m_axis_res0_tready(res_tready),
      .m_axis_res0_tdata(res_tdata),
      .m_axis_res0_tuser(res_tuser),
      .m_axi_arid(arid),
      .m_axi_araddr(araddr),
      .m_axi_arlen(arlen),
      .m_axi_arsize(),
      .m_axi_arburst(),
      .m_axi_arcache(),
      .m_axi_arprot(),
      .m_axi_arqos(),
      .m_axi_arvalid(arvalid),
      .m_axi_arready(arready),
      .m_axi_rid(rid),
      .m_axi_rdata(rdata),
      .m_axi_rresp(rresp),
      .m_axi_rlast(rlast),
      .m_axi_rvalid(rvalid),
      .m_axi_rready(rready),
      .s_axil_awaddr(12'd0),
      .s_axil_awprot(3'd0),
      .s_axil_awvalid(1'b0),
      .s_axil_awready(),
      .s_axil_wdata(32'd0),
      .s_axil_wstrb(4'd0),
      .s_axil_wvalid(1'b0),
      .s_axil_wready(),
      .s_axil_bresp(),
      .s_axil_bvalid(),
      .s_axil_bready(1'b1),
      .s_axil_araddr(12'd0),
      .s_axil_arprot(3'd0),
      .s_axil_arvalid(1'b0),
      .s_axil_arready(),
      .s_axil_rdata(),
      .s_axil_rresp(),
      .s_axil_rvalid(),
      .s_axil_rready(1'b1)
  );
  /* verilator lint_on PINCONNECTEMPTY */

  // ---- memory: the model's own, in the order of the reads ----------------------------------------------------------------
  typedef struct packed {
    logic [3:0]  id;
    logic [31:0] address;
    logic        last;
  } beat_t;
  beat_t reads[$];
  int answered = 0;

  always @(posedge tmu_aclk) begin : memory
    beat_t beat;
    bit [127:0] line;
    int status;
    arready <= below(4) != 0;
    if (arvalid && arready)
      for (int number = 0; number <= int'(arlen); number++) begin
        beat.id = arid;
        beat.address = 32'(araddr) + 32'(16 * number);
        beat.last = number == int'(arlen);
        reads.push_back(beat);
      end
    if (rready || !rvalid) begin
      rvalid <= 0;
      if (reads.size() != 0 && below(3) != 0) begin
        beat = reads.pop_front();
        status = tmu_golden_read_line(golden, beat.address, line);
        answered <= answered + 1;
        if (plant != 0 && answered % plant == plant - 1) line[7] = ~line[7];
        rid <= beat.id;
        rdata <= line;
        rresp <= status == TMU_GOLDEN_OK ? 2'd0 : 2'd2;
        rlast <= beat.last;
        rvalid <= 1;
      end
    end
    if (!tmu_aresetn) begin
      rvalid <= 0;
      reads.delete();
    end
  end

  // ---- requests -----------------------------------------------------------------------------------------------------------
  int sent = 0;
  int bindings = 0;
  int refused = 0;
  bit second = 0;
  bit [31:0] near = 0;

  // A binding of a texture of up to 64 x 64 texels; its fields are those of docs/reference/streams.md.
  function automatic bit [135:0] binding();
    bit [135:0] record = 0;
    int width = below(7);
    int height = below(7);
    record[30:0] = 31'(16 * below(LINES / 2));
    record[35:32] = 4'(width);
    record[39:36] = 4'(height);
    record[43:40] = 4'(width > height ? width : height);
    // Formats 0 to 3 are there; one binding in 16 asks for another one and is refused.
    record[51:44] = 8'(below(16) == 0 ? 200 : below(4));
    record[52] = below(4) != 0;
    record[53] = below(2) != 0;
    record[57:56] = 2'(below(3));
    record[59:58] = 2'(below(3));
    return record;
  endfunction

  // Half a quad. Pixels lie close together, so that levels and the cache matter.
  function automatic bit [135:0] half(input bit [3:0] valid);
    bit [135:0] beat = 0;
    for (int word = 0; word < 4; word++) beat[32*word+:32] = near + (random() & 32'h0000_3fff);
    beat[131:128] = valid;
    return beat;
  endfunction

  // Takes what the hardware has taken.
  function automatic void hand_over();
    int status = tmu_golden_request(golden, 776'(req_tdata), 32'(req_tuser), 32'(req_tlast));
    if (status == TMU_GOLDEN_REFUSED) refused++;
    else if (status != TMU_GOLDEN_OK) $fatal(1, "the model does not take a beat: %s", tmu_golden_error());
  endfunction

  bit [3:0] valid = 0;
  bit is_running = 0;

  always @(posedge core_aclk)
    if (is_running) begin
      if (req_tvalid && req_tready) hand_over();
      if (req_tready || !req_tvalid) begin
        req_tvalid <= 0;
        req_tuser <= 0;
        if (second) begin
          req_tdata <= half(valid);
          req_tlast <= 1;
          req_tvalid <= 1;
          second <= 0;
          sent <= sent + 1;
        end else if (sent < quads && below(4) != 0) begin
          if (bindings == 0 || below(32) == 0) begin
            req_tdata <= binding();
            req_tuser <= 1;
            req_tlast <= 1;
            bindings <= bindings + 1;
          end else begin
            if (below(8) == 0) near = random();
            valid = 4'(below(16));
            req_tdata <= half(valid);
            req_tlast <= 0;
            second <= 1;
          end
          req_tvalid <= 1;
        end
      end
    end

  // ---- results --------------------------------------------------------------------------------------------------------------
  int compared = 0;
  int errors = 0;
  int idle = 0;

  function automatic void compare();
    bit [511:0] tdata;
    int unsigned tuser;
    if (tmu_golden_result(golden, tdata, tuser) != TMU_GOLDEN_OK)
      $fatal(1, "result %0d comes before its quad: %s", compared, tmu_golden_error());
    if (res_tdata !== tdata[127:0] || res_tuser !== tuser[4:0])
      $fatal(1, "quad %0d of seed %0d: expected %h with tuser %b, got %h with tuser %b", compared, seed,
             tdata[127:0], tuser[4:0], res_tdata, res_tuser);
    compared++;
    if (tuser[4]) errors++;
  endfunction

  always @(posedge core_aclk)
    if (is_running) begin
      res_tready <= below(4) != 0;
      idle <= idle + 1;
      if (res_tvalid && res_tready) begin
        compare();
        idle <= 0;
      end
      if (compared == quads) begin
        if (tmu_golden_pending(golden) != 0) $fatal(1, "results are missing");
        $display("passed: %0d quads, %0d of them with the error bit; %0d bindings, %0d of them refused; seed %0d", compared,
                 errors, bindings, refused, seed);
        tmu_golden_free(golden);
        $finish;
      end
      if (idle == PATIENCE_CLOCKS) $fatal(1, "nothing has come for %0d clocks: %0d of %0d quads", idle, compared, quads);
    end

  // ---- the run --------------------------------------------------------------------------------------------------------------
  initial begin
    bit [127:0] line;
    int status;
    if ($value$plusargs("seed=%d", seed)) begin end
    if ($value$plusargs("quads=%d", quads)) begin end
    if ($value$plusargs("plant=%d", plant)) begin end
    state = 32'(seed) * 32'h9e37_79b9 | 1;
    golden = tmu_golden_preset(`TMU_PRESET);
    if (golden == null) $fatal(1, "no golden model: %s", tmu_golden_error());
    if (tmu_golden_request_bits(golden) != $bits(req_tdata)) $fatal(1, "the streams are not as wide as the model's");
    for (int number = 0; number < LINES; number++) begin
      for (int word = 0; word < 4; word++) line[32*word+:32] = random();
      status = tmu_golden_write_line(golden, 32'(16 * number), line);
      if (status != TMU_GOLDEN_OK) $fatal(1, "%s", tmu_golden_error());
    end
    for (int number = 0; number < 8; number++) status = tmu_golden_fail_line(golden, 32'(16 * below(LINES)));
    repeat (32) @(posedge tmu_aclk);
    tmu_aresetn <= 1;
    repeat (8) @(posedge core_aclk);
    core_aresetn <= 1;
    repeat (8) @(posedge core_aclk);
    is_running <= 1;
  end
endmodule
