// A scenario that is read for `beadwave orbit`, and where its orbits begin.
#pragma once

#include "jobs/job.hpp"
#include "jobs/read_job.hpp"
#include "subjects/chain/chain_job.hpp"
#include "subjects/orbits/orbits.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace beadwave::tasks {

/// The chain of a scenario with one of its numbers changed; no time step is chosen, because the
/// period has one of its own. Throws InputError, also for another system.
std::unique_ptr<jobs::Job> read_chain(const jobs::JobFile& file, const OrbitRequest& request,
                                      const std::vector<std::string>& settings = {});

/// Throws InputError that starts with `name` if the job is that of another system.
const jobs::ChainJob& chain_job(const jobs::Job& job, const std::string& name);

/// Throws InputError if an option of --lyapunov is given.
void refuse_lyapunov_options(const OrbitRequest& request);

/// Throws InputError if a file is to be written with this option.
void refuse_output(const OrbitRequest& request, const char* option);

/// Throws InputError if the scenario of a run is to be written, for what is no orbit.
void refuse_run_scenario(const OrbitRequest& request);

/// Throws InputError: the law of the contacts has a jump that the motion crosses.
[[noreturn]] void refuse_jump(const OrbitRequest& request);

/// The number K of --guess mode:K; none: no mode was asked for. Throws InputError.
std::optional<std::size_t> mode_of(const OrbitRequest& request, bool driven);

/// The frequency of the orbit [Hz]: as requested, otherwise that of the drive. Throws InputError.
double frequency_of(const OrbitRequest& request, const orbits::PeriodMap& map);

/// The job and the request must outlive it.
struct Prepared {
    /// `request.scenario`: what errors call the job.
    Prepared(const jobs::Job& job, const OrbitRequest& request);

    double least() const {
        return map->driven() ? 0.01 * orbits::typical_length(chain, *map) : 0.0;
    }
    orbits::Search search(const OrbitRequest& request, double frequency) const;
    /// The beads of the numbers of a state; masses inside beads have the number of the bead.
    std::vector<std::size_t> beads() const;

    const jobs::ChainJob& job;
    const chain::Chain& chain;
    std::shared_ptr<orbits::PeriodMap> map;
};

}  // namespace beadwave::tasks
