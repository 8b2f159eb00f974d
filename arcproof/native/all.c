/* All native code as one unit, so that small functions are inlined across files. */
#include "machine.c"
#include "keep.c"
#include "count.c"
#include "oracle.c"
#include "paths.c"

/* --- the processor, and memory that Python owns afterwards --------------------------------------------------------- */

int processor_level(void) {
#if defined(__x86_64__) && defined(__GNUC__)
    __builtin_cpu_init();
    int is_v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma");
    int is_v4 = is_v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")
                && __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq")
                && __builtin_cpu_supports("avx512vl");
    return is_v4 ? 4 : is_v3 ? 3 : 1;
#else
    return 1;
#endif
}

void release(void *memory) { free(memory); }
