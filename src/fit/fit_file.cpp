#include "fit/fit_file.hpp"

#include "beadwave/input_error.hpp"
#include "io/durable/full_io.hpp"
#include "io/hdf5/hdf5.hpp"
#include "io/hdf5/hdf5_reading.hpp"
#include "io/history/format_version.hpp"
#include "io/history/h5md.hpp"
#include "jobs/keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <limits>
#include <stdexcept>

namespace beadwave::fit {
namespace {

namespace fs = std::filesystem;
namespace hdf5 = io::hdf5;
namespace h5md = io::h5md;

constexpr std::string_view scenario_head = "# The best values of a fit by beadwave";

bool is_fit(const fs::path& path) {
    try {
        const hdf5::File file = hdf5::open_to_read(path);
        return hdf5::has(file.id(), "fit/measured") && hdf5::has(file.id(), "parameters/version");
    } catch (const std::runtime_error&) {
        return false;
    }
}

bool is_fitted_scenario(const fs::path& path) {
    std::string start(scenario_head.size(), '\0');
    std::ifstream(path, std::ios::binary)
        .read(start.data(), static_cast<std::streamsize>(start.size()));
    return start == scenario_head;
}

const io::ResultKind fit_result{.name = "a fit that beadwave wrote", .is_one = is_fit};
const io::ResultKind scenario_result{.name = "a scenario that beadwave fit wrote",
                                     .is_one = is_fitted_scenario};

const io::Output& away_from(const io::Output& output, const std::vector<fs::path>& inputs) {
    for (const fs::path& input : inputs) {
        if (fs::weakly_canonical(output.path) == fs::weakly_canonical(input))
            io::refuse(output.path, "is an input of this fit; choose another name with -o");
    }
    return output;
}

/// A column of numbers, one per item.
template <class Items, class Number>
void write_column(hid_t group, const std::string& name, const Items& items, const Number& number,
                  const std::string& unit = "") {
    std::vector<double> numbers;
    for (const auto& item : items)
        numbers.push_back(number(item));
    const hdf5::Dataset data = hdf5::write_vector<double>(group, name, numbers);
    if (!unit.empty()) h5md::set_unit(data, unit);
}

/// The traces as columns of a table.
std::vector<double> by_row(const std::vector<std::vector<double>>& traces) {
    std::vector<double> numbers;
    for (std::size_t row = 0; !traces.empty() && row < traces.front().size(); ++row) {
        for (const std::vector<double>& trace : traces)
            numbers.push_back(trace[row]);
    }
    return numbers;
}

void write_measurement(hid_t group, const FitInput& input) {
    const Measurement& measured = input.measured;
    const std::size_t rows = measured.time.size(), traces = measured.traces.size();
    h5md::set_unit(hdf5::write_vector<double>(group, "time", measured.time), "s");
    std::vector<std::vector<double>> force, used;
    std::vector<std::int64_t> ids;
    for (const MeasuredTrace& trace : measured.traces) {
        ids.push_back(trace.id);
        force.push_back(trace.force);
        used.emplace_back(trace.used.begin(), trace.used.end());
    }
    hdf5::write_vector<std::int64_t>(group, "sensors", ids);
    h5md::write_table(group, "measured", {rows, traces}, by_row(force), measured.unit);
    h5md::write_table(group, "used", {rows, traces}, by_row(used), "");
    const auto weighed = [](const MeasuredTrace& trace) { return !trace.weight.empty(); };
    if (std::ranges::none_of(measured.traces, weighed)) return;
    std::vector<std::vector<double>> weight;
    for (const MeasuredTrace& trace : measured.traces)
        weight.push_back(trace.weight);
    h5md::write_table(group, "weight", {rows, traces}, by_row(weight), "");
}

void write_profiles(hid_t group, const LawFit& fit) {
    for (std::size_t i = 0; i < fit.profiles.size(); ++i) {
        const ProfileLikelihood& profile = fit.profiles[i];
        const hdf5::Group one = hdf5::create_group(group, fmt::format("profile_likelihood_{}", i));
        hdf5::set_attribute(one.id(), "key", profile.key);
        hdf5::write_vector<double>(one.id(), "value", profile.values);
        hdf5::write_vector<double>(one.id(), "chi_squared", profile.chi_squared);
        hdf5::write_scalar<double>(one.id(), "low", profile.low);
        hdf5::write_scalar<double>(one.id(), "high", profile.high);
    }
}

void write_law(hid_t group, const LawFit& fit, const std::string& unit) {
    hdf5::set_attribute(group, "law", fit.law);
    hdf5::set_attribute(group, "by", fit.by);
    const std::vector<Estimate>& all = fit.estimates;
    std::vector<std::string> keys, remarks, units;
    for (const Estimate& estimate : all) {
        keys.push_back(estimate.key);
        remarks.push_back(estimate.remark);
        units.push_back(estimate.key == "clock.shift"               ? "s"
                        : estimate.key.starts_with("sensor.offset") ? unit
                                                                    : jobs::key_unit(estimate.key));
    }
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const auto known = [&](double number, const Estimate& e) { return e.known ? number : nan; };
    const auto error = [&](double number, const Estimate& e) {
        return e.known && !e.at_bound ? number : nan;
    };
    hdf5::write_texts(group, "key", keys);
    hdf5::write_texts(group, "unit", units);
    hdf5::write_texts(group, "remark", remarks);
    write_column(group, "value", all, [&](const Estimate& e) { return known(e.value, e); });
    write_column(group, "standard_error", all,
                 [&](const Estimate& e) { return error(e.standard_error, e); });
    write_column(group, "low", all, [&](const Estimate& e) { return error(e.low, e); });
    write_column(group, "high", all, [&](const Estimate& e) { return error(e.high, e); });
    write_column(group, "start", all, [](const Estimate& e) { return e.start; });
    write_column(group, "bound_low", all, [](const Estimate& e) { return e.bound_low; });
    write_column(group, "bound_high", all, [](const Estimate& e) { return e.bound_high; });
    write_column(group, "at_bound", all, [](const Estimate& e) { return e.at_bound ? 1.0 : 0.0; });
    h5md::write_table(group, "correlation", {all.size(), all.size()}, fit.correlation, "");
    h5md::write_table(group, "computed", {fit.computed.front().size(), fit.computed.size()},
                      by_row(fit.computed), unit);
    write_column(
        group, "peak_force", fit.sensors, [](const auto& s) { return s.computed.force; }, unit);
    write_column(
        group, "arrival_time", fit.sensors, [](const auto& s) { return s.computed.time; }, "s");
    write_column(
        group, "measured_peak_force", fit.sensors,
        [&](const auto& s) { return s.has_peak ? s.measured.force : nan; }, unit);
    write_column(
        group, "measured_arrival_time", fit.sensors,
        [&](const auto& s) { return s.has_peak ? s.measured.time : nan; }, "s");
    write_column(
        group, "sensor_rms", fit.sensors, [](const auto& s) { return s.rms; }, unit);
    h5md::set_unit(hdf5::write_scalar<double>(group, "rms", fit.rms), unit);
    hdf5::write_scalar<double>(group, "chi_squared", fit.chi_squared);
    hdf5::write_scalar<double>(group, "chi_squared_per_dof", fit.chi_squared_per_dof);
    hdf5::write_scalar<double>(group, "p_value", fit.p_value);
    hdf5::write_scalar<double>(group, "noise", fit.noise);
    hdf5::write_scalar<std::int64_t>(group, "effective_parameters",
                                     static_cast<std::int64_t>(fit.effective_parameters));
    hdf5::write_scalar<double>(group, "effective_data", fit.effective_data);
    hdf5::write_scalar<double>(group, "aicc", fit.aicc);
    hdf5::write_scalar<double>(group, "lag1_autocorrelation", fit.lag1_autocorrelation);
    hdf5::write_scalar<double>(group, "correlation_length", fit.correlation_length);
    hdf5::write_scalar<std::int64_t>(group, "block_rows",
                                     static_cast<std::int64_t>(fit.block_rows));
    hdf5::write_scalar<std::int64_t>(group, "data", static_cast<std::int64_t>(fit.data));
    hdf5::write_scalar<std::int64_t>(group, "converged", fit.converged ? 1 : 0);
    hdf5::write_scalar<std::int64_t>(group, "evaluations",
                                     static_cast<std::int64_t>(fit.evaluations));
    h5md::set_unit(hdf5::write_scalar<double>(group, "seconds", fit.seconds), "s");
    if (!fit.warnings.empty()) hdf5::write_texts(group, "warnings", fit.warnings);
    hdf5::write_text(group, "scenario", fit.scenario);
    write_profiles(group, fit);
}

void write_hdf5(const fs::path& path, const FitInput& input, const std::vector<LawFit>& laws) {
    hdf5::write_file(path, 0, [&](hid_t file) {
        const hdf5::Group parameters = hdf5::create_group(file, "parameters");
        hdf5::write_text(parameters.id(), "scenario", laws.front().scenario);
        hdf5::write_text(parameters.id(), "version", BEADWAVE_VERSION);
        hdf5::write_scalar(parameters.id(), "format_version", io::format_version);
        const hdf5::Group fit = hdf5::create_group(file, "fit");
        hdf5::set_attribute(fit.id(), "file", input.measured.name);
        hdf5::set_attribute(fit.id(), "body", input.body);
        const FitSettings& settings = input.settings;
        hdf5::set_attribute(fit.id(), "target", text_of(settings.target));
        hdf5::set_attribute(fit.id(), "errors", settings.robust_errors ? "robust" : "white");
        hdf5::set_attribute(fit.id(), "loss", text_of(settings.loss));
        if (input.body == "particle")
            hdf5::set_attribute(fit.id(), "component", text_of(settings.component));
        if (!input.measured.warnings.empty())
            hdf5::write_texts(fit.id(), "warnings", input.measured.warnings);
        write_measurement(fit.id(), input);
        for (std::size_t i = 0; i < laws.size(); ++i)
            write_law(hdf5::create_group(fit.id(), fmt::format("law_{}", i)).id(), laws[i],
                      input.measured.unit);
    });
}

std::string fitted_scenario(const FitInput& input, const LawFit& fit) {
    std::string text = fmt::format("{} {} to {}:\n", scenario_head, BEADWAVE_VERSION,
                                   fs::path(input.measured.name).filename().string());
    for (const Estimate& e : fit.estimates) {
        text += e.known && !e.at_bound
                    ? fmt::format("#   {} = {:.10g} +- {:.2g}\n", e.key, e.value, e.standard_error)
                    : fmt::format("#   {} = {:.10g}: {}\n", e.key, e.value, e.remark);
    }
    return text + "\n" + fit.scenario;
}

}  // namespace

std::string text_of(const Target& target) {
    if (target.traces) return "traces";
    if (target.peaks && target.arrivals) return "peaks,arrivals";
    return target.peaks ? "peaks" : "arrivals";
}

FitFiles::FitFiles(const io::Output& hdf5, const std::vector<fs::path>& inputs)
    : hdf5_name_(hdf5.path),
      toml_name_(fs::path(hdf5.path).replace_extension(".toml")),
      hdf5_(away_from(hdf5, inputs), fit_result),
      toml_(away_from(io::Output(toml_name_, hdf5.overwrite), inputs), scenario_result) {}

void FitFiles::write(const FitInput& input, const std::vector<LawFit>& laws) {
    io::naming(hdf5_name_, [&] { write_hdf5(hdf5_.path(), input, laws); });
    toml_.write(fitted_scenario(input, laws.front()));
    io::commit_together({&hdf5_, &toml_});
}

}  // namespace beadwave::fit
