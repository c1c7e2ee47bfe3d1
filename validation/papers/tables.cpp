#include "tables.hpp"

#include "paper_row.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numeric>

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

std::string last_column(const PaperRow& row) {
    std::string text = row.unexplained ? "unexplained: " : row.fitted ? "fitted: " : "";
    text += row.why;
    for (const std::string& part : {row.note, std::string(row.by_program ? "" : "arithmetic")}) {
        if (!text.empty() && !part.empty()) text += "; ";
        text += part;
    }
    return text;
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
                            row.printed, row.ours, mark, difference(row), mark, last_column(row));
    }
    return text;
}

/// Number of rows with this result.
struct Count {
    std::array<std::size_t, 5> by_program{};
    std::size_t arithmetic = 0, arithmetic_agrees = 0, not_recomputable = 0;

    void add(const Paper& paper) {
        for (const PaperRow& row : paper.rows) {
            const Standing how = standing(row);
            if (row.by_program) {
                ++by_program[static_cast<std::size_t>(how)];
            } else {
                ++arithmetic;
                arithmetic_agrees += how == Standing::agrees;
            }
        }
        not_recomputable += paper.not_recomputable.size();
    }
    std::size_t operator[](Standing how) const { return by_program[static_cast<std::size_t>(how)]; }
    std::size_t all_by_program() const {
        return std::accumulate(by_program.begin(), by_program.end(), std::size_t{0});
    }
};

std::string summary_line(const std::string& name, const Count& count) {
    return fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} of {} | {} |\n", name,
                       count.all_by_program(), count[Standing::agrees], count[Standing::calculated],
                       count[Standing::fitted], count[Standing::words],
                       count[Standing::unexplained], count.arithmetic_agrees, count.arithmetic,
                       count.not_recomputable);
}

std::string summary(const std::vector<Paper>& all) {
    Count total;
    std::string lines;
    for (const Paper& paper : all) {
        Count count;
        count.add(paper);
        total.add(paper);
        lines += summary_line(paper.key, count);
    }
    return fmt::format(
               "Of {} numbers beadwave's library recomputes {}: {} agree, {} differ. Of those that "
               "differ, a\ncalculation gives the print of {}, a curve fitted to the print "
               "describes {} whose cause is unknown,\n{} have a reason in words, and {} are "
               "unexplained. The other {} are checked by arithmetic on printed\nnumbers and "
               "formulas alone; they are marked so, and {} of them agree.\n\n",
               total.all_by_program() + total.arithmetic, total.all_by_program(),
               total[Standing::agrees], total.all_by_program() - total[Standing::agrees],
               total[Standing::calculated], total[Standing::fitted], total[Standing::words],
               total[Standing::unexplained], total.arithmetic, total.arithmetic_agrees) +
           "| paper | recomputed by the program | agree | differ: calculated | fitted | in words | "
           "unexplained | arithmetic that agrees | not recomputable |\n"
           "|---|---|---|---|---|---|---|---|---|\n" +
           lines + summary_line("all", total);
}

}  // namespace

std::string paper_tables() {
    const std::vector<Paper> all = papers();
    std::string text =
        "# Numbers that the papers print\n\n`./dev papers` writes this page; do not edit it. Each "
        "number that a paper's text prints is next to\nthe same number recomputed. The two agree "
        "if they differ by no more than half a unit of the last\nprinted digit (5 % at most), or "
        "by what a note allows beyond it. A larger difference is in bold; the last\ncolumn gives "
        "the "
        "reason, if there is one. The tests in this folder check every row. If an\nexplanation "
        "gives a number, they also check that it is the number that it claims to explain.\n\n" +
        summary(all);
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
