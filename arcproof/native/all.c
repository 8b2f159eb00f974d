/* All native code as one unit, so that small functions are inlined across files. */
#include "machine.c"
#include "keep.c"
#include "count.c"
#include "oracle.c"
#include "paths.c"
#include "branching.c"
#include "whole_runs.c"
#include "unranking.c"
#include "linear.c"
#include "features.c"
#include "record.c"
#include "parse.c"
#include "explore.c"
#include "beam.c"

/* --- the processor, and memory that Python owns afterwards ------------------------------------------------------ */

#if defined(__x86_64__) && defined(__GNUC__)
#include <cpuid.h>

/* Which registers the operating system saves. */
static u32 saved_registers(void) {
    u32 low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}

int processor_level(void) {
    enum { SAVES = 1 << 27, FMA = 1 << 12, AVX2 = 1 << 5, BMI2 = 1 << 8 };
    const u32 avx512 = 1u << 16 | 1u << 17 | 1u << 28 | 1u << 30 | 1u << 31; /* F, DQ, CD, BW, VL */
    u32 a, b, c, d, features;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & SAVES) || !(c & FMA)) return 1;
    if (!__get_cpuid_count(7, 0, &a, &features, &c, &d)) return 1;
    if ((saved_registers() & 0x06) != 0x06 || !(features & AVX2) || !(features & BMI2)) return 1;
    return (saved_registers() & 0xE6) == 0xE6 && (features & avx512) == avx512 ? 4 : 3;
}
#else
int processor_level(void) { return 1; }
#endif

void release(void *memory) { free(memory); }
