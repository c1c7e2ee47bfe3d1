#include "ranks/exact_sum.hpp"

#include "ranks/communicator.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace beadwave::ranks {

void ExactSum::normalise() {
    for (std::size_t i = 0; i + 1 < digits; ++i) {
        limbs_[i + 1] += limbs_[i] >> 32;
        limbs_[i] &= 0xffffffff;
    }
}

double ExactSum::value() const {
    const std::int64_t* const special = limbs_.data() + digits;
    if (special[0] > 0 || (special[1] > 0 && special[2] > 0))
        return std::numeric_limits<double>::quiet_NaN();
    if (special[1] > 0) return std::numeric_limits<double>::infinity();
    if (special[2] > 0) return -std::numeric_limits<double>::infinity();

    ExactSum size = *this;
    size.normalise();
    const bool negative = size.limbs_[digits - 1] < 0;
    if (negative) {
        for (std::size_t i = 0; i < digits; ++i)
            size.limbs_[i] = -size.limbs_[i];
        size.normalise();
    }
    std::size_t top = digits;
    while (top > 0 && size.limbs_[top - 1] == 0)
        --top;
    if (top == 0) return 0.0;
    // The first 64 bits; the last bit is set if any later bit is set. This rounds as all bits
    // would.
    const auto limb = [&](std::size_t below_top) -> std::uint64_t {
        return below_top < top ? static_cast<std::uint64_t>(size.limbs_[top - 1 - below_top]) : 0;
    };
    const int free = std::countl_zero(limb(0)) - 32;
    std::uint64_t head = (limb(0) << 32 | limb(1)) << free;
    if (free > 0) head |= limb(2) >> (32 - free);
    bool more = free > 0 ? (limb(2) << free & 0xffffffff) != 0 : limb(2) != 0;
    for (std::size_t k = 3; k < top && !more; ++k)
        more = limb(k) != 0;
    const auto nearest = static_cast<double>(head | (more ? 1 : 0));
    constexpr int lowest = -1074;
    const int place = lowest + 32 * (static_cast<int>(top) - 2) - free;
    return std::ldexp(negative ? -nearest : nearest, place);
}

void add_up(Communicator* ranks, std::span<ExactSum> sums) {
    if (ranks == nullptr || ranks->alone()) return;
    std::vector<std::int64_t> numbers;
    for (ExactSum& sum : sums)
        numbers.insert(numbers.end(), sum.numbers().begin(), sum.numbers().end());
    ranks->sum(numbers);
    auto next = numbers.begin();
    for (ExactSum& sum : sums) {
        const std::span<std::int64_t> to = sum.numbers();
        std::copy_n(next, to.size(), to.begin());
        next += static_cast<std::ptrdiff_t>(to.size());
    }
}

ExactSum sum_before(Communicator* ranks, ExactSum own) {
    ExactSum before;
    if (ranks == nullptr || ranks->alone()) return before;
    const std::span<std::int64_t> numbers = own.numbers();
    const auto all = ranks->gather_numbers_to_all<std::int64_t>(numbers);
    for (int r = 0; r < ranks->rank(); ++r) {
        const auto& theirs = all[static_cast<std::size_t>(r)];
        std::ranges::copy(theirs, numbers.begin());
        before.add(own);
    }
    return before;
}

}  // namespace beadwave::ranks
