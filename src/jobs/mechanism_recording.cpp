#include "jobs/mechanism_recording.hpp"

#include "beadwave/running/simulation.hpp"
#include "io/history/mechanism_history.hpp"
#include "jobs/checkpoints.hpp"
#include "jobs/history_room.hpp"
#include "mechanism/simulate.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <stdexcept>

namespace beadwave::jobs {
namespace {

/// Runs; what fails is a RunError, and where a person erred an InputError.
mechanism::Result simulate(const mechanism::Mechanism& mechanism, const io::ReadMechanism& read,
                           const mechanism::Sinks& sinks, const std::vector<double>* from) {
    return io::located(read.origin, [&] {
        try {
            return mechanism::simulate(mechanism, sinks, from);
        } catch (const running::RunError&) {
            throw;
        } catch (const WriteError&) {
            throw;
        } catch (const std::runtime_error& error) {
            throw running::RunError(error.what());
        }
    });
}

/// Of a checkpoint, once it is seen to be of this mechanism.
const std::vector<double>* state_of(const Request& request) {
    if (request.from == nullptr) return nullptr;
    request.from->check_model("mechanism");
    return &request.from->numbers();
}

mechanism::Result simulate_from(const io::ReadMechanism& read, const mechanism::Sinks& sinks,
                                const Request& request) {
    try {
        return simulate(read.mechanism, read, sinks, state_of(request));
    } catch (const std::length_error& error) {
        request.from->of_another_build(error.what());
    }
}

/// What a run writes.
class Record {
  public:
    Record(const io::ReadMechanism& read, const Request& request, Watcher& watcher)
        : watcher_(watcher),
          output_(request.output, request.force),
          checkpoints_(read.checkpoints, output_, request.checkpoint),
          history_(request.from == nullptr
                       ? io::MechanismHistory(output_, read)
                       : io::MechanismHistory(output_, read, request.from->history())) {
        const mechanism::Mechanism& given = read.mechanism;
        check_history_room(history_,
                           history_.bytes_of(static_cast<double>(mechanism::samples_of(given))),
                           request.force, request.output, watcher);
        // The history's samples are what counts as steps: the integrator's have no fixed length.
        const running::Attempt attempt{.time_step = {.step = given.interval,
                                                     .count = mechanism::samples_of(given),
                                                     .shortest_contact = 0.0,
                                                     .largest_speed = 0.0}};
        checkpoints_.begin(attempt, request.from == nullptr ? 0 : request.from->step());
    }

    mechanism::Sinks sinks() {
        return {.moment = {},
                .impact = [this](auto spot,
                                 const auto& impact) { history_.append_impact(spot, impact); },
                .stop =
                    [this] {
                        history_.keep_current();
                        return watcher_.stop() || history_.lost();
                    },
                .checkpoint_due = [this](auto sample) { return checkpoints_.due(sample); },
                .checkpoint =
                    [this](auto sample, const auto& state) {
                        checkpoints_.write(history_, "mechanism", sample, state);
                    }};
    }

    void append(std::int64_t sample, const mechanism::Moment& moment) {
        history_.append(sample, moment);
    }

    /// Throws RunError if the history cannot get its name.
    void finish(bool stopped) { checkpoints_.finish(history_, stopped, {}); }

    const Checkpoints& checkpoints() const { return checkpoints_; }

    std::string how_to_continue() const { return checkpoints_.how_to_continue(); }

  private:
    Watcher& watcher_;
    io::Output output_;
    Checkpoints checkpoints_;
    io::MechanismHistory history_;
};

}  // namespace

RecordedMechanism record_mechanism(const io::ReadMechanism& read, const Request& request,
                                   Watcher& watcher, MechanismMemory* memory) {
    using Clock = std::chrono::steady_clock;
    const mechanism::Mechanism& given = read.mechanism;
    std::optional<Record> record;
    mechanism::Sinks sinks;
    if (request.output.empty()) {
        sinks.stop = [&] { return watcher.stop(); };
    } else {
        if (request.from != nullptr) request.from->check_model("mechanism");
        record.emplace(read, request, watcher);
        sinks = record->sinks();
    }
    const std::int64_t samples = mechanism::samples_of(given);
    watcher.begin(samples, given.interval, given.bodies.size());
    const auto start = Clock::now();
    const auto seconds = [&] {
        return std::chrono::duration<double>(Clock::now() - start).count();
    };
    std::int64_t sample = request.from == nullptr ? 0 : request.from->step() + 1;
    sinks.moment = [&](const mechanism::Moment& moment) {
        if (record) record->append(sample, moment);
        if (memory != nullptr) memory->add(sample, moment);
        watcher.progress(sample++, seconds());
    };
    const auto simulated = [&] { return simulate_from(read, sinks, request); };
    RecordedMechanism recorded{
        .result = record ? record->checkpoints().guarded(simulated) : simulated(),
        .wall_seconds = seconds(),
        .how_to_continue = {}};
    if (memory != nullptr) memory->finish(recorded.result.spots);
    if (!record) return recorded;
    record->finish(recorded.result.last.time < given.end);
    recorded.how_to_continue = record->how_to_continue();
    return recorded;
}

Stricter run_stricter(const io::ReadMechanism& read, Watcher& watcher) {
    constexpr double strictest = 1e-13;
    mechanism::Mechanism stricter = read.mechanism;
    if (stricter.accuracy <= strictest) {
        read.origin.fail("integrator.accuracy",
                         "is the strictest that there is: --check has nothing to hold it against");
    }
    stricter.accuracy = std::max(strictest, 1e-2 * stricter.accuracy);
    bool stopped = false;
    mechanism::Sinks sinks;
    sinks.stop = [&] { return stopped = watcher.stop(); };
    mechanism::Result result = simulate(stricter, read, sinks, nullptr);
    if (stopped) throw running::RunError("interrupted in the run with a stricter accuracy");
    return {.accuracy = stricter.accuracy, .result = std::move(result)};
}

}  // namespace beadwave::jobs
