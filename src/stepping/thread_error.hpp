// An exception must not leave an OpenMP region: the program would be aborted.
#pragma once

#include <atomic>
#include <exception>

namespace beadwave::stepping {

/// Keeps the first exception of the threads of a region until its end.
class ThreadError {
  public:
    /// Does `work` unless a thread has failed before.
    template <class Work>
    void guard(const Work& work) noexcept {
        if (failed_.load(std::memory_order_relaxed)) return;
        try {
            work();
        } catch (...) {
            if (!failed_.exchange(true)) error_ = std::current_exception();
        }
    }
    bool failed() const { return failed_.load(std::memory_order_relaxed); }
    /// Throws the error again, after the region.
    void rethrow() const {
        if (error_) std::rethrow_exception(error_);
    }

  private:
    std::atomic<bool> failed_ = false;
    std::exception_ptr error_;
};

}  // namespace beadwave::stepping
