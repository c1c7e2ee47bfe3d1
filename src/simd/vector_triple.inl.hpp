// Vectors in space over registers: overloads that laws and geometry use in place of the generic
// ones, with fused operations where the instruction set has them. Included by
// begin_vector_code.hpp.

#include "laws/triple.hpp"

namespace beadwave::simd::BEADWAVE_TARGET {

using Triple = laws::Triple<Register>;

HWY_INLINE Triple plus(const Triple& a, const Register& s, const Triple& b) {
    return {multiply_add(s, b.x, a.x), multiply_add(s, b.y, a.y), multiply_add(s, b.z, a.z)};
}
HWY_INLINE Register dot(const Triple& a, const Triple& b) {
    return multiply_add(a.z, b.z, multiply_add(a.y, b.y, a.x * b.x));
}

}  // namespace beadwave::simd::BEADWAVE_TARGET
