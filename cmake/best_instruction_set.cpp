// Prints the best of the instruction sets that the vector code knows and this processor has.
#include "../src/simd/processor.hpp"

#include <cstdio>

int main() {
    using namespace beadwave::simd;
    std::printf("%s", has_avx512() ? "avx512" : has_avx2() ? "avx2" : "baseline");
}
