// What a motion of a driven, damped chain comes to after a long time: a periodic state, whose
// period may be several of the drive's, chaos, or neither within the time it is given.
//
// The state is looked at once per period of the drive (stroboscopic). It has settled where it
// comes back to what it was one or several periods before.
#pragma once

#include "orbits/find.hpp"
#include "orbits/multipliers.hpp"
#include "orbits/period_map.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace beadwave::orbits {

struct SettleRequest {
    double frequency;                  ///< of the drive [Hz]
    double scale = 1.0;                ///< of the drive's amplitudes [1]
    std::int64_t steps;                ///< of a period, even
    std::int64_t transient = 20;       ///< periods before the state is looked at
    std::int64_t most_periods = 1000;  ///< until it must have settled
    std::size_t longest_cycle = 16;    ///< in periods of the drive
    double tolerance = 1e-6;           ///< of the return, relative to the size of the state [1]
    double least = 0.0;                ///< a state is not smaller than this for the comparison [m]
    Stop stop{};
};

struct Settled {
    State state{};             ///< at the end, at the start of a period of the drive
    std::size_t cycle = 0;     ///< its period in periods of the drive; 0: it has not settled
    std::int64_t periods = 0;  ///< until it had settled, or all
    double amplitude = 0.0;    ///< the largest displacement of a bead in the cycle after [m]
    /// Of a motion that has not settled: the rate at which neighbouring states separate during
    /// further periods, and its standard error [1/s].
    double growth = 0.0, growth_error = 0.0;
    /// Whether it crossed a jump of the law meanwhile, so that this rate is not that of the motion.
    bool crossed_jump = false;
    bool chaotic() const;
};

/// Throws std::runtime_error if the motion is not finite, or where `stop` ends it.
Settled settle(PeriodMap& map, State start, const SettleRequest& request);

/// A state that motions come to.
struct Attractor {
    std::string kind;             ///< "periodic", "chaotic" or "not settled"
    std::size_t cycle = 0;        ///< of a periodic one: its period in periods of the drive
    std::vector<State> states{};  ///< of a periodic one: at the start of each period of its cycle
    double amplitude = 0.0;       ///< its own; without a stability the largest that came to it [m]
    /// Of a periodic one. None: Newton's method does not converge near it.
    std::optional<Stability> stability{};
    std::size_t count = 0;      ///< motions that came to it
    bool crossed_jump = false;  ///< see Settled::crossed_jump, of any of them

    std::string text() const;  ///< "period 2", "chaotic"
};

/// Tells attractors of one chain and one drive apart, in the order in which they are met.
class Attractors {
  public:
    /// `drives_differ`: the motions have drives of their own: periodic ones are told apart by their
    /// cycles only.
    Attractors(PeriodMap& map, bool drives_differ) : map_(map), drives_differ_(drives_differ) {}

    /// The number of the attractor that this motion came to.
    std::size_t enter(const Settled& settled, const SettleRequest& request);
    const std::vector<Attractor>& all() const { return all_; }

  private:
    bool same(const Attractor& attractor, const Settled& settled,
              const SettleRequest& request) const;
    Attractor made(const Settled& settled, const SettleRequest& request);

    PeriodMap& map_;
    bool drives_differ_;
    std::vector<Attractor> all_;
};

}  // namespace beadwave::orbits
