// The angle of a point over a register. Included by begin_vector_code.hpp. All polynomials are
// Chebyshev interpolations, computed with fifty digits.

namespace beadwave::simd::BEADWAVE_TARGET {

#if HWY_TARGET != HWY_AVX3
/// atan(z) for |z| <= tan(pi/8).
HWY_INLINE Register short_angle(Register z) {
    const Register u = z * z;
    const Register u2 = u * u;
    const Register u4 = u2 * u2;
    const Register a = multiply_add(u, 0.19999999999898407, -0.3333333333333325);
    const Register b = multiply_add(u, 0.11111109636534353, -0.1428571426609662);
    const Register c = multiply_add(u, 0.07691055158387715, -0.09090852557175748);
    const Register d = multiply_add(u, 0.05736332165555598, -0.06649613695234256);
    const Register e = multiply_add(u, 0.022750526977488576, -0.044833346211129645);
    const Register rest =
        multiply_add(u4, multiply_add(u4, e, multiply_add(u2, d, c)), multiply_add(u2, b, a));
    return multiply_add(z * u, rest, z);
}

/// The angle of the point (x, y) with x, y >= 0, in [0, pi/2]; 0 at the origin.
HWY_INLINE Register angle_in_quadrant(Register y, Register x) {
    const Register longer = max(max(x, y), Register(1e-300));  // NaN of y is in the shorter
    const Register shorter = min(y, x);
    // From pi/8 on, the angle that is left to pi/4.
    const RegisterMask steep = shorter > 0.41421356237309503 * longer;
    const Register z =
        ratio(select(steep, shorter - longer, shorter), select(steep, shorter + longer, longer));
    const Register angle =
        short_angle(z) + select(steep, Register(0.25 * std::numbers::pi), Register(0.0));
    return select(y > x, 0.5 * std::numbers::pi - angle, angle);
}
#endif

/// The angle of the point (x, y) with y >= 0, in [0, pi], to a few ulp; 0 at the origin.
HWY_INLINE Register angle_above(Register y, Register x) {
#if HWY_TARGET == HWY_AVX3
    // Turns the point towards the x axis by the angle that is nearest of sixteen. Their tangents
    // are p / (1 - p) for p = k / 15.45; p of the point is y / (|x| + y).
    alignas(64) static constexpr double tangents[16] = {0.0,
                                                        0.06920415224913495,
                                                        0.14869888475836435,
                                                        0.24096385542168675,
                                                        0.3493449781659389,
                                                        0.4784688995215312,
                                                        0.634920634920635,
                                                        0.8284023668639052,
                                                        1.073825503355705,
                                                        1.3953488372093028,
                                                        1.8348623853211017,
                                                        2.4719101123595504,
                                                        3.4782608695652173,
                                                        5.3061224489795915,
                                                        9.655172413793103,
                                                        33.33333333333335};
    alignas(64) static constexpr double angles[16] = {0.0,
                                                      0.0690939907809633,
                                                      0.14761722102397196,
                                                      0.23645614219991717,
                                                      0.33609116186545407,
                                                      0.44627483961387043,
                                                      0.5657014686561778,
                                                      0.6918211316126283,
                                                      0.8209818426246706,
                                                      0.9489720389643069,
                                                      1.0717999905243942,
                                                      1.1863776065766947,
                                                      1.2908465042711055,
                                                      1.3845196563789623,
                                                      1.4675928710691928,
                                                      1.5408053219380187};
    const Register along = max(abs(x), Register(1e-300));
    const Register inverse_sum(Register::Raw{_mm512_rcp14_pd((along + y).raw.raw)});
    const Register number = multiply_add(y * 15.45, inverse_sum, 0x1.8p52);
    const __m512i index = _mm512_castpd_si512(number.raw.raw);
    const Register tangent = look_up(tangents, index);
    // A plain quotient, because one in so many operations costs less than a series.
    const Register z = multiply_subtract(along, tangent, y) / multiply_add(y, tangent, along);
    // The angle that is left, up to 0.065.
    const Register u = z * z;
    const Register rest =
        multiply_add(u * u, multiply_add(u, 0.11034852106941084, -0.14285513703309402),
                     multiply_add(u, 0.19999999831017737, -0.33333333333311077));
    const Register angle = multiply_add(z * u, rest, z) + look_up(angles, index);
#else
    const Register angle = angle_in_quadrant(y, abs(x));
#endif
    return select(x < Register(0.0), std::numbers::pi - angle, angle);
}

}  // namespace beadwave::simd::BEADWAVE_TARGET
