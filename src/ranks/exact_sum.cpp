#include "ranks/exact_sum.hpp"

#include "ranks/communicator.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <vector>

namespace beadwave::ranks {

void ExactSum::normalise() {
    constexpr std::int64_t limit = std::int64_t{1} << 32;
    for (std::size_t i = used_begin_; i + 1 < digits; ++i) {
        // The last limb has the sign.
        if (i + 1 >= used_end_ && std::abs(limbs_[i]) < limit) break;
        limbs_[i + 1] += limbs_[i] >> 32;
        limbs_[i] &= limit - 1;
        used_end_ = std::max(used_end_, i + 2);
    }
}

double ExactSum::value() const {
    const std::int64_t* const special = limbs_.data() + digits;
    if (special[0] > 0 || (special[1] > 0 && special[2] > 0))
        return std::numeric_limits<double>::quiet_NaN();
    if (special[1] > 0) return std::numeric_limits<double>::infinity();
    if (special[2] > 0) return -std::numeric_limits<double>::infinity();

    // The size, in limbs from that of 2^(32 used_begin_) on, and the sign.
    constexpr std::int64_t limb_bits = 0xffffffff;
    std::array<std::uint64_t, digits + 2> size;
    std::size_t top = 0;
    std::int64_t carry = 0;
    const auto append = [&](std::int64_t limb) {
        size[top++] = static_cast<std::uint64_t>(limb & limb_bits);
        carry = limb >> 32;
    };
    for (std::size_t i = used_begin_; i < used_end_; ++i)
        append(limbs_[i] + carry);
    while (carry != 0 && carry != -1)
        append(carry);
    const bool negative = carry == -1;
    if (negative) {
        std::uint64_t one = 1;
        for (std::size_t i = 0; i < top; ++i) {
            size[i] = (size[i] ^ limb_bits) + one;
            one = size[i] >> 32;
            size[i] &= limb_bits;
        }
        if (one != 0) size[top++] = one;
    }
    while (top > 0 && size[top - 1] == 0)
        --top;
    if (top == 0) return 0.0;
    // The first 64 bits; the last bit is set if any later bit is set. This rounds as all bits
    // would.
    const auto limb = [&](std::size_t below_top) -> std::uint64_t {
        return below_top < top ? size[top - 1 - below_top] : 0;
    };
    const int free = std::countl_zero(limb(0)) - 32;
    std::uint64_t head = (limb(0) << 32 | limb(1)) << free;
    if (free > 0) head |= limb(2) >> (32 - free);
    bool more = free > 0 ? (limb(2) << free & limb_bits) != 0 : limb(2) != 0;
    for (std::size_t k = 3; k < top && !more; ++k)
        more = limb(k) != 0;
    const auto nearest = static_cast<double>(head | (more ? 1 : 0));
    constexpr int lowest = -1074;
    const int place = lowest + 32 * (static_cast<int>(used_begin_ + top) - 2) - free;
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

void RepeatedSums::add_up(Communicator* ranks, std::span<ExactSum> sums) {
    if (ranks == nullptr || ranks->alone()) return;
    ExactSum::Limbs used;
    bool fits = true;
    for (ExactSum& sum : sums) {
        sum.normalise();
        used = {std::min(used.begin, sum.used().begin), std::max(used.end, sum.used().end)};
        fits = fits && sum.is_finite();
    }
    fits = fits && (used.end == 0 || sent_.contains(used));
    std::vector<std::int64_t> numbers{fits ? 0 : 1};
    numbers.resize(1 + (sent_.end == 0 ? 0 : sent_.size()) * sums.size());
    auto next = numbers.begin() + 1;
    const auto each_part = [&](const auto& copy) {
        next = numbers.begin() + 1;
        for (ExactSum& sum : sums) {
            if (next == numbers.end()) return;
            copy(sum.numbers(sent_));
            next += static_cast<std::ptrdiff_t>(sent_.size());
        }
    };
    if (fits) each_part([&](std::span<std::int64_t> part) { std::ranges::copy(part, next); });
    ranks->sum(numbers);
    if (numbers.front() == 0) {
        each_part(
            [&](std::span<std::int64_t> part) { std::copy_n(next, part.size(), part.begin()); });
        return;
    }
    // On some rank they need more: all numbers, and from now on also those that it needs.
    std::array<double, 2> most{-static_cast<double>(used.begin), static_cast<double>(used.end)};
    ranks->largest(most);
    ranks::add_up(ranks, sums);
    const auto begin = static_cast<std::size_t>(-most[0]), end = static_cast<std::size_t>(most[1]);
    if (begin >= end) return;
    sent_ = {std::min(sent_.begin, begin - std::min<std::size_t>(begin, 1)),
             std::max(sent_.end, std::min(end + 1, ExactSum::digits))};
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
