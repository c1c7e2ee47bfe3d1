// The residuals between a measurement and the sensors of a scenario, and their derivatives.
#pragma once

#include "fit/forward_model.hpp"
#include "fit/loss.hpp"
#include "fit/measurement.hpp"
#include "fit/peak_fit.hpp"
#include "observers/comparison.hpp"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace beadwave::fit {

enum class Role {
    scenario,     ///< a number of the scenario
    clock_shift,  ///< time on the clock of the measurement when the run begins [s]
    gain,         ///< reading of a sensor, less its offset, divided by the force on it
    offset        ///< reading of a sensor without a force on it [as the readings]
};

struct FreeParameter {
    std::string key;
    double low, high, start;
    Role role = Role::scenario;
    std::size_t trace = 0;  ///< of a gain or offset: the index of its trace in the measurement
};

/// The part of the measurement that is fitted. `spectra`: amplitudes, to find a start for the
/// traces.
struct Target {
    bool traces = true, peaks = false, arrivals = false, spectra = false;
};

/// What is known of a parameter without the measurement: normal, with this mean and deviation.
struct Prior {
    std::size_t parameter;  ///< its index
    double mean, deviation;
};

/// Standard deviations of the measured numbers, one per trace; each residual is divided by its own.
struct Weights {
    std::vector<double> trace;    ///< of each row of weight 1 [N]
    std::vector<double> peak;     ///< of the peak force [N]
    std::vector<double> arrival;  ///< of the arrival time [s]
    Loss loss = Loss::squares;    ///< of the residuals, which must then be in units of their noise
    std::vector<Prior> priors{};  ///< these need such residuals, too

    void multiply(double factor);
};

/// The weighted residuals: first those of the traces, then those of peaks and arrivals, then those
/// of spectra.
struct Residuals {
    std::vector<double> values;
    std::vector<std::vector<double>> columns;  ///< derivatives, one column per parameter
};

class ResidualFunction {
  public:
    /// `stop`: see FitProblem::stop. The measurement must outlive this object.
    ResidualFunction(const Measurement& measured, std::vector<FreeParameter> parameters,
                     std::function<bool()> stop);

    /// Sets the forward model, which must outlive this object. Its keys are those of the parameters
    /// with Role::scenario, in order.
    void set_forward_model(ForwardModel& forward) { forward_ = &forward; }

    /// A copy for another thread, without the last response.
    ResidualFunction copy() const;

    const std::vector<FreeParameter>& parameters() const { return parameters_; }
    const Measurement& measured() const { return measured_; }

    // The members below that take x throw as ForwardModel::at() does. The last response is kept:
    // another call at the same values makes no run.
    Residuals residuals(std::span<const double> x, const Target& target, const Weights& weights,
                        bool derivatives = true);
    /// The computed readings of the sensors at the measured times [N], one trace each.
    std::vector<std::vector<double>> computed(std::span<const double> x);
    /// The derivatives of computed(), one trace each: rows x parameters; NaN where a row is not
    /// used.
    std::vector<std::vector<double>> jacobian(std::span<const double> x);
    /// The computed peaks of the traces.
    std::vector<observers::SensorPeak> peaks(std::span<const double> x);
    /// How the derivatives were computed: "dual numbers", or "differences: <why>".
    const std::string& by() const { return response_.by; }

    /// Drops the peaks of sensors whose wave passes, in the run at x, before the measurement begins
    /// or after it ends: the largest measured force there is not the wave. Returns these sensors.
    std::vector<std::int64_t> drop_missed_peaks(std::span<const double> x);
    bool has_peak(std::size_t trace) const { return has_peak_[trace]; }
    /// Fits the measured peaks again, without spikes, and where there is noise with the width that
    /// the run at x gives. Returns the sensors whose traces have spikes.
    std::vector<std::int64_t> refine_measured_peaks(std::span<const double> x);
    const observers::SensorPeak& measured_peak(std::size_t trace) const {
        return measured_peaks_[trace];
    }
    /// The standard deviations that white noise in the rows gives the measured peak: of its force
    /// [N] and its time [s]; 0 without noise.
    const observers::SensorPeak& peak_deviation(std::size_t trace) const {
        return peak_deviations_[trace];
    }

    std::size_t count(const Target& target) const;  ///< of residuals
    bool stopped() const { return stop_ && stop_(); }

  private:
    /// The derivatives of one residual: by samples of its trace (a weighted sum), by the shift and
    /// by the gain of its trace. One that takes the gain is a reading, and takes the offset.
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
    PeakFit fitted_peak(std::size_t trace, const Window& window, bool arrival) const;
    bool left_out(std::size_t trace, double time) const;
    /// What a sensor reads at a force [N].
    struct Sensor {
        double gain, offset;
        double reading(double force) const { return gain * force + offset; }
    };
    Sensor sensor_of(std::span<const double> x, std::size_t trace) const;
    double shift_of(std::span<const double> x) const;
    void add_traces(std::span<const double> x, const Weights& weights, Residuals& result) const;
    void add_peaks(std::span<const double> x, const Target& target, const Weights& weights,
                   Residuals& result) const;
    void add_spectra(std::span<const double> x, Residuals& result) const;

    ForwardModel* forward_ = nullptr;
    const Measurement& measured_;
    std::vector<FreeParameter> parameters_;
    std::function<bool()> stop_;
    std::vector<bool> has_peak_;  ///< whether the peak and the arrival of a trace are known
    std::vector<observers::SensorPeak> measured_peaks_;
    std::vector<observers::SensorPeak> peak_deviations_;
    std::vector<double> half_width_;  ///< of the peak fits [s]; 0: three samples
    std::vector<double> hump_;        ///< half the duration of the wave's hump [s]; 0: no wave
    std::size_t varied_;              ///< number of free parameters with Role::scenario
    std::size_t sensors_ = 0;         ///< number of sensors of the scenario
    std::vector<double> asked_;
    Response response_;
};

/// Correlation of the residuals of the traces from row to row [-]. `computed`: see
/// ResidualFunction::computed().
double lag1_autocorrelation(const std::vector<std::vector<double>>& computed,
                            const Measurement& measured);

/// Norm of the residuals of the traces, divided by the norm of the traces [-].
double relative_misfit(const std::vector<std::vector<double>>& computed,
                       const Measurement& measured);

}  // namespace beadwave::fit
