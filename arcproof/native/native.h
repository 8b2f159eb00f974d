/* What all C files share: types, limits, and small functions of packed words. */
#ifndef ARCPROOF_NATIVE_H
#define ARCPROOF_NATIVE_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "interface.h"

typedef uint64_t u64;
typedef int64_t i64;
typedef uint32_t u32;
typedef int32_t i32;

/* How many configurations the machine looks at together; a multiple of every vector's length. */
enum { LANES = 128 };

/* Two loops over lanes never depend on each other's results. */
#if defined(__clang__)
#define INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define INDEPENDENT _Pragma("GCC ivdep")
#else
#define INDEPENDENT
#endif

#if defined(__GNUC__)
#define PREFETCH(address, to_write) __builtin_prefetch(address, to_write)
#else
#define PREFETCH(address, to_write) ((void)(address))
#endif

/* Makes an array longer; what it holds stays.  0 if there is no memory. */
#define LENGTHEN(array, count) lengthen((void **)&(array), sizeof *(array) * (size_t)(count))

static inline int lengthen(void **array, size_t bytes) {
    void *longer = realloc(*array, bytes);
    if (longer) *array = longer;
    return longer != NULL;
}

static inline i64 smaller(i64 a, i64 b) { return a < b ? a : b; }
static inline i64 larger(i64 a, i64 b) { return a > b ? a : b; }

/* A number that looks random, for a packed configuration: where to look for it, never whether two are equal. */
static inline u64 hashed(u64 first, u64 second) {
    u64 h = first * 0x9E3779B97F4A7C15u + (second ^ 0x1F83D9ABFB41BD6Bu) * 0xBF58476D1CE4E5B9u;
    h ^= h >> 32;
    h *= 0xC2B2AE3D27D4EB4Fu;
    return h ^ h >> 29;
}

#endif
