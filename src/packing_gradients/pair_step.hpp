// One pair of a packing in one step, forwards as the plain engine computes it
// (packing/plain/plain_backend.cpp), to the bit, and in reverse.
#pragma once

#include "laws/tangential/slider.hpp"
#include "packing/contacts/pair_laws.hpp"

#include <array>
#include <cstddef>
#include <vector>

namespace beadwave::packing_gradients {

using packing::Vec3;

struct PairMemory {
    laws::AnyMemory normal{};
    laws::SliderMemory<double> sliding{}, rolling{};

    /// Whether it is that of a pair that never touched.
    bool is_blank() const;
};

/// What one of the two bodies brings.
struct BodyMotion {
    Vec3 half{}, predicted{};  ///< velocity in the middle and at the end of the step [m/s]
    Vec3 half_spin{}, predicted_spin{};  ///< angular velocity likewise [rad/s]
    double radius = 0.0;                 ///< [m]; of a wall 0
};

struct PairMotion {
    Vec3 reference{}, displacement{};  ///< of the second body minus those of the first [m]
    double gap = 0.0;                  ///< between the references [m]
    BodyMotion first{}, second{};
    double time_step = 0.0;  ///< [s]; 0 at the start of a run
    bool wall = false;

    double overlap() const;  ///< [m]
};

struct PairForces {
    Vec3 force{};                                ///< on the second body [N]
    Vec3 torque_on_first{}, torque_on_second{};  ///< [N m]
    PairMemory memory{};                         ///< after the step
};

PairForces forces_of(const packing::PairLaw& law, bool rolls, const PairMotion& motion,
                     const PairMemory& before);

/// The numbers of a pair's laws, in a fixed order: those of the normal law, of the slider and of
/// the rolling slider.
std::vector<double> numbers_of(const packing::PairLaw& law);
inline constexpr std::size_t most_pair_numbers = laws::most_law_numbers + 8 + 4;

/// Derivatives by what a pair reads.
struct PairBars {
    Vec3 branch{};  ///< the place of the second body minus that of the first
    BodyMotion first{}, second{};
    PairMemory memory{};  ///< before the step
};

/// Derivatives by what a pair reads, for those by its forces and its memory after the step, which
/// are in `by`. The derivatives by the numbers of its laws are added to `law_bars`.
PairBars bars_of(const packing::PairLaw& law, bool rolls, const PairMotion& motion,
                 const PairMemory& before, const PairForces& by,
                 std::array<double, most_pair_numbers>& law_bars);

}  // namespace beadwave::packing_gradients
