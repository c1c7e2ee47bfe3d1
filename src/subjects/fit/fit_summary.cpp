#include "jobs/si_text.hpp"
#include "subjects/fit/fit_laws.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace beadwave::tasks {
namespace {

using fit::Estimate;
using fit::LawFit;
using nlohmann::ordered_json;

/// |computed - measured| / measured, as in WangReview2022 Table 6.
double peak_error(const fit::SensorMisfit& sensor) {
    return std::abs(sensor.computed.force - sensor.measured.force) / sensor.measured.force;
}

double mean_peak_error(const LawFit& law) {
    double sum = 0.0, count = 0.0;
    for (const fit::SensorMisfit& sensor : law.sensors) {
        if (!sensor.has_peak) continue;
        sum += peak_error(sensor);
        count += 1.0;
    }
    return count > 0.0 ? sum / count : std::nan("");
}

ordered_json number(double value) {
    return std::isfinite(value) ? ordered_json(value) : ordered_json(nullptr);
}

/// Two more digits than the error leaves certain.
int digits_of(double value, double error) {
    if (!(error > 0.0) || value == 0.0) return 8;
    return std::clamp(static_cast<int>(std::log10(std::abs(value) / error)) + 3, 4, 12);
}

std::string estimates_text(const LawFit& law) {
    std::string text =
        fmt::format("  {:<26}{:>16}{:>12}   {}\n", "", "best", "+-", "95 % interval");
    for (const Estimate& e : law.estimates) {
        if (!e.known) {
            text += fmt::format("  {:<26}{:>16}   {}\n", e.key, "-", e.remark);
        } else if (e.at_bound) {
            text += fmt::format("  {:<26}{:>16.8g}   {}\n", e.key, e.value, e.remark);
        } else {
            const int digits = digits_of(e.value, e.standard_error);
            text += fmt::format("  {:<26}{:>16.{}g}{:>12.2g}   {:.{}g} to {:.{}g}{}\n", e.key,
                                e.value, digits, e.standard_error, e.low, digits, e.high, digits,
                                e.remark.empty() ? "" : "; " + e.remark);
        }
    }
    return text;
}

/// The strongest few, the strongest first.
std::string correlation_text(const LawFit& law) {
    struct Pair {
        double c;
        std::size_t i, j;
    };
    std::vector<Pair> pairs;
    const std::size_t p = law.estimates.size();
    for (std::size_t i = 0; i < p; ++i) {
        for (std::size_t j = i + 1; j < p; ++j) {
            const double c = law.correlation[i * p + j];
            if (std::isfinite(c)) pairs.push_back({c, i, j});
        }
    }
    std::ranges::stable_sort(
        pairs, [](const Pair& a, const Pair& b) { return std::abs(a.c) > std::abs(b.c); });
    constexpr std::size_t few = 3;
    std::string text;
    for (std::size_t k = 0; k < std::min(few, pairs.size()); ++k) {
        text +=
            fmt::format("  {:<14}{} and {} {:+.4f}\n", k == 0 ? "correlation" : "",
                        law.estimates[pairs[k].i].key, law.estimates[pairs[k].j].key, pairs[k].c);
    }
    return text;
}

std::string profiles_text(const LawFit& law) {
    std::string text;
    for (const fit::ProfileLikelihood& profile : law.profiles) {
        text +=
            fmt::format("  profile       {}: {} to {}\n", profile.key,
                        std::isnan(profile.low) ? "open" : fmt::format("{:.8g}", profile.low),
                        std::isnan(profile.high) ? "open" : fmt::format("{:.8g}", profile.high));
    }
    return text;
}

std::string ranking_text(const std::vector<LawFit>& laws, const std::string& unit) {
    std::string text = fmt::format("{:<24}{:>12}{:>14}{:>16}{:>13}{:>10}\n", "law", "rms " + unit,
                                   "peak error", "AIC to best", "evaluations", "seconds");
    for (const LawFit& law : laws) {
        if (!law.failed.empty()) {
            text += fmt::format("{:<24}failed: {}\n", law.law, law.failed);
            continue;
        }
        text += fmt::format("{:<24}{:>12.5g}{:>12.3f} %{:>16.6g}{:>13}{:>10.2g}\n", law.law,
                            law.rms, 100.0 * mean_peak_error(law), law.aicc - laws.front().aicc,
                            law.evaluations, law.seconds);
    }
    return text + "\n";
}

ordered_json json_of(const LawFit& law, const std::string& body) {
    ordered_json parameters = ordered_json::array(), sensors = ordered_json::array(),
                 correlation = ordered_json::array(), profiles = ordered_json::array();
    const std::size_t p = law.estimates.size();
    for (std::size_t i = 0; i < p; ++i) {
        const Estimate& e = law.estimates[i];
        const bool sure = e.known && !e.at_bound;
        parameters.push_back({{"key", e.key},
                              {"value", e.known ? number(e.value) : nullptr},
                              {"standard_error", sure ? number(e.standard_error) : nullptr},
                              {"low", sure ? number(e.low) : nullptr},
                              {"high", sure ? number(e.high) : nullptr},
                              {"at_bound", e.at_bound},
                              {"start", e.start},
                              {"bounds", {e.bound_low, e.bound_high}}});
        if (!e.remark.empty()) parameters.back()["remark"] = e.remark;
        ordered_json row = ordered_json::array();
        for (std::size_t j = 0; j < p; ++j)
            row.push_back(number(law.correlation[i * p + j]));
        correlation.push_back(row);
    }
    for (const fit::SensorMisfit& s : law.sensors) {
        const auto of_peak = [&](double value) { return s.has_peak ? number(value) : nullptr; };
        sensors.push_back({{body, s.id},
                           {"rms", s.rms},
                           {"peak_force", s.computed.force},
                           {"measured_peak_force", of_peak(s.measured.force)},
                           {"peak_force_error", of_peak(peak_error(s))},
                           {"arrival_time", s.computed.time},
                           {"measured_arrival_time", of_peak(s.measured.time)},
                           {"arrival_error", of_peak(s.computed.time - s.measured.time)}});
    }
    for (const fit::ProfileLikelihood& profile : law.profiles) {
        profiles.push_back({{"key", profile.key},
                            {"low", number(profile.low)},
                            {"high", number(profile.high)},
                            {"values", profile.values},
                            {"chi_squared", profile.chi_squared}});
    }
    ordered_json object{{"name", law.law},
                        {"parameters", parameters},
                        {"correlation", correlation},
                        {"rms", law.rms},
                        {"evaluations", law.evaluations},
                        {"seconds", law.seconds},
                        {"data", law.data},
                        {"chi_squared", law.chi_squared},
                        {"chi_squared_per_dof", number(law.chi_squared_per_dof)},
                        {"p_value", number(law.p_value)},
                        {"noise", law.noise},
                        {"effective_parameters", law.effective_parameters},
                        {"effective_data", law.effective_data},
                        {"aicc", law.aicc},
                        {"lag1_autocorrelation", law.lag1_autocorrelation},
                        {"correlation_length", law.correlation_length},
                        {"block_rows", law.block_rows > 0 ? ordered_json(law.block_rows) : nullptr},
                        {"converged", law.converged},
                        {"by", law.by},
                        {"sensors", sensors},
                        {"warnings", law.warnings}};
    if (!law.profiles.empty()) object["profiles"] = profiles;
    return object;
}

}  // namespace

std::string FitResult::text() const {
    const LawFit& best = laws.front();
    std::string text = laws.size() > 1 ? ranking_text(laws, input.measured.unit) : "";
    text += fmt::format("{}\n{}", best.law, estimates_text(best));
    text += correlation_text(best);
    text += profiles_text(best);
    text += fmt::format(
        "  misfit        {:.4g} {} rms of {} traces; peaks off by {:.3g} % on average\n", best.rms,
        input.measured.unit, best.sensors.size(), 100.0 * mean_peak_error(best));
    if (std::isfinite(best.p_value)) {
        text += fmt::format("  chi2/dof      {:.4g} with the given noise; p = {:.3g}\n",
                            best.chi_squared_per_dof, best.p_value);
    }
    const fit::FitSettings& settings = input.settings;
    if (settings.loss != fit::Loss::squares)
        text += fmt::format("  loss          {}, noise {:.4g} {}\n", fit::text_of(settings.loss),
                            best.noise, input.measured.unit);
    if (best.block_rows > 0) {
        text += fmt::format(
            "  errors        robust, from blocks of {} rows; the residuals correlate over {:.3g}\n",
            best.block_rows, best.correlation_length);
    }
    if (input.body == "particle") {
        text += settings.component == fit::Component::norm
                    ? "  forces        magnitudes of the net contact forces\n"
                    : fmt::format("  forces        {} components of the net contact forces\n",
                                  fit::text_of(settings.component));
    }
    text += fmt::format("  evaluations   {}, {:.3g} s; derivatives by {}\n", best.evaluations,
                        best.seconds, best.by);
    if (!hdf5.empty()) text += fmt::format("  files         {}, {}\n", hdf5, scenario);
    for (const LawFit& law : laws) {
        constexpr double alike = 2.0;
        if (&law == &best || !law.failed.empty() || !(law.aicc - best.aicc < alike)) continue;
        text += fmt::format("\n{} fits as well: its AIC differs by less than 2\n{}", law.law,
                            estimates_text(law));
    }
    return text;
}

ordered_json FitResult::json() const {
    ordered_json fitted = ordered_json::array(), failed = ordered_json::array();
    for (const LawFit& law : laws) {
        if (law.failed.empty()) {
            fitted.push_back(json_of(law, input.body));
        } else {
            failed.push_back({{"name", law.law}, {"error", law.failed}});
        }
    }
    ordered_json object{{"laws", fitted},
                        {"failed", failed},
                        {"target", fit::text_of(input.settings.target)},
                        {"unit", input.measured.unit},
                        {"errors", input.settings.robust_errors ? "robust" : "white"},
                        {"loss", fit::text_of(input.settings.loss)},
                        {"warnings", input.measured.warnings}};
    if (input.body == "particle") object["component"] = fit::text_of(input.settings.component);
    if (!hdf5.empty()) object["files"] = {{"hdf5", hdf5}, {"scenario", scenario}};
    return object;
}

}  // namespace beadwave::tasks
