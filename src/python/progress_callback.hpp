// The interpreter's side of a run: Ctrl-C stops the run, progress is reported to a Python function,
// and other threads may hold the interpreter lock.
#pragma once

#include "beadwave/argument_error.hpp"
#include "beadwave/input_error.hpp"
#include "beadwave/running/simulation.hpp"
#include "tasks/sweep.hpp"

#include <pybind11/pybind11.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

namespace beadwave::python {

namespace py = pybind11;

/// A function that formulas of laws call has raised, in whatever thread: all work in progress stops
/// and raises this.
void law_function_raised(py::object exception);

/// Belongs to the thread that Python called; other threads of a run may call stop().
class ProgressCallback : public tasks::SweepProgressCallback {
  public:
    /// `progress`: None, or a function that is called several times per second with (steps done,
    /// all steps, seconds).
    explicit ProgressCallback(py::object progress) : progress_(std::move(progress)) {}
    ~ProgressCallback() override;

    bool stop() override;
    void warn(const std::string& warning) override { warnings_.push_back(warning); }
    void begin(std::int64_t steps, double, std::size_t) override { steps_ = steps; }
    void progress(std::int64_t step, double wall_seconds) override;
    /// Calls Python with the interpreter lock held; an exception from Python ends the run.
    template <class Call>
    void call_python(const Call& call) {
        if (thrown_) return;  // of the run that ends nobody hears any more
        const py::gil_scoped_acquire lock;
        try {
            call();
        } catch (py::error_already_set& error) {
            error_ = std::make_unique<py::error_already_set>(std::move(error));
            thrown_ = true;
        }
    }
    /// The next progress() is shown, however short the time since the last.
    void show_next() { last_progress_ = {}; }
    void checking(std::size_t, std::size_t, double) override { stop(); }
    void running(std::size_t done, std::size_t runs, double wall_seconds) override;

    const std::vector<std::string>& warnings() const { return warnings_; }

    /// Throws the exception that Python raised during the run, if any. The exception gets the note
    /// `run_state`, which says how far the run came.
    void rethrow(const std::string& run_state = {});
    /// The same, if a function of a law has raised during the work.
    void rethrow_of_laws();

  private:
    using Clock = std::chrono::steady_clock;
    bool due(Clock::time_point& last, Clock::duration interval) const;
    static std::int64_t law_errors();
    bool law_has_raised() const { return law_errors() != law_errors_before_; }

    py::object progress_;
    const std::int64_t law_errors_before_ = law_errors();
    const std::thread::id caller_ = std::this_thread::get_id();
    std::int64_t steps_ = 0;
    Clock::time_point last_signal_check_{}, last_progress_{};
    std::vector<std::string> warnings_;
    std::atomic<bool> thrown_ = false;
    std::unique_ptr<py::error_already_set> error_;
};

/// Does `work` with the interpreter lock released. Throws only InputError, running::RunError,
/// std::bad_alloc, and exceptions that Python raised during the work or in a function of it.
template <class Work>
auto unlocked(ProgressCallback& callback, const Work& work) {
    const auto released = [&] {
        const py::gil_scoped_release release;
        return work();
    };
    try {
        if constexpr (std::is_void_v<decltype(work())>) {
            released();
            callback.rethrow_of_laws();
        } else {
            auto result = released();
            callback.rethrow_of_laws();
            return result;
        }
    } catch (const InputError&) {
        callback.rethrow();
        throw;
    } catch (const ArgumentError& error) {
        callback.rethrow();
        throw InputError(error.what());
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const py::error_already_set&) {  // of a function that the work called
        throw;
    } catch (const std::exception& error) {
        callback.rethrow();
        throw running::RunError(error.what());
    }
}

/// Does work that is too short for progress and interrupts, with the interpreter lock released.
template <class Work>
auto unlocked(const Work& work) {
    ProgressCallback unused{py::none()};
    return unlocked(unused, work);
}

}  // namespace beadwave::python
