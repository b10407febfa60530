
  // Writes or reads a register of the mesh engine through its Wishbone slave.
  task automatic access(input logic [8:0] address, input logic is_write, input logic [31:0] value);
    mesh_slave_adr <= address[8:2];
    mesh_slave_we <= is_write;
    mesh_slave_dat_i <= value;
    mesh_slave_sel <= 15;
    mesh_slave_cyc <= 1;
    mesh_slave_stb <= 1;
    do @(posedge @WISHBONE_CLOCK@); while (!mesh_slave_ack && !mesh_slave_err);
    mesh_slave_cyc <= 0;
    mesh_slave_stb <= 0;
    if (mesh_slave_err || (!is_write && mesh_slave_dat_o !== value))
      $fatal(1, "register %h of the engine is %h, not %h", address, mesh_slave_dat_o, value);
    @(posedge @WISHBONE_CLOCK@);
  endtask

  task automatic write_engine(input logic [8:0] address, input logic [31:0] value);
    access(address, 1, value);
  endtask

  task automatic check_engine(input logic [8:0] address, input logic [31:0] value);
    access(address, 0, value);
  endtask

  // The points of the mesh come from the same memory.
  always @(posedge @WISHBONE_CLOCK@) begin
    mesh_master_dat_i <= {4{8'h@MEMORY_BYTE@}};
    mesh_master_ack <= mesh_master_cyc && mesh_master_stb && !mesh_master_ack;
  end
