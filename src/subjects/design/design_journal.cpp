#include "subjects/design/design_journal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

namespace beadwave::tasks {
namespace {

constexpr io::Journal::Kind journal_kind{
    .name = "design",
    .holds = "evaluations of a design",
    .others =
        "evaluations of another unfinished design, with another scenario, other variables or "
        "another version"};

std::string row_of(const Evaluation& evaluation) {
    std::string row;
    for (const double x : evaluation.x)
        row += fmt::format("{},", x);
    row += fmt::format("{}", evaluation.value);
    for (const double slope : evaluation.gradient)
        row += fmt::format(",{}", slope);
    for (const double value : evaluation.runs)
        row += fmt::format(",{}", value);
    return row + '\n';
}

std::optional<Evaluation> evaluation_in(std::string_view row, std::size_t unknowns,
                                        std::size_t runs) {
    const std::size_t count = 2 * unknowns + 1 + runs;
    std::vector<double> numbers;
    for (const char* at = row.data(); numbers.size() < count;) {
        double number = 0.0;
        const char* const end = row.data() + row.size();
        const auto [stop, error] = std::from_chars(at, end, number);
        if (error != std::errc{}) return std::nullopt;
        numbers.push_back(number);
        const bool last = numbers.size() == count;
        if (last ? stop != end : (stop == end || *stop != ',')) return std::nullopt;
        at = stop + 1;
    }
    const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(unknowns);
    const auto slopes_end = middle + 1 + static_cast<std::ptrdiff_t>(unknowns);
    return Evaluation{.x = {numbers.begin(), middle},
                      .value = *middle,
                      .gradient = {middle + 1, slopes_end},
                      .runs = {slopes_end, numbers.end()}};
}

}  // namespace

DesignJournal::DesignJournal(const io::Output& hdf5, std::size_t unknowns, std::size_t runs,
                             std::uint64_t design)
    : rows_(hdf5, journal_kind, BEADWAVE_VERSION, design,
            [this, unknowns, runs](const std::string& row, std::int64_t end) {
                auto evaluation = evaluation_in(row, unknowns, runs);
                if (!evaluation) return false;
                found_.push_back(*std::move(evaluation));
                ends_.push_back(end);
                return true;
            }) {}

std::optional<Evaluation> DesignJournal::take(std::span<const double> x) {
    if (left() == 0) return std::nullopt;
    if (std::ranges::equal(found_[taken_].x, x)) return found_[taken_++];
    rows_.keep(taken_ == 0 ? 0 : ends_[taken_ - 1]);
    found_.resize(taken_);
    return std::nullopt;
}

void DesignJournal::add(const Evaluation& evaluation) {
    if (write_error().empty()) rows_.put(row_of(evaluation));
}

}  // namespace beadwave::tasks
