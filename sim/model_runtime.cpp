// See model_runtime.h. Compiled once with the Verilator runtime, not once per model.
#include "verilated.h"

#include <cstdarg>
#include <vector>

namespace tmuv {
thread_local std::string* t_output = nullptr;
static std::string s_directory;
}  // namespace tmuv

void tmuv_printf(const char* format, ...) {
    va_list args;
    va_start(args, format);
    va_list again;
    va_copy(again, args);
    const int length = std::vsnprintf(nullptr, 0, format, args);
    va_end(args);
    if (length > 0 && tmuv::t_output) {
        std::vector<char> text(static_cast<size_t>(length) + 1);
        std::vsnprintf(text.data(), text.size(), format, again);
        tmuv::t_output->append(text.data(), static_cast<size_t>(length));
    }
    va_end(again);
}

// Verilator calls this (-DVL_USER_FATAL) in place of its own, which aborts the process.
void vl_fatal(const char* filename, int linenum, const char*, const char* msg) VL_MT_UNSAFE {
    std::string message;
    if (filename && filename[0]) message = std::string{filename} + ":" + std::to_string(linenum) + ": ";
    throw tmuv::Fatal{message + msg};
}

void tmuv_set_directory(const char* directory) { tmuv::s_directory = directory; }

extern "C" FILE* __real_fopen(const char* path, const char* mode);

extern "C" FILE* __wrap_fopen(const char* path, const char* mode) {
    const bool reads = mode[0] == 'r' && std::string{mode}.find('+') == std::string::npos;
    if (reads && path[0] != '/' && !tmuv::s_directory.empty()) {
        return __real_fopen((tmuv::s_directory + "/" + path).c_str(), mode);
    }
    return __real_fopen(path, mode);
}
