// The linear modes of a system, its bands and its transfer functions, as numbers.
//
// A mode moves as exp(lambda t). Its frequency is |lambda| / (2 pi), its damping ratio
// -Re(lambda) / |lambda|; an overdamped mode appears twice, each time with the ratio 1. Without
// damping lambda = i omega.
#pragma once

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace beadwave::modes {

using Complex = std::complex<double>;

struct Modes {
    std::vector<double> frequency{};      ///< ascending [Hz]
    std::vector<double> damping_ratio{};  ///< one per mode; empty: nothing is damped
    std::size_t rigid = 0;                ///< modes of zero frequency, included above
    std::size_t unstable = 0;             ///< modes that grow; they are listed among the rigid ones

    /// Shapes, one row of `freedoms` numbers per mode: displacements [m] and rotations times
    /// radius [m], the largest of a mode is 1. Empty: not computed.
    std::vector<Complex> shape{};
    std::size_t freedoms = 0;
    /// (sum e)^2 / (n sum e^2) of the kinetic energies e of the n bodies [-]; 1: all share equally,
    /// 1/n: one alone.
    std::vector<double> participation_ratio{};
    std::vector<std::string> warnings{};
};

struct Band {
    double lower, upper;  ///< [Hz]
};

/// The intervals without waves below the highest band, ascending; narrower ones than a millionth of
/// it are rounding. `bands`: ascending.
std::vector<Band> gaps_of(std::span<const Band> bands);

/// Frequencies of waves exp(i (k x - omega t)) in an endless repetition of a cell.
struct Dispersion {
    std::size_t cell_bodies = 0;
    std::vector<std::vector<double>> lattice;  ///< primitive vectors, one per direction [m]
    std::size_t branches = 0;
    std::vector<double> wave_vector;  ///< points x directions of space [rad/m]
    std::size_t components = 1;       ///< of a wave vector
    std::vector<double> frequency;    ///< points x branches, ascending [Hz]
    /// points x branches x components [m/s]: d omega / d k. NaN where a wave grows, and where it
    /// has no frequency but no limit along the path either.
    std::vector<double> group_velocity;
    std::vector<Band> bands;  ///< that all waves of the lattice fill
    /// The dispersion over the whole zone, packings only.
    struct Grid {
        std::array<std::size_t, 3> points;  ///< along the reciprocal vectors
        std::vector<double> wave_vector, frequency, group_velocity;
    };
    std::optional<Grid> grid{};
    double fastest_growth = 0.0;  ///< of waves that grow, which are listed as 0 Hz [1/s]; 0: none
};

/// How many modes, as shares of all, are in intervals of frequency.
struct DensityOfStates {
    std::vector<double> edge;     ///< of equal intervals from 0 on [Hz]
    std::vector<double> density;  ///< one fewer [1/Hz]; its integral is 1
};

/// The density of all frequencies [Hz] in 8 to 120 intervals: twice the root of their number.
DensityOfStates density_of_states(std::span<const double> frequencies);

struct TransferRequest {
    /// What moves. Chains: "left" or "right", the displacement of this wall; or the number of a
    /// bead, a force on it. Packings: "wall 0", its displacement along its direction; or "12 x",
    /// "12 y", "12 z", a force on a particle.
    std::string input;
    std::vector<double> frequency;      ///< [Hz], above 0
    std::vector<std::int64_t> sensors;  ///< beads or particles
    int threads = 1;
    std::function<bool()> stop{};  ///< see Stop in interruptible.hpp
};

/// The linear response of the sensors to a harmonic input exp(i omega t) of unit amplitude.
struct Transfer {
    std::string input;              ///< as TransferRequest::input
    bool by_wall = false;           ///< unit: of the wall's displacement [m]; else of a force [N]
    std::vector<double> frequency;  ///< [Hz]
    std::vector<std::int64_t> sensors;
    std::size_t components = 1;  ///< of the responses: 1 along a chain, 3 in a packing
    // frequencies x sensors x components, per unit of the input
    std::vector<Complex> displacement;  ///< [m]
    std::vector<Complex> force;         ///< as the sensors of a run record it [N]
};

}  // namespace beadwave::modes
