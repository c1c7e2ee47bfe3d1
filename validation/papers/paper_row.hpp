// A number that a paper prints, next to the same number recomputed. Tests compare them; `./dev
// papers` writes them to TABLES.md.
#pragma once

#include "table.hpp"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace beadwave::validation {

struct PaperRow {
    std::string place;  ///< "Table 3"
    std::string what;
    std::string unit;
    std::string printed;  ///< digit for digit; "<= 0.03" is a bound
    double ours = 0.0;
    double tolerance = 0.0;  ///< relative, beyond half a unit of the last printed digit
    std::string note{};      ///< what the text leaves open
    std::string why{};       ///< why the two differ; empty where they agree
    /// The number that the explanation gives. It must agree with the print.
    std::optional<double> explained{};
    bool fitted = false;       ///< the explanation has constants fitted to rows like this one
    bool unexplained = false;  ///< `why` says what was tried, or is empty
    bool by_program = true;    ///< false: arithmetic in rows.cpp, which never calls the program
};

/// The result of a row: the summary counts each once.
enum class Standing { agrees, calculated, fitted, words, unexplained };
Standing standing(const PaperRow& row);

double printed_value(const PaperRow& row);

/// Whether `value` agrees with the print, within half a unit of its last digit and the tolerance.
bool meets_print(const PaperRow& row, double value);
/// Whether ours does, and is within 5 % as well: half a unit of "0.3" is a sixth of it.
bool agrees(const PaperRow& row);

struct NotRecomputable {
    std::string place;
    std::string what;
    std::string why;
};

struct Paper {
    std::string key;
    std::vector<std::string> assumptions{};  ///< "(a) ..."; the notes of rows refer to them
    std::vector<PaperRow> rows{};
    std::vector<NotRecomputable> not_recomputable{};
};

Paper wang_liu_2022();
Paper skrinjar_2018();
Paper wang_review_2022();
Paper corral_review();
Paper poursina_2020();

/// All of them, in the order in which they are shown.
std::vector<Paper> papers();

/// The rows of validation/papers/<file>. Each is taken once, by its name. Its place, what, unit and
/// printed number are in the file; our number is in the code.
class PrintedNumbers {
  public:
    explicit PrintedNumbers(const std::string& file);
    PaperRow take(const std::string& name, double ours, std::string note = {});
    /// Throws std::logic_error if a row of the file was never taken.
    void all_taken() const;

  private:
    std::string file_;
    std::vector<Row> rows_;
    std::set<std::string> taken_;
};

/// The row with an explanation of its difference.
PaperRow differs(PaperRow row, std::string why, std::optional<double> explained = {});
/// The row with a curve that describes its print without giving its cause.
PaperRow follows(PaperRow row, std::string why, double fitted);
/// The row with a difference that nothing explains; `tried` says what was tried.
PaperRow unexplained(PaperRow row, std::string tried);
/// The row, marked as arithmetic on printed numbers or formulas alone.
PaperRow arithmetic(PaperRow row);

}  // namespace beadwave::validation
