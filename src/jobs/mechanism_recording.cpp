#include "jobs/mechanism_recording.hpp"

#include "beadwave/running/simulation.hpp"
#include "io/history/mechanism_history.hpp"
#include "jobs/checkpoints.hpp"
#include "jobs/history_disk_space.hpp"
#include "mechanism/simulate.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <stdexcept>

namespace beadwave::jobs {
namespace {

/// Runs. A failure of the run is a RunError, an error in the scenario an InputError.
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

/// The state in the checkpoint of the request, if it has one. Throws if the checkpoint is not of a
/// mechanism.
const std::vector<double>* state_of(const RunRequest& request) {
    if (request.from == nullptr) return nullptr;
    request.from->check_system("mechanism");
    return &request.from->numbers();
}

mechanism::Result simulate_from(const io::ReadMechanism& read, const mechanism::Sinks& sinks,
                                const RunRequest& request) {
    try {
        return simulate(read.mechanism, read, sinks, state_of(request));
    } catch (const std::length_error& error) {
        request.from->refuse_other_build(error.what());
    }
}

/// Writes the history and the checkpoints of a run.
class Recorder {
  public:
    Recorder(const io::ReadMechanism& read, const RunRequest& request, ProgressCallback& callback)
        : callback_(callback),
          output_(request.output, request.overwrite, request.ignore_disk_space),
          checkpoints_(read.checkpoints, output_, request.checkpoint),
          history_(request.from == nullptr
                       ? io::MechanismHistory(output_, read)
                       : io::MechanismHistory(output_, read, request.from->history())) {
        const mechanism::Mechanism& given = read.mechanism;
        check_history_disk_space(
            history_, history_.bytes_of(static_cast<double>(mechanism::samples_of(given))), output_,
            callback);
        // Samples of the history count as steps: the steps of the integrator have no fixed length.
        const running::StepTrial trial{.time_step = {.step = given.interval,
                                                     .count = mechanism::samples_of(given),
                                                     .shortest_contact = 0.0,
                                                     .largest_speed = 0.0}};
        checkpoints_.begin(trial, request.from == nullptr ? 0 : request.from->step());
    }

    mechanism::Sinks sinks() {
        return {.sample = {},
                .impact = [this](auto point,
                                 const auto& impact) { history_.append_impact(point, impact); },
                .stop =
                    [this] {
                        history_.flush_if_due();
                        return callback_.stop() || history_.lost();
                    },
                .checkpoint_due = [this](auto number) { return checkpoints_.due(number); },
                .checkpoint =
                    [this](auto number, const auto& state) {
                        checkpoints_.write(history_, "mechanism", number, state);
                    }};
    }

    void append(std::int64_t number, const mechanism::Sample& sample) {
        history_.append(number, sample);
    }

    /// Throws RunError if the history cannot be renamed to its final name.
    void finish(bool stopped) { checkpoints_.finish(history_, stopped, {}); }

    const Checkpoints& checkpoints() const { return checkpoints_; }

    std::string how_to_continue() const { return checkpoints_.how_to_continue(); }

  private:
    ProgressCallback& callback_;
    io::Output output_;
    Checkpoints checkpoints_;
    io::MechanismHistory history_;
};

}  // namespace

RecordedMechanism record_mechanism(const io::ReadMechanism& read, const RunRequest& request,
                                   ProgressCallback& callback, MechanismMemory* memory) {
    using Clock = std::chrono::steady_clock;
    const mechanism::Mechanism& given = read.mechanism;
    std::optional<Recorder> recorder;
    mechanism::Sinks sinks;
    if (request.output.empty()) {
        sinks.stop = [&] { return callback.stop(); };
    } else {
        if (request.from != nullptr) request.from->check_system("mechanism");
        recorder.emplace(read, request, callback);
        sinks = recorder->sinks();
    }
    const std::int64_t samples = mechanism::samples_of(given);
    callback.begin(samples, given.interval, given.bodies.size());
    const auto start = Clock::now();
    const auto seconds = [&] {
        return std::chrono::duration<double>(Clock::now() - start).count();
    };
    std::int64_t number = request.from == nullptr ? 0 : request.from->step() + 1;
    sinks.sample = [&](const mechanism::Sample& sample) {
        if (recorder) recorder->append(number, sample);
        if (memory != nullptr) memory->add(number, sample);
        callback.progress(number++, seconds());
    };
    const auto simulated = [&] { return simulate_from(read, sinks, request); };
    RecordedMechanism recorded{
        .result = recorder ? recorder->checkpoints().guarded(simulated) : simulated(),
        .wall_seconds = seconds(),
        .how_to_continue = {}};
    if (memory != nullptr) memory->finish(recorded.result.contact_points);
    if (!recorder) return recorded;
    recorder->finish(recorded.result.last.time < given.end);
    recorded.how_to_continue = recorder->how_to_continue();
    return recorded;
}

Stricter run_stricter(const io::ReadMechanism& read, ProgressCallback& callback) {
    constexpr double strictest = 1e-13;
    mechanism::Mechanism stricter = read.mechanism;
    if (stricter.accuracy <= strictest) {
        read.origin.fail(
            "integrator.accuracy",
            "is the strictest accuracy: --check cannot compare it with a stricter one");
    }
    stricter.accuracy = std::max(strictest, 1e-2 * stricter.accuracy);
    bool stopped = false;
    mechanism::Sinks sinks;
    sinks.stop = [&] { return stopped = callback.stop(); };
    mechanism::Result result = simulate(stricter, read, sinks, nullptr);
    if (stopped) throw running::RunError("interrupted in the run with a stricter accuracy");
    return {.accuracy = stricter.accuracy, .result = std::move(result)};
}

}  // namespace beadwave::jobs
