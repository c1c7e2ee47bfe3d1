// A run as the interpreter looks on at it: Ctrl-C is answered, progress is told, and the lock is
// held by others meanwhile.
#pragma once

#include "beadwave/argument_error.hpp"
#include "beadwave/input_error.hpp"
#include "beadwave/running/simulation.hpp"
#include "tasks/sweep.hpp"

#include <pybind11/pybind11.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace beadwave::python {

namespace py = pybind11;

/// Lives in the thread that called from Python; the others of a run may ask it to stop.
class Watcher : public tasks::SweepWatcher {
  public:
    /// `progress`: None, or called now and then with (done, all, seconds).
    explicit Watcher(py::object progress) : progress_(std::move(progress)) {}
    ~Watcher() override;

    bool stop() override;
    void say(const std::string& note) override { notes_.push_back(note); }
    void begin(std::int64_t steps, double, std::size_t) override { steps_ = steps; }
    void progress(std::int64_t step, double wall_seconds) override;
    void checking(std::size_t, std::size_t, double) override { stop(); }
    void running(std::size_t done, std::size_t runs, double wall_seconds) override;

    const std::vector<std::string>& notes() const { return notes_; }

    /// Throws what Python threw while others ran, with a note of what became of the run.
    void rethrow(const std::string& note = {});

  private:
    using Clock = std::chrono::steady_clock;
    bool due(Clock::time_point& last, Clock::duration every) const;
    /// Calls into Python with the lock held; what it throws ends the run.
    template <class Call>
    void ask(const Call& call);

    py::object progress_;
    const std::thread::id caller_ = std::this_thread::get_id();
    std::int64_t steps_ = 0;
    Clock::time_point asked_{}, told_{};
    std::vector<std::string> notes_;
    std::atomic<bool> thrown_ = false;
    std::unique_ptr<py::error_already_set> error_;
};

/// Does `work` with the interpreter's lock released. Throws InputError, running::RunError and what
/// Python threw meanwhile; nothing else but std::bad_alloc.
template <class Work>
auto unlocked(Watcher& watcher, const Work& work) {
    try {
        const py::gil_scoped_release release;
        return work();
    } catch (const InputError&) {
        watcher.rethrow();
        throw;
    } catch (const ArgumentError& error) {
        throw InputError(error.what());
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception& error) {
        watcher.rethrow();
        throw running::RunError(error.what());
    }
}

/// The same of what takes too short a time to be looked at.
template <class Work>
auto unlocked(const Work& work) {
    Watcher nobody{py::none()};
    return unlocked(nobody, work);
}

}  // namespace beadwave::python
