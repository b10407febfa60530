// What the Verilator runtime and every model share: where text goes that a model prints, and what becomes of
// an error that Verilator calls fatal. Included before verilated.h in every translation unit.
#ifndef TMUV_MODEL_RUNTIME_H
#define TMUV_MODEL_RUNTIME_H

#include <cstdio>
#include <string>

namespace tmuv {

// Text printed by the model that runs on this thread ($display, assertion messages); null outside an entry.
extern thread_local std::string* t_output;

// Thrown by vl_fatal, which must not return: Verilator repeats a loop that failed to converge for ever.
struct Fatal {
    std::string message;
};

}  // namespace tmuv

// Takes the place of printf in the Verilator runtime.
__attribute__((format(printf, 1, 2))) void tmuv_printf(const char* format, ...);

// The linker sends the runtime's fopen here (-Wl,--wrap=fopen): files that Verilog reads by a relative name
// ($readmemh) stand in the model's own directory, not where the test happens to run.
void tmuv_set_directory(const char* directory);

#endif
