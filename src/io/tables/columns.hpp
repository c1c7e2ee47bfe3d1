// What a table holds of each result.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace beadwave::io {

/// A column of the table, or for sensors one column a sensor.
struct Quantity {
    std::string name;      ///< in HDF5 with "sensor_" before it for sensors
    std::string unit;      ///< H5MD's spelling: "m s-1"; empty: none
    std::string csv_unit;  ///< "m_per_s"
    std::string json{};    ///< its name in --json, if another

    const std::string& json_name() const { return json.empty() ? name : json; }
};

/// The numbers of a result stand in this order: of each sensor quantity all sensors, then the run.
struct Columns {
    std::vector<Quantity> of_sensor;
    std::vector<std::int64_t> sensors;  ///< numbers of the beads or particles
    std::string body = "bead";          ///< what a sensor is in
    std::vector<Quantity> of_run;

    std::size_t width() const { return of_sensor.size() * sensors.size() + of_run.size(); }
};

}  // namespace beadwave::io
