#include "gradients/rows/chain_columns.hpp"

#include "simd/for_target.hpp"

namespace beadwave::gradients {
namespace {

std::size_t padded(std::size_t count) {
    return (count + row_block - 1) / row_block * row_block;
}

}  // namespace

bool steps_in_rows(const Steps& steps) {
    const MotionNumbers& numbers = steps.numbers();
    return steps.kernel().path != RowPath::none && steps.carried().empty() && !numbers.left_drive &&
           !numbers.right_drive && numbers.elements.driven.empty();
}

ColumnSet::ColumnSet(std::size_t count, std::size_t length) {
    for (std::size_t k = 0; k < count; ++k)
        pointers.push_back(own.emplace_back(length).data());
}

void ColumnSet::clear() {
    for (simd::Column& column : own)
        std::fill_n(column.data(), column.size(), 0.0);
}

ChainColumns::ChainColumns(const Steps& steps, const std::vector<Channel>& channels)
    : steps_(steps),
      kernel_(simd::for_target(
          simd::instruction_sets().front().target,
          [&]<simd::Target target>() { return row_kernel<target>(steps.kernel().path); })),
      beads_(steps.beads()),
      length_(padded(beads_ + 1)),
      law_(steps.numbers().law.size(), length_),
      gap_(length_),
      kick_(length_),
      body_force_(length_),
      read_(length_ / row_block + 2, 0),
      channels_(channels) {
    for (std::size_t k = 0; k < law_.own.size(); ++k) {
        std::ranges::copy(steps.numbers().law[k], law_.pointers[k]);
        chain_.numbers[k] = law_.pointers[k];
    }
    std::ranges::copy(steps.numbers().gap, gap_.data());
    std::ranges::copy(steps.kick(), kick_.data());
    for (std::size_t i = 0; i < beads_; ++i)
        body_force_[i] = steps.body_force(i);
    for (std::size_t k = 0; k < channels.size(); ++k) {
        const std::size_t i = channels[k].index;
        if (channels[k].kind == Channel::Kind::sensor_force) {
            reads_.push_back({i, k, false, 0.5});
            reads_.push_back({i + 1, k, false, 0.5});
        } else {
            reads_.push_back({i, k, channels[k].kind == Channel::Kind::velocity, 1.0});
        }
    }
    std::ranges::stable_sort(reads_, {}, &Read::index);
    for (const Read& each : reads_)
        read_[each.index / row_block] = 1;
    chain_.time_step = steps.time_step();
    chain_.law = &steps.kernel();
    chain_.law_numbers = law_.own.size();
    chain_.memory_numbers = steps.memory_numbers();
    chain_.gap = gap_.data();
    chain_.kick = kick_.data();
    chain_.body_force = body_force_.data();
    chain_.read = read_.data();
}

std::size_t ChainColumns::entries(std::size_t active) const {
    const std::size_t whole = padded(active);
    return whole >= beads_ ? length_ : whole;
}

std::span<const ChainColumns::Read> ChainColumns::reads(std::size_t begin, std::size_t end) const {
    const auto first = std::ranges::lower_bound(reads_, begin, {}, &Read::index);
    const auto last = std::ranges::lower_bound(first, reads_.end(), end, {}, &Read::index);
    return {first, last};
}

}  // namespace beadwave::gradients
