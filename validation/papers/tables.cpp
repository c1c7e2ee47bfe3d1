#include "tables.hpp"

#include "paper_row.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace beadwave::validation {
namespace {

/// Percent of the printed number, or the plain difference where that is zero.
std::string difference(const PaperRow& row) {
    if (row.printed.starts_with("<=")) return agrees(row) ? "within" : "beyond";
    const double printed = printed_value(row), off = row.ours - printed;
    std::string text = printed == 0.0 ? fmt::format("{:+.3f}", off)
                                      : fmt::format("{:+.3f} %", 100.0 * off / std::abs(printed));
    if (text.find_first_of("123456789") == std::string::npos) text[0] = ' ';
    return text[0] == ' ' ? text.substr(1) : text;
}

std::string joined(const std::string& why, const std::string& note) {
    return why.empty() || note.empty() ? why + note : why + "; " + note;
}

std::string rows_of(const Paper& paper) {
    std::string text, place;
    for (const PaperRow& row : paper.rows) {
        if (row.place != place) {
            place = row.place;
            text += fmt::format(
                "\n### {} {}\n\n"
                "| what | unit | printed | ours | difference | why, or what the text leaves open "
                "|\n"
                "|---|---|---|---|---|---|\n",
                paper.key, place);
        }
        const char* mark = agrees(row) ? "" : "**";
        text += fmt::format("| {} | {} | {} | {:.5g} | {}{}{} | {} |\n", row.what, row.unit,
                            row.printed, row.ours, mark, difference(row), mark,
                            joined(row.why, row.note));
    }
    return text;
}

}  // namespace

std::string paper_tables() {
    const std::vector<Paper> all = papers();
    std::string text =
        "# Numbers that the papers print\n\n"
        "Written by `./dev papers`; do not edit. Each number that a paper's text prints stands "
        "beside the\n"
        "same number recomputed. The two agree when they differ by no more than half a unit of the "
        "last\n"
        "printed digit, or by what a note allows beyond it. A difference in bold is larger; the "
        "last column\n"
        "says why. The tests in this folder hold every row to this, and an explanation that gives "
        "a number\n"
        "to the number it claims to explain.\n\n"
        "| paper | numbers | agree | differ | not recomputable |\n|---|---|---|---|---|\n";
    for (const Paper& paper : all) {
        const auto agreeing = std::ranges::count_if(paper.rows, agrees);
        text += fmt::format("| {} | {} | {} | {} | {} |\n", paper.key, paper.rows.size(), agreeing,
                            static_cast<std::ptrdiff_t>(paper.rows.size()) - agreeing,
                            paper.not_recomputable.size());
    }
    for (const Paper& paper : all) {
        text += fmt::format("\n## {}\n", paper.key);
        if (!paper.assumptions.empty())
            text += "\nWhat the text leaves open, and how it is read here:\n\n";
        for (const std::string& assumption : paper.assumptions)
            text += "- " + assumption + "\n";
        text += rows_of(paper);
        if (paper.not_recomputable.empty()) continue;
        text += fmt::format("\n### {}: not recomputable\n\n| where | what | why |\n|---|---|---|\n",
                            paper.key);
        for (const NotRecomputable& item : paper.not_recomputable) {
            text += fmt::format("| {} | {} | {} |\n", item.place, item.what, item.why);
        }
    }
    return text;
}

}  // namespace beadwave::validation
