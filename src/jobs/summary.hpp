// Summaries at the end of a run: a text for people, one JSON object for scripts. What all systems
// have in common is written here; the jobs add what only their system has.
#pragma once

#include "beadwave/recording/ledger.hpp"
#include "beadwave/running/simulation.hpp"
#include "beadwave/stepping/time_step.hpp"
#include "io/tables/columns.hpp"
#include "scenario/common.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace beadwave::jobs {

/// A column per sensor, and the heading of the summary's table.
struct SensorColumn {
    io::Quantity quantity;
    double observers::SensorResult::*value;
    const char* heading;
};

/// The text, line by line.
class SummaryText {
  public:
    /// Name and value in two columns.
    void row(const std::string& name, const std::string& value) {
        text_ += fmt::format("  {:<16}{}\n", name, value);
    }
    void line(const std::string& words = "") { text_ += words + "\n"; }
    std::string take() { return std::move(text_); }

  private:
    std::string text_;
};

/// What follows the value of an entry of the ledger.
using LedgerNotes = std::vector<std::pair<double recording::Ledger::*, std::string>>;

/// The ledger, a row per entry; the parts of an entry stand behind it. `largest_error` is relative.
void ledger_rows(SummaryText& text, recording::SystemKind system, const recording::Ledger& ledger,
                 double largest_error, const LedgerNotes& notes);

/// What changes from one ledger to another, in per cent of the largest energy.
void ledger_change_rows(SummaryText& text, recording::SystemKind system,
                        const recording::Ledger& coarse, const recording::Ledger& fine);

nlohmann::ordered_json ledger_json(recording::SystemKind system, const recording::Ledger& ledger,
                                   double largest_error);

/// A momentum at the end and at the start; in a packing they are vectors.
struct Momentum {
    const char *row, *name, *unit;
    std::vector<double> now, initial;
};

/// The numbers of a run by steps that depend on the time step.
struct SteppedNumbers {
    const running::RunEnd& result;
    std::vector<Momentum> momenta;
    nlohmann::ordered_json more = nlohmann::ordered_json::object();
    std::vector<nlohmann::ordered_json> positions;  ///< of the sensors
};

/// The summary of a chain or a packing.
struct SteppedSummary {
    const scenario::Common& scenario;
    recording::SystemKind system;
    const char* body;  ///< "bead"
    std::size_t bodies;
    const std::vector<SensorColumn>& sensor_columns;
    const stepping::TimeStep& time_step;
    int threads;
    std::vector<std::string> warnings;
    std::string output;  ///< the history; empty: none
    LedgerNotes notes;
    SteppedNumbers numbers;
    std::vector<std::pair<std::string, std::string>> more_rows{};  ///< after the steps
    nlohmann::ordered_json more = nlohmann::ordered_json::object();
    struct Half {
        double time_step;  ///< [s]
        SteppedNumbers numbers;
    };
    std::optional<Half> half_step{};  ///< of --check
    std::string device{};             ///< that took the steps; empty: the threads did

    std::string text() const;
    nlohmann::ordered_json json() const;

  private:
    bool has_wave_speed() const { return system == recording::SystemKind::chain; }
    double body_steps_per_second() const;
    nlohmann::ordered_json json_of(const SteppedNumbers& numbers) const;
    void sensor_heading(SummaryText& text, bool units) const;
    void sensor_rows(SummaryText& text) const;
    void change_rows(SummaryText& text) const;
};

}  // namespace beadwave::jobs
