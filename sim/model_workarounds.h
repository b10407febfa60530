// Faults of Verilator's own headers, mended. Included after verilated.h and before the generated code.
#ifndef TMUV_MODEL_WORKAROUNDS_H
#define TMUV_MODEL_WORKAROUNDS_H

// The high words of a constant of more than eight words. Verilator 5.006 counts the words to be cleared above them
// from the wrong end, and writes zeros behind the variable (on the stack, over the caller's frame) if the highest
// words of the constant are zero. Later versions do as here.
template <int Words>
static inline void tmuv_const_high(int bits, int lsb, WDataOutP to, const EData (&high_first)[Words]) {
    const int first = VL_WORDS_I(lsb), end = VL_WORDS_I(bits);
    for (int i = 0; i < Words; ++i) to[first + i] = high_first[Words - 1 - i];
    for (int i = first + Words; i < end; ++i) to[i] = 0;
}
#define TMUV_CONST_HIGH(bits, lsb, to, ...) tmuv_const_high(bits, lsb, to, {__VA_ARGS__})
#define VL_CONSTHI_W_1X TMUV_CONST_HIGH
#define VL_CONSTHI_W_2X TMUV_CONST_HIGH
#define VL_CONSTHI_W_3X TMUV_CONST_HIGH
#define VL_CONSTHI_W_4X TMUV_CONST_HIGH
#define VL_CONSTHI_W_5X TMUV_CONST_HIGH
#define VL_CONSTHI_W_6X TMUV_CONST_HIGH
#define VL_CONSTHI_W_7X TMUV_CONST_HIGH
#define VL_CONSTHI_W_8X TMUV_CONST_HIGH

// A single bit in a row. Verilator 5.006 negates a C++ bool here, whose int is then extended with its sign when the
// row becomes the low part of a wider value.
#undef VL_REPLICATE_IOI
#define VL_REPLICATE_IOI(lbits, ld, rep) (-static_cast<IData>(ld))

#endif
