#include "python/progress_callback.hpp"

namespace beadwave::python {

namespace {

std::atomic<std::int64_t> laws_raised = 0;
std::int64_t laws_told = 0;  ///< of them, until one was raised; with the interpreter lock held

/// The first that was not told yet: it returns no number, which the next calls may stumble over.
/// Read and changed with the interpreter lock held; never destroyed, as the interpreter may be
/// gone.
py::object& first_of_laws() {
    static auto* const exception = new py::object(py::none());
    return *exception;
}

}  // namespace

void law_function_raised(py::object exception) {
    if (laws_told == laws_raised) first_of_laws() = std::move(exception);
    ++laws_raised;
}

std::int64_t ProgressCallback::law_errors() {
    return laws_raised;
}

ProgressCallback::~ProgressCallback() = default;

bool ProgressCallback::due(Clock::time_point& last, Clock::duration interval) const {
    if (thrown_ || std::this_thread::get_id() != caller_) return false;
    const Clock::time_point now = Clock::now();
    if (now - last < interval) return false;
    last = now;
    return true;
}

bool ProgressCallback::stop() {
    if (due(last_signal_check_, std::chrono::milliseconds(50))) {
        call_python([] {
            if (PyErr_CheckSignals() != 0) throw py::error_already_set();
        });
    }
    return thrown_ || law_has_raised();
}

void ProgressCallback::progress(std::int64_t step, double wall_seconds) {
    if (progress_.is_none() || !due(last_progress_, std::chrono::milliseconds(100))) return;
    call_python([&] { progress_(step, steps_, wall_seconds); });
}

void ProgressCallback::running(std::size_t done, std::size_t, double wall_seconds) {
    progress(static_cast<std::int64_t>(done), wall_seconds);
    stop();
}

void ProgressCallback::rethrow(const std::string& run_state) {
    if (!thrown_ && law_has_raised()) {
        const py::object& exception = first_of_laws();
        laws_told = laws_raised;
        PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(exception.ptr())), exception.ptr());
        error_ = std::make_unique<py::error_already_set>();
        thrown_ = true;
    }
    if (!thrown_) return;
    if (!run_state.empty() && py::hasattr(error_->value(), "add_note"))
        error_->value().attr("add_note")(run_state);
    const std::unique_ptr<py::error_already_set> error = std::move(error_);
    thrown_ = false;
    throw *error;
}

void ProgressCallback::rethrow_of_laws() {
    if (law_has_raised()) rethrow();
}

}  // namespace beadwave::python
