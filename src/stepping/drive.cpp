#include "beadwave/stepping/drive.hpp"

#include "base/csv_rows.hpp"
#include "base/smooth_curve.hpp"
#include "beadwave/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <sstream>
#include <utility>
#include <vector>

namespace beadwave::stepping {
namespace {

struct Rows {
    std::vector<double> time, displacement;
};

Rows read_rows(const std::string& csv, const std::string& name) {
    enum : std::size_t { time_column, displacement_column };
    std::istringstream stream(csv);
    stream.exceptions(std::ios::badbit);  // missing memory is no end of the text
    CsvRows cells(stream, name, {"time_s", "displacement_m"}, OtherColumns::refused);
    Rows rows;
    while (cells.next()) {
        const double time = cells.needed_number(time_column);
        const double displacement = cells.needed_number(displacement_column);
        if (rows.time.empty() && time != 0.0)
            cells.fail(fmt::format("time_s starts at {:g}; expected 0", time));
        if (rows.time.empty() && displacement != 0.0) {
            cells.fail(
                fmt::format("displacement_m starts at {:g}; expected 0: it counts from the wall's "
                            "initial position",
                            displacement));
        }
        if (!rows.time.empty() && !(time > rows.time.back())) {
            cells.fail(fmt::format("time_s is {:g} after {:g}; expected rising times", time,
                                   rows.time.back()));
        }
        rows.time.push_back(time);
        rows.displacement.push_back(displacement);
    }
    return rows;
}

}  // namespace

struct Drive::Table {
    SmoothCurve curve;
};

/// Times, velocities, and the displacement at each time.
struct Drive::Ramps {
    std::vector<double> time, velocity, displacement;

    /// The last row that is not after `at`.
    std::size_t row(double at) const {
        const auto after = std::ranges::upper_bound(time, at);
        return after == time.begin() ? 0 : static_cast<std::size_t>(after - time.begin()) - 1;
    }
    double slope(std::size_t k) const {
        return k + 1 < time.size() ? (velocity[k + 1] - velocity[k]) / (time[k + 1] - time[k])
                                   : 0.0;
    }
};

Drive Drive::sine(double frequency, double amplitude, double cycles) {
    Drive drive;
    drive.frequency_ = frequency;
    drive.amplitude_ = amplitude;
    drive.end_ = cycles / frequency;
    drive.largest_speed_ = 2.0 * std::numbers::pi * frequency * std::abs(amplitude);
    drive.period_ = 1.0 / frequency;
    return drive;
}

Drive Drive::table(const std::string& csv, const std::string& name) {
    Rows rows = read_rows(csv, name);
    return through(std::move(rows.time), std::move(rows.displacement), name);
}

Drive Drive::through(std::vector<double> times, std::vector<double> displacements,
                     const std::string& name) {
    constexpr std::size_t fewest = SmoothCurve::fewest_rows;
    if (times.size() < fewest) {
        throw InputError(fmt::format("{}: {} row{}; expected at least {}", name, times.size(),
                                     times.size() == 1 ? "" : "s", fewest));
    }
    Drive drive;
    drive.end_ = times.back();
    drive.last_ = displacements.back();
    SmoothCurve curve(std::move(times), std::move(displacements));
    drive.largest_speed_ = curve.largest_slope();
    const double largest_acceleration = curve.largest_curvature();
    if (!std::isfinite(drive.largest_speed_ + largest_acceleration)) {
        throw InputError(
            fmt::format("{}: times are too close together; expected finite velocities", name));
    }
    drive.period_ = largest_acceleration > 0.0
                        ? 2.0 * std::numbers::pi * drive.largest_speed_ / largest_acceleration
                        : std::numeric_limits<double>::infinity();
    constexpr double least = 1e-2;  // of the speed: contacts feel no acceleration of a wall
    if (const auto swing = curve.swing(least)) drive.doubt_ = sentence_of(*swing, "m");
    drive.table_ = std::make_shared<const Table>(Table{std::move(curve)});
    return drive;
}

std::vector<double> Drive::numbers() const {
    std::vector<double> all{frequency_, amplitude_, end_, last_, largest_speed_, period_};
    if (table_) {
        const SmoothCurve& curve = table_->curve;
        all.insert(all.end(), curve.rows().begin(), curve.rows().end());
        all.insert(all.end(), curve.values().begin(), curve.values().end());
    }
    if (ramps_) {
        all.insert(all.end(), ramps_->time.begin(), ramps_->time.end());
        all.insert(all.end(), ramps_->velocity.begin(), ramps_->velocity.end());
    }
    return all;
}

Drive Drive::steady(double velocity) {
    return with_velocities({0.0}, {velocity});
}

Drive Drive::with_velocities(std::vector<double> times, std::vector<double> velocities) {
    Drive drive;
    Ramps ramps{.time = std::move(times), .velocity = std::move(velocities), .displacement = {0.0}};
    double steepest = 0.0;
    for (std::size_t k = 0; k < ramps.time.size(); ++k) {
        drive.largest_speed_ = std::max(drive.largest_speed_, std::abs(ramps.velocity[k]));
        if (k == 0) continue;
        const double mean = 0.5 * (ramps.velocity[k - 1] + ramps.velocity[k]);
        ramps.displacement.push_back(ramps.displacement[k - 1] +
                                     mean * (ramps.time[k] - ramps.time[k - 1]));
        steepest = std::max(steepest, std::abs(ramps.slope(k - 1)));
    }
    drive.end_ = std::numeric_limits<double>::infinity();
    drive.period_ = steepest > 0.0 ? 2.0 * std::numbers::pi * drive.largest_speed_ / steepest
                                   : std::numeric_limits<double>::infinity();
    drive.ramps_ = std::make_shared<const Ramps>(std::move(ramps));
    return drive;
}

double Drive::displacement(double time) const {
    if (time >= end_) return last_;
    if (ramps_) {
        const std::size_t k = ramps_->row(time);
        const double since = time - ramps_->time[k];
        return ramps_->displacement[k] +
               (ramps_->velocity[k] + 0.5 * ramps_->slope(k) * since) * since;
    }
    return table_ ? table_->curve.value(time)
                  : amplitude_ * std::sin(2.0 * std::numbers::pi * frequency_ * time);
}

double Drive::velocity(double time) const {
    if (time >= end_) return 0.0;
    if (table_) return table_->curve.slope(time);
    if (ramps_) {
        const std::size_t k = ramps_->row(time);
        return ramps_->velocity[k] + ramps_->slope(k) * (time - ramps_->time[k]);
    }
    const double omega = 2.0 * std::numbers::pi * frequency_;
    return amplitude_ * omega * std::cos(omega * time);
}

}  // namespace beadwave::stepping
