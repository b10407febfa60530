// The golden model of a texture unit over DPI-C: the functions of tmu_golden.h, which says what each does.
//
// Compile this file before your bench and link libtmu_golden.so. Beats are as wide as the widest there are; bits over the
// stream's tdata do not count in requests and are 0 in results.
package tmu_golden_dpi;

  localparam int TMU_GOLDEN_REQUEST_BITS = 776;
  localparam int TMU_GOLDEN_RESULT_BITS = 512;
  localparam int TMU_GOLDEN_LINE_BITS = 128;

  typedef enum int {
    TMU_GOLDEN_OK = 0,
    TMU_GOLDEN_REFUSED = 1,
    TMU_GOLDEN_DROPPED = 2,
    TMU_GOLDEN_EMPTY = 3,
    TMU_GOLDEN_UNREADABLE = 4,
    TMU_GOLDEN_ARGUMENT = -1,
    TMU_GOLDEN_FILE = -2,
    TMU_GOLDEN_INTERNAL = -3
  } tmu_golden_status;

  import "DPI-C" function chandle tmu_golden_preset(input string name);
  import "DPI-C" function chandle tmu_golden_toml(input string toml);
  import "DPI-C" function chandle tmu_golden_open(input string path);
  import "DPI-C" function void tmu_golden_free(input chandle model);
  import "DPI-C" function string tmu_golden_error();
  import "DPI-C" function int tmu_golden_request_bits(input chandle model);
  import "DPI-C" function int tmu_golden_result_bits(input chandle model);
  import "DPI-C" function int tmu_golden_load(input chandle model, input int unsigned address, input string path);
  import "DPI-C" function int tmu_golden_write_line(input chandle model, input int unsigned address,
                                                    input bit [TMU_GOLDEN_LINE_BITS-1:0] data);
  import "DPI-C" function int tmu_golden_read_line(input chandle model, input int unsigned address,
                                                   output bit [TMU_GOLDEN_LINE_BITS-1:0] data);
  import "DPI-C" function int tmu_golden_fail_line(input chandle model, input int unsigned address);
  import "DPI-C" function int tmu_golden_request(input chandle model, input bit [TMU_GOLDEN_REQUEST_BITS-1:0] tdata,
                                                 input int unsigned tuser, input int unsigned tlast);
  import "DPI-C" function int tmu_golden_result(input chandle model, output bit [TMU_GOLDEN_RESULT_BITS-1:0] tdata,
                                                output int unsigned tuser);
  import "DPI-C" function int tmu_golden_pending(input chandle model);
  import "DPI-C" function int tmu_golden_reset(input chandle model);

endpackage
