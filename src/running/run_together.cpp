#include "running/run_together.hpp"

#include "dynamics/chain_lanes.hpp"
#include "running/chain_system.hpp"
#include "running/diagnostics.hpp"
#include "running/step_loop.hpp"
#include "running/stepped_chain.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>

namespace beadwave::running {
namespace {

/// A chain in a lane, and the loop of its run.
class Member {
  public:
    explicit Member(const ChainRun& run)
        : run_(run),
          system_(run.chain, run.settings, run.trial.time_step,
                  make_engine(run.chain, run.settings, run.trial.time_step.step, 1)),
          loop_(system_, run.settings, run.trial.time_step, system_.standard_energy_interval(),
                callbacks_) {
        loop_.begin();
    }

    SteppedChain& system() { return system_; }
    StepLoop& loop() { return loop_; }
    bool failed() const { return failed_; }

    /// Called after the lanes have advanced.
    void end_block(std::int64_t first, const dynamics::LaneTrace& lane) {
        if (failed_) return;
        try {
            loop_.end_block(first, &lane);
        } catch (const RunError&) {
            failed_ = true;
        }
    }

    Finished finished() const {
        Finished finished{.result = system_.result(loop_.end()),
                          .trial = run_.trial,
                          .threads = system_.threads(),
                          .diagnostics = {}};
        add_diagnostics(finished, run_.chain, run_.settings);
        return finished;
    }

  private:
    const ChainRun& run_;
    const Callbacks callbacks_{};
    SteppedChain system_;
    StepLoop loop_;
    bool failed_ = false;
};

}  // namespace

std::vector<std::optional<Finished>> run_together(std::span<const ChainRun> runs,
                                                  const std::function<bool()>& stop) {
    std::vector<std::optional<Finished>> results(runs.size());
    std::vector<std::unique_ptr<Member>> members;
    std::vector<dynamics::Engine*> engines;
    for (const ChainRun& run : runs) {
        members.push_back(std::make_unique<Member>(run));
        engines.push_back(&members.back()->system().engine());
    }
    if (members.empty()) return results;
    const std::vector<std::int64_t>& sensors = runs.front().settings.sensors;
    const auto lanes = dynamics::make_chain_lanes(engines, {sensors.begin(), sensors.end()});
    if (lanes == nullptr) return results;

    const auto runs_on = [](const auto& member) { return !member->failed(); };
    for (auto lead = members.begin(); lead != members.end() && !(*lead)->loop().done();
         lead = std::ranges::find_if(members, runs_on)) {
        const std::int64_t first = (*lead)->system().step();
        const std::int64_t last = (*lead)->loop().next_stop();
        const bool in_step = std::ranges::all_of(members, [&](const auto& member) {
            return member->failed() || member->loop().next_stop() == last;
        });
        if (!in_step || stop()) return results;
        for (std::size_t i = 0; i < members.size(); ++i)
            members[i]->system().sensors().set_limits(lanes->limits(i));
        lanes->advance(last - first);
        for (std::size_t i = 0; i < members.size(); ++i)
            members[i]->end_block(first, lanes->trace(i));
    }
    for (std::size_t i = 0; i < members.size(); ++i) {
        if (!members[i]->failed()) results[i] = members[i]->finished();
    }
    return results;
}

}  // namespace beadwave::running
