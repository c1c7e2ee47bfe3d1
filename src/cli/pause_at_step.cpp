#include "cli/pause_at_step.hpp"

#include "beadwave/input_error.hpp"

#include <charconv>
#include <csignal>
#include <cstdlib>
#include <string>
#include <string_view>

namespace beadwave::cli {

PauseAtStep::PauseAtStep() {
    constexpr const char* variable = "BEADWAVE_PAUSE_AT_STEP";
    const char* const set = std::getenv(variable);
    if (set == nullptr) return;
    std::string_view left = set;
    while (true) {
        std::int64_t step = 0;
        const auto [end, error] = std::from_chars(left.data(), left.data() + left.size(), step);
        left.remove_prefix(static_cast<std::size_t>(end - left.data()));
        const bool ascends = step >= 0 && (steps_.empty() || step > steps_.back());
        if (error != std::errc{} || !ascends || (!left.empty() && left.front() != ',')) {
            throw InputError(std::string(variable) + " = \"" + set +
                             "\": must be steps in ascending order, separated by commas");
        }
        steps_.push_back(step);
        if (left.empty()) return;
        left.remove_prefix(1);
    }
}

void PauseAtStep::reached(std::int64_t step) {
    if (next_ == steps_.size() || step < steps_[next_]) return;
    while (next_ < steps_.size() && step >= steps_[next_])
        ++next_;
    std::raise(SIGSTOP);
}

}  // namespace beadwave::cli
