// The task of `beadwave orbit`: periodic orbits of a chain.
#pragma once

#include "jobs/job.hpp"
#include "jobs/read_job.hpp"
#include "orbits/branch.hpp"
#include "orbits/lyapunov.hpp"
#include "orbits/orbit.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace beadwave::tasks {

/// The settings of --lyapunov; 0: chosen by the program.
struct LyapunovOptions {
    bool wanted = false;
    std::uint64_t exponents = 0;              ///< how many, the largest; 0: 4
    std::uint64_t starts = 0;                 ///< 0: 16 that random numbers change, or one
    std::optional<std::int64_t> transient{};  ///< periods before; none: 100
    std::uint64_t seed = 0;                   ///< of random numbers
};

/// The settings of --basins; without axes there are no basins.
struct BasinOptions {
    std::vector<std::string> axes{};              ///< "displacement=FROM:TO", one or two
    std::string grid{};                           ///< "N" or "N,M" points along them; empty: 24
    std::optional<std::uint64_t> bead{}, mode{};  ///< that starts displaced; none: the middle bead
    int threads = 0;                              ///< 0: all
};

/// The settings of --poincare.
struct SectionOptions {
    bool wanted = false;
    std::optional<std::uint64_t> bead{};      ///< whose points are shown; none: the middle one
    std::optional<std::uint64_t> crossing{};  ///< whose velocity passes zero; none: the next one
};

struct OrbitRequest {
    std::string scenario{};
    std::vector<std::string> overrides{};
    std::optional<double> frequency{};  ///< [Hz]; none: that of the drive
    std::string guess{};                ///< "mode:K", "history:FILE", "zero"; empty: chosen
    std::uint64_t which = 1;            ///< of several orbits of this frequency
    std::uint64_t travelling = 0;       ///< a wave: beads by which it is further on after a period
    std::int64_t steps = 0;             ///< of a period; 0: as many as the accuracy needs
    double accuracy = 0.0;              ///< see orbits::Accuracy; 0: 1e-9, of short chains 1e-11
    /// Of the drive, after which an orbit repeats (0: 1); of an exponent's start (0: 6400 in all).
    std::uint64_t periods = 0;
    std::string solver{};        ///< "matrix", "krylov"; empty: by the size of the chain
    std::string continuation{};  ///< "KEY=FROM:TO"
    /// The branch that leaves at this bifurcation, from 1; below zero: in the opposite direction;
    /// 0: the branch itself.
    std::int64_t switch_at = 0;
    std::uint64_t most_points = 0;        ///< of a branch; 0: 1000
    std::optional<orbits::State> near{};  ///< in place of a guess, at the start of a period
    LyapunovOptions lyapunov{};
    std::string run_scenario{};  ///< of a run that starts at the orbit; empty: none is written
    std::string output{};        ///< ORBIT.h5 or BRANCH.h5; empty: no file is written
    bool overwrite = false;      ///< replace a file of another kind, and start a branch anew
    orbits::Stop stop{};
    /// Called after each point of a branch.
    std::function<void(const orbits::BranchPoint& point, std::size_t points)> reached{};
    BasinOptions basins{};
    SectionOptions section{};
    /// Called about ten times per second with the finished motions of basins, in this thread.
    std::function<void(std::size_t done)> running{};
};

struct Prepared;

struct OrbitResult {
    orbits::Orbit orbit;
    std::size_t cell = 0;             ///< of a wave that travels: beads of a cell; 0: an orbit
    std::size_t periods = 1;          ///< of the drive, after which the orbit repeats
    double speed = 0.0;               ///< of the wave [m/s]
    std::vector<std::size_t> bead{};  ///< of each number of the state; masses inside beads follow
    std::vector<std::string> warnings{};
    std::string file{};  ///< empty: none was written
    std::string scenario_text{};
    std::shared_ptr<const jobs::Job> job{};  ///< null: that of the caller
    std::shared_ptr<Prepared> prepared{};

    std::string text() const;
    nlohmann::ordered_json json() const;
};

struct BranchResult {
    std::string key;
    orbits::Branch branch;
    std::int64_t steps = 0;                     ///< of a period of the orbits
    std::size_t periods = 1;                    ///< of the drive, after which the orbits repeat
    std::optional<orbits::Bifurcation> left{};  ///< where the branch leaves another one
    std::vector<std::string> warnings{};
    std::vector<std::size_t> bead{};  ///< as OrbitResult::bead
    std::vector<double> radius{};     ///< of all beads [m]
    std::size_t resumed = 0;          ///< points of an earlier, stopped continuation
    std::string file{};               ///< empty: none was written
    /// With a file: displacements of all beads at `samples` equal times of the period, orbit after
    /// orbit [m].
    std::vector<double> motion{};
    std::size_t samples = 0;

    std::size_t most_multipliers() const;  ///< of an orbit
    std::string text() const;
    nlohmann::ordered_json json() const;
};

struct LyapunovResult {
    double frequency = 0.0;  ///< [Hz]
    orbits::LyapunovRequest request;
    orbits::Lyapunov found{};
    std::vector<std::string> warnings{};

    std::string text() const;
    nlohmann::ordered_json json() const;
};

// All throw InputError, std::runtime_error.

/// Checks that the file can be written, if there is one.
OrbitResult orbit_of(const OrbitRequest& request);
/// Writes the file, if there is one.
void write_orbit(const OrbitResult& result, const OrbitRequest& request);
/// Needs a continuation: "frequency", or the key of a number of the scenario.
BranchResult branch_of(const OrbitRequest& request);
LyapunovResult lyapunov_of(const OrbitRequest& request);

// These take a scenario that has been read, which errors call `request.scenario`; it must outlive
// the result.
OrbitResult orbit_of(const jobs::Job& job, const OrbitRequest& request);
BranchResult branch_of(const jobs::JobFile& file, const OrbitRequest& request);
BranchResult branch_of(const jobs::Job& job, const OrbitRequest& request);  ///< by frequency only
LyapunovResult lyapunov_of(const jobs::Job& job, const OrbitRequest& request);

}  // namespace beadwave::tasks
