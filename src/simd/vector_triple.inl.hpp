// Vectors in space over registers: overloads that laws and geometry use in place of the generic
// ones, with fused operations where the instruction set has them. Included by
// begin_vector_code.hpp.

#include "laws/triple.hpp"

/// Copied component by component: as a whole, GCC 12 copies it through memory.
template <>
struct beadwave::laws::Triple<beadwave::simd::BEADWAVE_TARGET::Register> {
    using Number = simd::BEADWAVE_TARGET::Register;
    Number x, y, z;

    HWY_INLINE Triple() {}
    HWY_INLINE Triple(const Number& a, const Number& b, const Number& c) { set(a, b, c); }
    HWY_INLINE Triple(const Triple& other) { set(other.x, other.y, other.z); }
    HWY_INLINE Triple& operator=(const Triple& other) {
        set(other.x, other.y, other.z);
        return *this;
    }

  private:
    HWY_INLINE void set(const Number& a, const Number& b, const Number& c) {
        x.raw.raw = a.raw.raw;
        y.raw.raw = b.raw.raw;
        z.raw.raw = c.raw.raw;
    }
};

namespace beadwave::simd::BEADWAVE_TARGET {

using Triple = laws::Triple<Register>;

HWY_INLINE Triple plus(const Triple& a, const Register& s, const Triple& b) {
    return {multiply_add(s, b.x, a.x), multiply_add(s, b.y, a.y), multiply_add(s, b.z, a.z)};
}
HWY_INLINE Triple cross(const Triple& a, const Triple& b) {
    const auto part = [](const Register& p, const Register& q, const Register& r, const Register& t)
                          HWY_ATTR { return Register(hn::MulSub(p.raw, q.raw, (r * t).raw)); };
    return {part(a.y, b.z, a.z, b.y), part(a.z, b.x, a.x, b.z), part(a.x, b.y, a.y, b.x)};
}
HWY_INLINE Register dot(const Triple& a, const Triple& b) {
    return multiply_add(a.z, b.z, multiply_add(a.y, b.y, a.x * b.x));
}

}  // namespace beadwave::simd::BEADWAVE_TARGET
