// What the pistons of a box that strains hold, beside what they were asked for.
//
// A piston follows mass H'' = A (p - stress) - damping H' (packing/box_motion.hpp), p the pressure
// of the packing along it and A the area of its face. So over a time T in which its edge changes
// by dH and its velocity by dH', the mean of p differs from the stress by
//
//     (mass dH' + damping dH) / (A T)
//
// whatever happens in between: nothing has to be measured.
#pragma once

#include "packing/packing_engine.hpp"
#include "recording/archive.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace beadwave::running {

/// The mean over the last fifth of a run, in which the box has been free to move. The first and
/// the last moment are samples of the energy: it begins at the last one before that fifth.
struct PistonStress {
    std::size_t axis = 0;
    double begin = 0.0, end = 0.0;  ///< of the mean [s]
    double asked = 0.0;             ///< [Pa]; in the plane [N/m], like the next two
    double held = 0.0;              ///< pressure of the packing along the axis
    double by_damping = 0.0;        ///< the part of held - asked that damping makes
};

class PistonStresses {
  public:
    /// `end` [s]: of the run. `packing` must outlive it.
    PistonStresses(const packing::Packing& packing, double end);

    /// The box at a later time [s]. Without pistons it does nothing.
    void take(double time, const packing::BoxState& box);
    /// Of each piston; empty: there is none, or they held for less than two samples.
    std::vector<PistonStress> result() const;
    void serialize(Archive& archive);

  private:
    struct Moment {
        double time = -1.0;  ///< below 0: none
        std::array<double, 3> edge{}, rate{};
    };
    double area(const Moment& at, std::size_t axis) const;

    const packing::Packing& packing_;
    double start_ = 0.0, begin_ = 0.0;  ///< of the pistons, of the mean [s]
    Moment first_, last_;
};

/// "12.5 kPa along x in place of 10 kPa, ..., on average from 0.8 s to 1 s". Empty without pistons.
std::string held_text(const std::vector<PistonStress>& pistons, int dimension);

/// A warning about the piston that is farthest from its stress, if that is more than a twentieth.
std::optional<std::string> wrong_stress(const packing::Packing& packing,
                                        const std::vector<PistonStress>& pistons);

}  // namespace beadwave::running
