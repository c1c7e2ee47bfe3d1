// Makes the calls of several threads on one object run one after the other.
#pragma once

#include "python/progress_callback.hpp"

#include <chrono>
#include <mutex>

namespace beadwave::python {

class Turns {
  public:
    /// Does `work` with the interpreter lock released, once no other thread uses the object. Ctrl-C
    /// also ends the wait.
    template <class Work>
    auto take(ProgressCallback& callback, const Work& work) {
        return unlocked(callback, [&] {
            // By the wall clock: the thread sanitizer does not see a wait by the other one. If it
            // is set back, only Ctrl-C is noticed late.
            using Clock = std::chrono::system_clock;
            while (!in_use_.try_lock_until(Clock::now() + std::chrono::milliseconds(50))) {
                if (callback.stop()) throw running::RunError("interrupted");
            }
            const std::lock_guard lock(in_use_, std::adopt_lock);
            return work();
        });
    }
    template <class Work>
    auto take(const Work& work) {
        ProgressCallback callback{py::none()};
        return take(callback, work);
    }

  private:
    // Recursive: a signal handler in Python may call the object that it interrupts.
    std::recursive_timed_mutex in_use_;
};

}  // namespace beadwave::python
