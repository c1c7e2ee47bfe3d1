// Loops over plain numbers that the compiler makes several versions of, one per instruction set;
// the widest that the processor has is taken when the program starts. All have the same bits,
// because no version joins operations or changes their order.
#pragma once

#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__gnu_linux__)
#define BEADWAVE_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define BEADWAVE_CLONES
#endif
