#include "gradients/rows/row_kernel.hpp"

#include <algorithm>

namespace beadwave::gradients {

void LoadingLog::clear(std::size_t contacts, std::size_t steps, std::size_t memory_numbers) {
    const std::size_t lists = (contacts + least_lanes - 1) / least_lanes;
    if (steps > capacity_ || lists != count_.size()) {
        capacity_ = steps;
        numbers_ = memory_numbers;
        steps_.reset(new std::int32_t[lists * capacity_]);
        memory_.reset(new double[contacts * capacity_ * numbers_]);
    }
    count_.assign(lists, 0);
}

void LoadingLog::keep(double* const* memory, std::size_t contact, std::size_t lanes,
                      std::int32_t step) {
    const std::size_t list = contact / least_lanes, at = count_[list]++;
    steps_[list * capacity_ + at] = step;
    double* to = memory_.get() + contact * capacity_ * numbers_ + at * lanes * numbers_;
    for (std::size_t k = 0; k < numbers_; ++k, to += lanes)
        std::copy_n(memory[k] + contact, lanes, to);
}

void LoadingLog::take(double* const* memory, std::size_t contact, std::size_t lanes) {
    const std::size_t list = contact / least_lanes, at = --count_[list];
    const double* from = memory_.get() + contact * capacity_ * numbers_ + at * lanes * numbers_;
    for (std::size_t k = 0; k < numbers_; ++k, from += lanes)
        std::copy_n(from, lanes, memory[k] + contact);
}

}  // namespace beadwave::gradients
