// Whether a number passes a place within a step. Included by vector_code.cpp.

namespace beadwave::dynamics::tangent::BEADWAVE_TARGET {

/// Slower passages are ignored [m/s]. In the head of a wave numbers fall double-exponentially to
/// zero, and at touching contacts this would divide by zero. No force has a jump there.
inline constexpr double slowest_passage = 1e-12;

/// The contacts of a block whose overlap has passed `place` in this step.
HWY_INLINE RegisterMask passed(Register before, Register now, Register place) {
    const RegisterMask was = before <= place, is = now <= place;
    return (was && !is) || (is && !was);
}

}  // namespace beadwave::dynamics::tangent::BEADWAVE_TARGET
