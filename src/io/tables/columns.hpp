// The columns of a table of results.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace beadwave::io {

/// A column of the table, or one column per sensor.
struct Quantity {
    std::string name;      ///< in HDF5, sensor quantities get the prefix "sensor_"
    std::string unit;      ///< in H5MD's notation: "m s-1"; empty: none
    std::string csv_unit;  ///< "m_per_s"
    std::string json{};    ///< its name in --json, if different

    const std::string& json_name() const { return json.empty() ? name : json; }
};

/// The order of the numbers of a result: each sensor quantity for all sensors, then the quantities
/// of the run, then each quantity over time at all times.
struct Columns {
    std::vector<Quantity> of_sensor;
    std::vector<std::int64_t> sensors;  ///< numbers of the beads or particles
    std::string body = "bead";          ///< the body that has a sensor
    double arrival_threshold = 0.0;     ///< of the arrival times [N]; 0: they are those of humps
    std::vector<Quantity> of_run{};
    std::vector<Quantity> over_time{};
    std::vector<double> times{};  ///< [s]

    std::size_t width() const { return first_over_time() + over_time.size() * times.size(); }
    std::size_t first_over_time() const {
        return of_sensor.size() * sensors.size() + of_run.size();
    }
};

}  // namespace beadwave::io
