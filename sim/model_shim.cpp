// The C interface of one verilated model. Compiled in one translation unit behind the files that Verilator
// wrote, which include Vtmuv.h. The generator puts these in front:
//   TMUV_FST, TMUV_COVERAGE   0 or 1
//   TMUV_PORTS(X)             X(index, width, is_clock) for each port, in the order of the port list
//
// Every entry makes the instance's context the thread's own: two instances in one thread otherwise use each
// other's, and the second one deadlocks when it is dropped.

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#if TMUV_FST
#include "verilated_fst_c.h"
#endif
#if TMUV_COVERAGE
#include "verilated_cov.h"
#endif

#define TMUV_EXPORT extern "C" __attribute__((visibility("default")))

namespace {

struct Slot {
    void* data;
    uint32_t width;
    uint32_t words;      // of 32 bits, as rows carry it
    uint32_t top_mask;   // the bits in use of the highest word
};

struct Instance {
    std::unique_ptr<VerilatedContext> context;
    std::unique_ptr<Vtmuv> model;
    std::vector<Slot> slots;
    std::vector<CData*> clocks;
    bool settled = false;  // whether anything was evaluated yet
    std::string output;    // what the model printed since it was last taken
    std::string failure;   // the message of the last failed entry
    bool dead = false;     // after a fatal error the model's state means nothing
    uint64_t time_step = 1;
#if TMUV_FST
    std::unique_ptr<VerilatedFstC> trace;
    bool dumped = false;
    uint64_t dumped_at = 0;
#endif
};

constexpr int OK = 0, FAILED = 1;

Slot slot(void* data, uint32_t width) {
    const uint32_t rest = width % 32;
    return {data, width, (width + 31) / 32, rest ? (1u << rest) - 1 : ~0u};
}

// Runs `body` with the thread's context and output set to the instance's; makes an error a failure.
template <typename Body>
int enter(Instance& instance, Body body) {
    if (instance.dead) return FAILED;  // with the message of the fatal error
    VerilatedContext& context = *instance.context;
    Verilated::threadContextp(&context);
    tmuv::t_output = &instance.output;
    const size_t printed = instance.output.size();
    int result = OK;
    try {
        body();
    } catch (const tmuv::Fatal& fatal) {
        instance.failure = fatal.message;
        instance.dead = true;
        result = FAILED;
    }
    if (VL_UNLIKELY(result == OK && context.gotError())) {
        instance.failure = instance.output.substr(printed);
        context.gotError(false);
        context.gotFinish(false);
        context.errorCount(0);
        result = FAILED;
    }
    tmuv::t_output = nullptr;
    return result;
}

void dump(Instance& instance) {
#if TMUV_FST
    if (!instance.trace) return;
    const uint64_t now = instance.context->time();
    // A waveform holds one value a time: of several evaluations at one time the first is kept.
    if (instance.dumped && now <= instance.dumped_at) return;
    instance.trace->dump(now);
    instance.dumped = true;
    instance.dumped_at = now;
#else
    (void)instance;
#endif
}

// Verilator takes the clocks' levels at the first evaluation for those before it: a clock that is high then
// would lose its edge. So everything settles once with the clocks low.
void settle(Instance& instance) {
    std::vector<CData> levels;
    for (CData* clock : instance.clocks) levels.push_back(std::exchange(*clock, 0));
    instance.model->eval();
    for (size_t i = 0; i < levels.size(); ++i) *instance.clocks[i] = levels[i];
    instance.settled = true;
}

inline void eval(Instance& instance) {
    if (VL_UNLIKELY(!instance.settled)) settle(instance);
    instance.model->eval();
    dump(instance);
}

inline void put(const Slot& slot, const uint32_t* words) {
    if (slot.width <= 8) {
        *static_cast<CData*>(slot.data) = static_cast<CData>(words[0] & slot.top_mask);
    } else if (slot.width <= 16) {
        *static_cast<SData*>(slot.data) = static_cast<SData>(words[0] & slot.top_mask);
    } else if (slot.width <= 32) {
        *static_cast<IData*>(slot.data) = words[0] & slot.top_mask;
    } else if (slot.width <= 64) {
        *static_cast<QData*>(slot.data) = static_cast<QData>(words[1] & slot.top_mask) << 32 | words[0];
    } else {
        EData* to = static_cast<EData*>(slot.data);
        std::memcpy(to, words, slot.words * sizeof(uint32_t));
        to[slot.words - 1] &= slot.top_mask;
    }
}

inline void get(const Slot& slot, uint32_t* words) {
    if (slot.width <= 8) {
        words[0] = *static_cast<const CData*>(slot.data);
    } else if (slot.width <= 16) {
        words[0] = *static_cast<const SData*>(slot.data);
    } else if (slot.width <= 32) {
        words[0] = *static_cast<const IData*>(slot.data);
    } else if (slot.width <= 64) {
        const QData value = *static_cast<const QData*>(slot.data);
        words[0] = static_cast<uint32_t>(value);
        words[1] = static_cast<uint32_t>(value >> 32);
    } else {
        std::memcpy(words, slot.data, slot.words * sizeof(uint32_t));
    }
}

}  // namespace

// Which ports take part in a run, by index. `clocks` is empty when the rows carry the clocks themselves.
struct TmuvRun {
    const uint32_t* inputs;
    size_t input_count;
    const uint32_t* clocks;
    size_t clock_count;
    const uint32_t* outputs;
    size_t output_count;
};

TMUV_EXPORT void tmuv_load(const char* directory) { tmuv_set_directory(directory); }

// `initial`: 0 zeros, 1 ones, 2 random from `seed` (which must not be 0). Returns null, with the reason in
// `error`, if the model cannot be constructed.
TMUV_EXPORT Instance* tmuv_new(int initial, int seed, char* error, size_t error_size) {
    auto instance = std::make_unique<Instance>();
    instance->context = std::make_unique<VerilatedContext>();
    VerilatedContext& context = *instance->context;
    context.threads(1);  // before the model exists: Verilator 5.006 starts worker threads otherwise
    context.fatalOnError(false);
    context.randReset(initial);
    context.randSeed(seed);
    const char* arguments[] = {"tmuv"};
    context.commandArgs(1, arguments);
#if TMUV_FST
    context.traceEverOn(true);
#endif
    Instance& it = *instance;
    if (enter(it, [&] { it.model = std::make_unique<Vtmuv>(it.context.get(), "TOP"); }) != OK) {
        std::snprintf(error, error_size, "%s", it.failure.c_str());
        return nullptr;
    }
    // Tables and one loop: code for each port would be most of a large batch's compile time.
#define TMUV_WIDTH(INDEX, WIDTH, CLOCK) WIDTH,
#define TMUV_CLOCK(INDEX, WIDTH, CLOCK) CLOCK,
#define TMUV_DATA(INDEX, WIDTH, CLOCK) &it.model->p##INDEX,
    static const uint32_t widths[] = {TMUV_PORTS(TMUV_WIDTH) 0};
    static const bool clocks[] = {TMUV_PORTS(TMUV_CLOCK) false};
    void* const data[] = {TMUV_PORTS(TMUV_DATA) nullptr};
    for (size_t i = 0; data[i]; ++i) {
        it.slots.push_back(slot(data[i], widths[i]));
        if (clocks[i]) it.clocks.push_back(static_cast<CData*>(data[i]));
    }
    return instance.release();
}

TMUV_EXPORT void tmuv_delete(Instance* instance) {
    Verilated::threadContextp(instance->context.get());
    tmuv::t_output = &instance->output;
    try {
#if TMUV_FST
        instance->trace.reset();
#endif
        if (!instance->dead) instance->model->final();
    } catch (const tmuv::Fatal&) {
        // There is nobody left to tell.
    }
    instance->model.reset();
    tmuv::t_output = nullptr;
    delete instance;
    Verilated::threadContextp(nullptr);
}

// Address of the value of port `index`: CData, SData, IData, QData or 32-bit words, by its width.
TMUV_EXPORT void* tmuv_port(Instance* instance, size_t index) { return instance->slots[index].data; }

TMUV_EXPORT int tmuv_eval(Instance* instance) {
    return enter(*instance, [&] { eval(*instance); });
}

TMUV_EXPORT uint64_t tmuv_time(const Instance* instance) { return instance->context->time(); }
TMUV_EXPORT void tmuv_set_time(Instance* instance, uint64_t time) { instance->context->time(time); }
TMUV_EXPORT void tmuv_set_time_step(Instance* instance, uint64_t step) { instance->time_step = step; }
TMUV_EXPORT int tmuv_finished(const Instance* instance) { return instance->context->gotFinish(); }

// Applies `rows` rows of inputs and records as many of outputs; returns how many rows went well. Time
// advances by one step before each evaluation. Without clocks a row is one evaluation. With clocks it is one
// cycle: inputs applied and clocks low, outputs recorded, clocks high.
TMUV_EXPORT uint64_t tmuv_run(Instance* instance, const TmuvRun* run, const uint32_t* in, uint32_t* out,
                              uint64_t rows) {
    uint64_t done = 0;
    const std::vector<Slot>& slots = instance->slots;
    const uint32_t low = 0, high = 1;
    const auto step = [&] {
        instance->context->timeInc(instance->time_step);
        eval(*instance);
        return !instance->context->gotError();
    };
    enter(*instance, [&] {
        for (; done < rows; ++done) {
            for (size_t i = 0; i < run->input_count; ++i) {
                const Slot& slot = slots[run->inputs[i]];
                put(slot, in);
                in += slot.words;
            }
            for (size_t i = 0; i < run->clock_count; ++i) put(slots[run->clocks[i]], &low);
            if (!step()) return;
            for (size_t i = 0; i < run->output_count; ++i) {
                const Slot& slot = slots[run->outputs[i]];
                get(slot, out);
                out += slot.words;
            }
            if (run->clock_count == 0) continue;
            for (size_t i = 0; i < run->clock_count; ++i) put(slots[run->clocks[i]], &high);
            if (!step()) return;
        }
    });
    return done;
}

// The text of the last failure, and the text printed since tmuv_clear_output: valid until the next entry.
TMUV_EXPORT const char* tmuv_failure(const Instance* instance) { return instance->failure.c_str(); }
TMUV_EXPORT const char* tmuv_output(const Instance* instance) { return instance->output.c_str(); }
TMUV_EXPORT void tmuv_clear_output(Instance* instance) { instance->output.clear(); }

#if TMUV_FST
TMUV_EXPORT int tmuv_trace_open(Instance* instance, const char* path) {
    bool opened = false;
    const int result = enter(*instance, [&] {
        instance->trace = std::make_unique<VerilatedFstC>();
        instance->model->trace(instance->trace.get(), 99);
        instance->trace->open(path);
        opened = instance->trace->isOpen();
        instance->dumped = false;
        if (!opened) instance->trace.reset();
    });
    return result == OK && opened ? OK : FAILED;
}
TMUV_EXPORT int tmuv_trace_flush(Instance* instance) {
    return enter(*instance, [&] { if (instance->trace) instance->trace->flush(); });
}
TMUV_EXPORT int tmuv_trace_close(Instance* instance) {
    return enter(*instance, [&] { instance->trace.reset(); });
}
#endif

#if TMUV_COVERAGE
TMUV_EXPORT int tmuv_coverage_write(Instance* instance, const char* path) {
    return enter(*instance, [&] { instance->context->coveragep()->write(path); });
}
#endif
