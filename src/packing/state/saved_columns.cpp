#include "packing/engine_state.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace beadwave::packing {
namespace {

void check_count(const std::string& name, std::size_t count, std::size_t expected) {
    if (count != expected)
        throw std::invalid_argument(
            fmt::format("{}: {} numbers; expected {}", name, count, expected));
}

}  // namespace

std::vector<double> SavedColumns::part(const std::string& name, std::size_t first,
                                       std::size_t count, std::size_t total) const {
    if (part_) {
        std::vector<double> numbers = part_(name, first, count, total);
        check_count(name, numbers.size(), count);
        return numbers;
    }
    const std::span<const double> all = whole_(name);
    check_count(name, all.size(), total);
    const std::span<const double> some = all.subspan(first, count);
    return {some.begin(), some.end()};
}

}  // namespace beadwave::packing
