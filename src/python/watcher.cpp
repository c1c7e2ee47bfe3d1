#include "python/watcher.hpp"

namespace beadwave::python {

Watcher::~Watcher() = default;

bool Watcher::due(Clock::time_point& last, Clock::duration every) const {
    if (thrown_ || std::this_thread::get_id() != caller_) return false;
    const Clock::time_point now = Clock::now();
    if (now - last < every) return false;
    last = now;
    return true;
}

template <class Call>
void Watcher::ask(const Call& call) {
    const py::gil_scoped_acquire lock;
    try {
        call();
    } catch (py::error_already_set& error) {
        error_ = std::make_unique<py::error_already_set>(std::move(error));
        thrown_ = true;
    }
}

bool Watcher::stop() {
    if (due(asked_, std::chrono::milliseconds(50))) {
        ask([] {
            if (PyErr_CheckSignals() != 0) throw py::error_already_set();
        });
    }
    return thrown_;
}

void Watcher::progress(std::int64_t step, double wall_seconds) {
    if (progress_.is_none() || !due(told_, std::chrono::milliseconds(100))) return;
    ask([&] { progress_(step, steps_, wall_seconds); });
}

void Watcher::running(std::size_t done, std::size_t, double wall_seconds) {
    progress(static_cast<std::int64_t>(done), wall_seconds);
    stop();
}

void Watcher::rethrow(const std::string& note) {
    if (!thrown_) return;
    if (!note.empty() && py::hasattr(error_->value(), "add_note"))
        error_->value().attr("add_note")(note);
    const std::unique_ptr<py::error_already_set> error = std::move(error_);
    thrown_ = false;
    throw *error;
}

}  // namespace beadwave::python
