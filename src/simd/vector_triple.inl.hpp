// Vectors in space over registers: overloads that laws and geometry use in place of the generic
// ones, with fused operations where the instruction set has them. Included by
// begin_vector_code.hpp.

#include "laws/triple.hpp"

namespace beadwave::simd::BEADWAVE_TARGET {

/// A register of doubles or of floats.
template <class Number>
concept OneRegister = std::same_as<decltype(Number::raw), typename Number::Raw>;

}  // namespace beadwave::simd::BEADWAVE_TARGET

/// Copied component by component: as a whole, GCC 12 copies it through memory.
template <beadwave::simd::BEADWAVE_TARGET::OneRegister Number>
struct beadwave::laws::Triple<Number> {
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

template <OneRegister Number>
HWY_INLINE laws::Triple<Number> plus(const laws::Triple<Number>& a, const Number& s,
                                     const laws::Triple<Number>& b) {
    return {multiply_add(s, b.x, a.x), multiply_add(s, b.y, a.y), multiply_add(s, b.z, a.z)};
}
template <OneRegister Number>
HWY_INLINE laws::Triple<Number> cross(const laws::Triple<Number>& a,
                                      const laws::Triple<Number>& b) {
    const auto part = [](const Number& p, const Number& q, const Number& r, const Number& t)
                          HWY_ATTR { return Number(hn::MulSub(p.raw, q.raw, (r * t).raw)); };
    return {part(a.y, b.z, a.z, b.y), part(a.z, b.x, a.x, b.z), part(a.x, b.y, a.y, b.x)};
}
template <OneRegister Number>
HWY_INLINE Number dot(const laws::Triple<Number>& a, const laws::Triple<Number>& b) {
    return multiply_add(a.z, b.z, multiply_add(a.y, b.y, a.x * b.x));
}

}  // namespace beadwave::simd::BEADWAVE_TARGET
