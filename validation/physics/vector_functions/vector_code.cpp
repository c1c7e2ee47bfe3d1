// These must be included in this order.
// clang-format off
#include "simd/begin_vector_code.hpp"
#include "vector_functions.hpp"
#include "beadwave/laws/adhesion/jkr.hpp"
#include "beadwave/laws/jian.hpp"
// clang-format on

namespace beadwave::validation {

namespace BEADWAVE_TARGET {
using namespace simd::BEADWAVE_TARGET;

template <auto function>
void each(const double* x, double* y, std::size_t count) {
    for (std::size_t i = 0; i < count; i += lane_count)
        function(Vector::load(x + i)).store(y + i);
}

template <auto function>
void each_pair(const double* x, const double* y, double* z, std::size_t count) {
    for (std::size_t i = 0; i < count; i += lane_count)
        function(Vector::load(x + i), Vector::load(y + i)).store(z + i);
}

template <auto condition>
void where(const double* x, const double* y, double* z, std::size_t count) {
    for (std::size_t i = 0; i < count; i += lane_count)
        select(condition(Vector::load(x + i), Vector::load(y + i)), Vector(1.0), Vector())
            .store(z + i);
}

/// What `of` takes from the response of a law with these fields; all its memory is `before`.
template <class Law, auto& fields, int before, auto of>
void responses(const double* overlap, const double* speed, double* result, std::size_t count) {
    const Law law =
        laws::from_fields<Law>([&](std::size_t k) HWY_ATTR { return Vector(fields[k]); });
    const auto memory = laws::from_fields<typename Law::Memory>(
        [&](std::size_t) HWY_ATTR { return Vector(double{before}); });
    for (std::size_t i = 0; i < count; i += lane_count)
        of(law.respond(Vector::load(overlap + i), Vector::load(speed + i), memory))
            .store(result + i);
}

inline constexpr auto force_of = [](const auto& response) HWY_ATTR { return response.force; };
inline constexpr auto neck_of = [](const auto& response) HWY_ATTR { return response.memory.neck; };

template <int neck, auto of>
inline constexpr PairFunction jkr = &responses<laws::Jkr<Vector>, jkr_fields, neck, of>;

}  // namespace BEADWAVE_TARGET

template <>
NumberFunctions number_functions<simd::Target::BEADWAVE_TARGET>() {
    using namespace BEADWAVE_TARGET;
    return {.power_3_2 = each<[](Vector v) HWY_ATTR { return power_3_2(v); }>,
            .sqrt = each<[](Vector v) HWY_ATTR { return sqrt(v); }>,
            .root = each<[](Vector v) HWY_ATTR { return root(v); }>,
            .log = each<[](Vector v) HWY_ATTR { return log(v); }>,
            .cbrt = each<[](Vector v) HWY_ATTR { return cbrt(v); }>,
            .exp = each<[](Vector v) HWY_ATTR { return exp(v); }>,
            .expm1 = each<[](Vector v) HWY_ATTR { return expm1(v); }>};
}

template <>
PairFunctions pair_functions<simd::Target::BEADWAVE_TARGET>() {
    using namespace BEADWAVE_TARGET;
    return {.less = where<[](Vector a, Vector b) HWY_ATTR { return a < b; }>,
            // In parentheses: GCC 12 otherwise takes > for the end of the argument.
            .greater = where<[](Vector a, Vector b) HWY_ATTR { return (a > b); }>,
            .less_equal = where<[](Vector a, Vector b) HWY_ATTR { return a <= b; }>,
            .greater_equal = where<[](Vector a, Vector b) HWY_ATTR { return a >= b; }>,
            .equal = where<[](Vector a, Vector b) HWY_ATTR { return a == b; }>,
            .not_equal = where<[](Vector a, Vector b) HWY_ATTR { return a != b; }>,
            .not_less = where<[](Vector a, Vector b) HWY_ATTR { return !(a < b); }>,
            .not_greater = where<[](Vector a, Vector b) HWY_ATTR { return !(a > b); }>,
            .max = each_pair<[](Vector a, Vector b) HWY_ATTR { return max(a, b); }>,
            .min = each_pair<[](Vector a, Vector b) HWY_ATTR { return min(a, b); }>,
            .copysign = each_pair<[](Vector a, Vector b) HWY_ATTR { return copysign(a, b); }>,
            .ratio = each_pair<[](Vector a, Vector b) HWY_ATTR { return ratio(a, b); }>,
            .angle_above = each_pair<[](Vector a, Vector b) HWY_ATTR { return angle_above(a, b); }>,
            .pow = each_pair<[](Vector a, Vector b) HWY_ATTR { return pow(a, b); }>,
            .parameter_power =
                each_pair<[](Vector a, Vector b) HWY_ATTR { return parameter_power(a, b); }>,
            .first_power = each_pair<[](Vector a, Vector b) HWY_ATTR {
                return parameter_powers(a, b, Vector(0.5) * b).first;
            }>,
            .second_power = each_pair<[](Vector a, Vector b) HWY_ATTR {
                return parameter_powers(a, b, Vector(0.5) * b).second;
            }>,
            .jkr_force = jkr<1, force_of>,
            .jkr_open_force = jkr<0, force_of>,
            .jkr_neck = jkr<1, neck_of>,
            .jkr_open_neck = jkr<0, neck_of>,
            .jian_force = responses<laws::Jian<Vector>, jian_fields, 0, force_of>,
            .jian_pushing_force = responses<laws::Jian<Vector>, jian_pushing_fields, 0, force_of>};
}

}  // namespace beadwave::validation

#include "simd/end_vector_code.hpp"
