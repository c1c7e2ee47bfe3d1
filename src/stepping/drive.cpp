#include "beadwave/stepping/drive.hpp"

#include "beadwave/input_error.hpp"
#include "csv_rows.hpp"

#include <boost/math/interpolators/makima.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
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
    if (rows.time.size() < fewest_rows) {
        throw InputError(fmt::format("{}: {} row{}; expected at least {}", name, rows.time.size(),
                                     rows.time.size() == 1 ? "" : "s", fewest_rows));
    }
    return rows;
}

}  // namespace

struct Drive::Table {
    boost::math::interpolators::makima<std::vector<double>> at;
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
    const std::vector<double> time = rows.time;
    Drive drive;
    drive.end_ = time.back();
    drive.last_ = rows.displacement.back();
    drive.table_ =
        std::make_shared<const Table>(Table{{std::move(rows.time), std::move(rows.displacement)}});
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
    constexpr int samples = 1000;
    for (int k = 0; table_ && k < samples; ++k)
        all.push_back(displacement(end_ * k / samples));
    return all;
}

double Drive::displacement(double time) const {
    if (time >= end_) return last_;
    return table_ ? table_->at(time)
                  : amplitude_ * std::sin(2.0 * std::numbers::pi * frequency_ * time);
}

double Drive::velocity(double time) const {
    if (time >= end_) return 0.0;
    if (table_) return table_->at.prime(time);
    const double omega = 2.0 * std::numbers::pi * frequency_;
    return amplitude_ * omega * std::cos(omega * time);
}

}  // namespace beadwave::stepping
