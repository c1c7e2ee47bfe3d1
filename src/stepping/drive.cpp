#include "beadwave/stepping/drive.hpp"

#include "base/csv_rows.hpp"
#include "beadwave/input_error.hpp"

#include <boost/math/interpolators/makima.hpp>
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

constexpr std::size_t fewest_rows = 4;  // for the interpolant

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
    boost::math::interpolators::makima<std::vector<double>> at;
    std::vector<double> numbers;  ///< its times, then its displacements
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
    if (times.size() < fewest_rows) {
        throw InputError(fmt::format("{}: {} row{}; expected at least {}", name, times.size(),
                                     times.size() == 1 ? "" : "s", fewest_rows));
    }
    const std::vector<double> time = times;
    Drive drive;
    drive.end_ = time.back();
    drive.last_ = displacements.back();
    std::vector<double> numbers = times;
    numbers.insert(numbers.end(), displacements.begin(), displacements.end());
    drive.table_ = std::make_shared<const Table>(
        Table{{std::move(times), std::move(displacements)}, std::move(numbers)});
    // Velocities at the rows and halfway between them.
    double largest_acceleration = 0.0, last_velocity = 0.0, last_time = 0.0;
    const auto sample = [&](double at) {
        const double velocity = drive.table_->at.prime(at);
        if (!std::isfinite(velocity)) {
            throw InputError(
                fmt::format("{}: times are too close together; expected finite velocities", name));
        }
        drive.largest_speed_ = std::max(drive.largest_speed_, std::abs(velocity));
        if (at > last_time) {
            largest_acceleration = std::max(largest_acceleration,
                                            std::abs(velocity - last_velocity) / (at - last_time));
        }
        last_velocity = velocity;
        last_time = at;
    };
    for (std::size_t i = 0; i < time.size(); ++i) {
        sample(time[i]);
        if (i + 1 < time.size()) sample(0.5 * (time[i] + time[i + 1]));
    }
    drive.period_ = largest_acceleration > 0.0
                        ? 2.0 * std::numbers::pi * drive.largest_speed_ / largest_acceleration
                        : std::numeric_limits<double>::infinity();
    return drive;
}

std::vector<double> Drive::numbers() const {
    std::vector<double> all{frequency_, amplitude_, end_, last_, largest_speed_, period_};
    if (table_) all.insert(all.end(), table_->numbers.begin(), table_->numbers.end());
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
    return table_ ? table_->at(time)
                  : amplitude_ * std::sin(2.0 * std::numbers::pi * frequency_ * time);
}

double Drive::velocity(double time) const {
    if (time >= end_) return 0.0;
    if (table_) return table_->at.prime(time);
    if (ramps_) {
        const std::size_t k = ramps_->row(time);
        return ramps_->velocity[k] + ramps_->slope(k) * (time - ramps_->time[k]);
    }
    const double omega = 2.0 * std::numbers::pi * frequency_;
    return amplitude_ * omega * std::cos(omega * time);
}

}  // namespace beadwave::stepping
