#include "paper_row.hpp"

#include <cmath>
#include <stdexcept>

namespace beadwave::validation {
namespace {

constexpr std::string_view bound = "<= ";

bool is_bound(const PaperRow& row) {
    return row.printed.starts_with(bound);
}

std::string digits_of(const PaperRow& row) {
    return is_bound(row) ? row.printed.substr(bound.size()) : row.printed;
}

/// Half a unit of the last digit: 0.005 for "0.49", 0.5 for "5.2235e4".
double half_unit(const std::string& digits) {
    const std::size_t e = digits.find('e');
    const std::string mantissa = digits.substr(0, e);
    const std::size_t point = mantissa.find('.');
    const int decimals =
        point == std::string::npos ? 0 : static_cast<int>(mantissa.size() - point) - 1;
    const int exponent = e == std::string::npos ? 0 : std::stoi(digits.substr(e + 1));
    return 0.5 * std::pow(10.0, exponent - decimals);
}

}  // namespace

Standing standing(const PaperRow& row) {
    if (agrees(row)) return Standing::agrees;
    if (row.unexplained) return Standing::unexplained;
    if (row.fitted) return Standing::fitted;
    return row.explained ? Standing::calculated : Standing::words;
}

double printed_value(const PaperRow& row) {
    return std::stod(digits_of(row));
}

bool meets_print(const PaperRow& row, double value) {
    const double printed = printed_value(row);
    const double allowed =
        (is_bound(row) ? 0.0 : half_unit(digits_of(row))) + row.tolerance * std::abs(printed);
    // 1e-12: a number that ends in 5 is rounded either way.
    const double off = value - printed, room = allowed + 1e-12 * std::abs(printed);
    return is_bound(row) ? off <= room : std::abs(off) <= room;
}

bool agrees(const PaperRow& row) {
    constexpr double widest = 0.05;
    const double printed = printed_value(row);
    const bool near = printed == 0.0 || is_bound(row) ||
                      std::abs(row.ours - printed) <= (widest + row.tolerance) * std::abs(printed);
    return near && meets_print(row, row.ours);
}

std::vector<Paper> papers() {
    return {skrinjar_2018(), corral_review(), wang_review_2022(), wang_liu_2022(), poursina_2020()};
}

PrintedNumbers::PrintedNumbers(const std::string& file)
    : file_(file), rows_(table("papers/" + file)) {}

PaperRow PrintedNumbers::take(const std::string& name, double ours, std::string note) {
    for (const Row& row : rows_) {
        if (row.at("name") != name) continue;
        if (!taken_.insert(name).second)
            throw std::logic_error(file_ + ": " + name + " is taken twice");
        return {.place = row.at("place"),
                .what = row.at("what"),
                .unit = row.at("unit"),
                .printed = row.at("printed"),
                .ours = ours,
                .note = std::move(note)};
    }
    throw std::logic_error(file_ + ": no row " + name);
}

void PrintedNumbers::all_taken() const {
    for (const Row& row : rows_) {
        if (!taken_.contains(row.at("name")))
            throw std::logic_error(file_ + ": " + row.at("name") + " is not taken");
    }
}

PaperRow differs(PaperRow row, std::string why, std::optional<double> explained) {
    row.why = std::move(why);
    row.explained = explained;
    return row;
}

PaperRow follows(PaperRow row, std::string why, double fitted) {
    row = differs(std::move(row), std::move(why), fitted);
    row.fitted = true;
    return row;
}

PaperRow unexplained(PaperRow row, std::string tried) {
    row.why = std::move(tried);
    row.unexplained = true;
    return row;
}

PaperRow arithmetic(PaperRow row) {
    row.by_program = false;
    return row;
}

}  // namespace beadwave::validation
