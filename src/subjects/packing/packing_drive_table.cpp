// [[drive]] of packings: particles that move and turn as prescribed.

#include "io/scenario/file_rows.hpp"
#include "subjects/packing/element_keys.hpp"
#include "subjects/packing/packing_element_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

namespace beadwave::io {
namespace {

using packing::DrivePlan;
using packing::RotationPlan;
using stepping::Drive;

/// The first axis about which particles turn: in the plane z.
std::size_t first_turned(const Reading& reading) {
    return reading.dimension == 2 ? 2 : 0;
}

/// One column of a file per axis about which particles turn.
std::vector<std::string_view> turning_columns(const std::array<std::string_view, 3>& names,
                                              const Reading& reading) {
    return {names.begin() + static_cast<std::ptrdiff_t>(first_turned(reading)), names.end()};
}

/// Times from 0, and columns that start at 0 if they are displacements.
FileRows read_motion(const TomlTable& table, const Key& key,
                     const std::vector<std::string_view>& names, bool from_zero, Reading& reading) {
    FileRows rows = read_file_rows(table, key, names, reading);
    if (rows.first.front() != 0.0)
        table.fail(key.name, fmt::format("time_s starts at {:g}; expected 0", rows.first.front()));
    for (std::size_t k = 0; from_zero && k < rows.columns.size(); ++k) {
        if (rows.columns[k].front() == 0.0) continue;
        table.fail(key.name, fmt::format("{} starts at {:g}; expected 0: it counts from the start",
                                         names[k], rows.columns[k].front()));
    }
    return rows;
}

/// Cycles after which a motion is back at its start.
double whole_halves(const TomlTable& table, const Key& cycles) {
    const double end = table.number(cycles).value_or(std::numeric_limits<double>::infinity());
    if (std::isfinite(end) && std::fmod(end, 0.5) != 0.0)
        table.fail("cycles", "must be a multiple of 0.5: the particle must stop where it started");
    return end;
}

constexpr const char* about_axes = "vector; in the plane one number in a list, about z";

/// A vector about the axes; in the plane one number, about z.
std::array<double, 3> needed_turn(const TomlTable& table, const Key& key, const Reading& reading) {
    const bool plane = reading.dimension == 2;
    const std::size_t count = plane ? 1 : 3;
    const auto w = table.need(table.numbers(key, count, count), key);
    if (plane) return {0.0, 0.0, w[0]};
    return {w[0], w[1], w[2]};
}

using Drives = std::array<Drive, 3>;  ///< along or about the axes

Drives steady_drives(const std::array<double, 3>& speed) {
    return {Drive::steady(speed[0]), Drive::steady(speed[1]), Drive::steady(speed[2])};
}

Drives sine_drives(double frequency, const std::array<double, 3>& amplitude, double cycles) {
    Drives drives = steady_drives({});
    for (std::size_t k = 0; k < 3; ++k)
        if (amplitude[k] != 0.0) drives[k] = Drive::sine(frequency, amplitude[k], cycles);
    return drives;
}

/// The columns of a file, from the axis `first` on.
template <class MakeDrive>
Drives file_drives(FileRows rows, std::size_t first, const MakeDrive& make) {
    Drives drives = steady_drives({});
    for (std::size_t k = 0; k < rows.columns.size(); ++k)
        drives[first + k] = make(rows.first, std::move(rows.columns[k]));
    return drives;
}

/// Smooth between the rows. What is doubtful about it is a warning.
Drives smooth_drives(const TomlTable& table, const Key& key,
                     const std::vector<std::string_view>& names, std::size_t first,
                     Reading& reading) {
    return file_drives(
        read_motion(table, key, names, true, reading), first,
        [&](const std::vector<double>& times, std::vector<double> column) {
            const std::string where = table.key(key.name);
            Drive drive = Drive::through(times, std::move(column), where);
            if (!drive.doubt().empty())
                reading.warnings.push_back(fmt::format("{}: {}", where, drive.doubt()));
            return drive;
        });
}

Drives velocity_drives(const TomlTable& table, const Key& key,
                       const std::vector<std::string_view>& names, std::size_t first,
                       Reading& reading) {
    return file_drives(read_motion(table, key, names, false, reading), first,
                       [](const std::vector<double>& times, std::vector<double> column) {
                           return Drive::with_velocities(times, std::move(column));
                       });
}

Table<RotationPlan> rotation_table() {
    const Key frequency =
        named("frequency", above_zero("Hz"), "f in the angle A sin(2 pi f t); A is `amplitude`");
    const Key amplitude =
        named("amplitude", vector3("rad").ranges(about_axes), "A in the same angle")
            .otherwise("needed with `frequency`");
    const Key cycles = cycles_key("after this number of cycles the particle rests as it started")
                           .ranges("multiple of 0.5, above 0");
    Table<RotationPlan> steady, sine, file, velocities, t;
    steady.row(
        named("velocity", vector3("rad/s").ranges(about_axes), "constant angular velocity"),
        [](const TomlTable& table, const Key& key, RotationPlan& rotation, const Reading& reading) {
            rotation.angles = steady_drives(needed_turn(table, key, reading));
        });
    sine.row(frequency, [=](const TomlTable& table, const Key& key, RotationPlan& rotation,
                            const Reading& reading) {
        const double f = table.needed_number(key), end = whole_halves(table, cycles);
        rotation.angles = sine_drives(f, needed_turn(table, amplitude, reading), end);
    });
    sine.known(amplitude);
    sine.known(cycles);
    file.row(plain("file", Kind::file,
                   "angle over time: columns `time_s`, in space `x_rad` and `y_rad`, and `z_rad`, "
                   "all from 0, smooth between the rows; at rest after the last one"),
             [](const TomlTable& table, const Key& key, RotationPlan& rotation, Reading& reading) {
                 rotation.angles = smooth_drives(
                     table, key, turning_columns({"x_rad", "y_rad", "z_rad"}, reading),
                     first_turned(reading), reading);
             });
    velocities.row(
        plain("velocity_file", Kind::file,
              "angular velocity over time: columns `time_s`, in space `wx_rad_per_s` and "
              "`wy_rad_per_s`, and `wz_rad_per_s`, from time 0; linear between the rows, constant "
              "after the last one"),
        [](const TomlTable& table, const Key& key, RotationPlan& rotation, Reading& reading) {
            rotation.angles = velocity_drives(
                table, key,
                turning_columns({"wx_rad_per_s", "wy_rad_per_s", "wz_rad_per_s"}, reading),
                first_turned(reading), reading);
        });
    return t.choose(
        "missing; give velocity, a vector in rad/s, or frequency, in Hz, and amplitude, a vector "
        "in rad, or file or velocity_file, the path of a CSV file",
        steady, sine, file, velocities);
}

}  // namespace

Table<DrivePlan> packing_drive_table() {
    const Key frequency = named("frequency", above_zero("Hz"),
                                "f in the displacement A sin(2 pi f t); A is `amplitude`");
    const Key amplitude = named("amplitude", vector3("m"), "A in the same displacement")
                              .otherwise("needed with `frequency`");
    const Key cycles = cycles_key("after this number of cycles the particle rests where it started")
                           .ranges("multiple of 0.5, above 0");
    Table<DrivePlan> steady, sine, file, velocities, t;
    steady.row(
        named("velocity", vector3("m/s"), "constant velocity; 0: held in place"),
        [](const TomlTable& table, const Key& key, DrivePlan& drive, const Reading& reading) {
            drive.along = steady_drives(parts(needed_vector(table, key, reading)));
        });
    sine.row(frequency,
             [=](const TomlTable& table, const Key& key, DrivePlan& drive, const Reading& reading) {
                 const double f = table.needed_number(key), end = whole_halves(table, cycles);
                 drive.along = sine_drives(f, parts(needed_vector(table, amplitude, reading)), end);
             });
    sine.known(amplitude);
    sine.known(cycles);
    file.row(plain("file", Kind::file,
                   "displacement over time: columns `time_s`, `x_m`, `y_m` and, in space, `z_m`, "
                   "all from 0, smooth between the rows; at rest after the last one"),
             [](const TomlTable& table, const Key& key, DrivePlan& drive, Reading& reading) {
                 drive.along = smooth_drives(
                     table, key, axis_columns({"x_m", "y_m", "z_m"}, reading), 0, reading);
             });
    velocities.row(
        plain("velocity_file", Kind::file,
              "velocity over time: columns `time_s`, `vx_m_per_s`, `vy_m_per_s` and, in space, "
              "`vz_m_per_s`, from time 0; linear between the rows, constant after the last one"),
        [](const TomlTable& table, const Key& key, DrivePlan& drive, Reading& reading) {
            drive.along = velocity_drives(
                table, key, axis_columns({"vx_m_per_s", "vy_m_per_s", "vz_m_per_s"}, reading), 0,
                reading);
        });
    t.choose(
        "missing; give velocity, a vector in m/s, or frequency, in Hz, and amplitude, a vector "
        "in m, or file or velocity_file, the path of a CSV file",
        steady, sine, file, velocities);
    t.include(selection_rows(true), &DrivePlan::particles);
    t.add("axes", of(Kind::flags).otherwise("all"), &DrivePlan::axes,
          "`[true, false, false]`: only the motion along x is prescribed");
    t.add(
        "rotates", of(Kind::flag), &DrivePlan::rotates,
        "`true`: the particle rotates freely; `false`: it does not rotate, or as `rotation` says");
    t.table(
        plain("rotation", Kind::table,
              "a prescribed rotation; about one axis the angle is that by which the particle has "
              "turned, about several its angular velocity has these components"),
        &DrivePlan::rotation, rotation_table());
    return t.rule([](const TomlTable& table, const DrivePlan& drive, Reading& reading) {
        if (drive.rotates && drive.rotation)
            table.fail("rotates", "is given in addition to rotation; give one of the two");
        const auto end = drive.axes.begin() + (reading.dimension == 2 ? 2 : 3);
        if (std::find(drive.axes.begin(), end, true) == end)
            table.fail("axes", "prescribes no motion; expected true for at least one axis");
    });
}

}  // namespace beadwave::io
