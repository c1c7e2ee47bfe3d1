// A measurement held against what a scenario's sensors read: residuals and their derivatives.
#pragma once

#include "fit/measurement.hpp"
#include "fit/motion.hpp"
#include "fit/top.hpp"
#include "observers/comparison.hpp"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace beadwave::fit {

enum class Role {
    scenario,     ///< a number of the scenario
    clock_shift,  ///< what the laboratory's clock shows when the run begins [s]
    gain          ///< what a sensor shows, per force that it feels [-]
};

struct Parameter {
    std::string key;
    double low, high, start;
    Role role = Role::scenario;
    std::size_t trace = 0;  ///< of a gain: whose, in the measurement
};

/// What of the measurement is fitted.
struct Target {
    bool traces = true, peaks = false, arrivals = false;
};

/// What each number is worth: a standard deviation.
struct Weights {
    std::vector<double> trace;    ///< of a row, a trace each [N]
    std::vector<double> peak;     ///< of its largest force [N]
    std::vector<double> arrival;  ///< [s]
};

/// Each divided by its standard deviation: first the traces', then peaks and arrivals.
struct Residuals {
    std::vector<double> values;
    std::vector<std::vector<double>> columns;  ///< derivatives, a parameter each
};

class Model {
  public:
    /// `stop` as Subject's. The measurement outlives it.
    Model(const Measurement& measured, std::vector<Parameter> parameters,
          std::function<bool()> stop);

    /// What it asks for responses from now on, which outlives it. Its keys are those of the
    /// parameters with Role::scenario, in order.
    void move_by(Motion& motion) { motion_ = &motion; }

    /// One of the same, for another thread.
    Model again() const;

    const std::vector<Parameter>& parameters() const { return parameters_; }
    const Measurement& measured() const { return measured_; }

    /// All throw as Motion::at() does; a response that was asked for last is not asked for again.
    Residuals residuals(std::span<const double> x, const Target& target, const Weights& weights,
                        bool derivatives = true);
    /// What the sensors would show at the measured times [N], a trace each.
    std::vector<std::vector<double>> computed(std::span<const double> x);
    /// The like for the tops of the traces.
    std::vector<observers::SensorPeak> peaks(std::span<const double> x);
    /// How derivatives were made: "dual numbers", or "differences: <why>".
    const std::string& by() const { return response_.by; }

    /// Takes back the tops of sensors whose wave, in the run at x, passes before the measurement
    /// begins or after it ends: what stands highest there is something else. Returns these.
    std::vector<std::int64_t> forget_missed_tops(std::span<const double> x);
    bool has_top(std::size_t trace) const { return has_top_[trace]; }
    /// Reads the measured tops through noise: of what width they are, the run at x tells.
    void read_tops(std::span<const double> x);
    const observers::SensorPeak& measured_top(std::size_t trace) const { return tops_[trace]; }

    std::size_t count(const Target& target) const;  ///< of residuals
    bool stopped() const { return stop_ && stop_(); }

  private:
    /// How one residual changes: with samples of its trace, weighted, with the shift, and with its
    /// trace's gain.
    struct Change {
        std::size_t first;
        std::span<const double> weight;
        bool takes_gain;
        double by_shift, by_gain;
    };
    void add_column_entries(std::span<const double> x, std::size_t trace, const Change& change,
                            double weight, Residuals& result) const;
    const Response& respond(std::span<const double> x, bool derivatives = true);
    /// The part of the run that was measured.
    struct Window {
        std::size_t first;
        std::span<const double> times;
    };
    Window window(std::span<const double> x) const;
    std::vector<double> force_of(std::size_t trace, const Window& window) const;
    Top top_of(std::size_t trace, const Window& window, bool arrival) const;
    double gain_of(std::span<const double> x, std::size_t trace) const;
    double shift_of(std::span<const double> x) const;
    void add_traces(std::span<const double> x, const Weights& weights, Residuals& result) const;
    void add_tops(std::span<const double> x, const Target& target, const Weights& weights,
                  Residuals& result) const;

    Motion* motion_ = nullptr;
    const Measurement& measured_;
    std::vector<Parameter> parameters_;
    std::function<bool()> stop_;
    std::vector<bool> has_top_;                ///< whether a trace's peak and arrival are known
    std::vector<observers::SensorPeak> tops_;  ///< measured
    std::vector<double> half_width_;           ///< over which tops are read [s]; 0: three samples
    std::size_t varied_;                       ///< numbers of the scenario
    std::size_t sensors_ = 0;                  ///< of the scenario
    std::vector<double> asked_;
    Response response_;
};

/// Correlation of what is left of the traces, `computed` as Model::computed(), from row to row.
double rows_correlate(const std::vector<std::vector<double>>& computed,
                      const Measurement& measured);

/// Size of what is left of the traces, as a part of theirs [-].
double left_over(const std::vector<std::vector<double>>& computed, const Measurement& measured);

}  // namespace beadwave::fit
