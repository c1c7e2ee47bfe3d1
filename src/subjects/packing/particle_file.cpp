#include "subjects/packing/particle_file.hpp"

#include "base/csv_rows.hpp"
#include "beadwave/input_error.hpp"
#include "io/scenario/file_rows.hpp"
#include "io/scenario/orientation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>
#include <string_view>
#include <vector>

namespace beadwave::io {
namespace {

using packing::ListedParticle;

/// One row, as the file has it.
struct ParticleRow {
    ListedParticle particle{};
    std::array<double, 4> quaternion{};
    std::array<double, 2> exponents{};  ///< n2, n1
};

struct Column {
    std::string_view name;
    bool needed;
    double& (*of)(ParticleRow&);
};

using ParticleColumns = std::vector<Column>;

ParticleColumns motion_columns(int dimension) {
    return {
        {"x_m", true, [](ParticleRow& p) -> double& { return p.particle.position.x; }},
        {"y_m", true, [](ParticleRow& p) -> double& { return p.particle.position.y; }},
        {"z_m", dimension == 3, [](ParticleRow& p) -> double& { return p.particle.position.z; }},
        {"vx_m_per_s", false, [](ParticleRow& p) -> double& { return p.particle.velocity.x; }},
        {"vy_m_per_s", false, [](ParticleRow& p) -> double& { return p.particle.velocity.y; }},
        {"vz_m_per_s", false, [](ParticleRow& p) -> double& { return p.particle.velocity.z; }},
        {"wx_rad_per_s", false,
         [](ParticleRow& p) -> double& { return p.particle.angular_velocity.x; }},
        {"wy_rad_per_s", false,
         [](ParticleRow& p) -> double& { return p.particle.angular_velocity.y; }},
        {"wz_rad_per_s", false,
         [](ParticleRow& p) -> double& { return p.particle.angular_velocity.z; }},
    };
}

bool names_column(std::string_view header, const Column& column) {
    return header.find(column.name) != std::string_view::npos;
}

/// `take(rows, row)` checks and keeps each row.
template <class Take>
void read_columns(const NamedFile& file, const ParticleColumns& columns, const Take& take) {
    const std::string_view header = header_line(file.text);
    if (header.find("mass_kg") != std::string_view::npos) {
        throw InputError(fmt::format(
            "{}: mass_kg: particles have the mass of their volume and of the density of "
            "their material; expected a file without this column",
            file.name));
    }
    std::vector<Column> present;
    std::vector<std::string_view> names;
    for (const Column& column : columns) {
        if (!column.needed && !names_column(header, column)) continue;
        present.push_back(column);
        names.push_back(column.name);
    }
    constexpr double most = 1e30;  // products of larger numbers overflow
    std::istringstream text(file.text);
    text.exceptions(std::ios::badbit);  // missing memory is no end of the text
    CsvRows rows(text, file.name, names, OtherColumns::refused);
    bool any = false;
    while (rows.next()) {
        ParticleRow row{};
        for (std::size_t c = 0; c < present.size(); ++c) {
            const double number = rows.needed_number(c);
            if (!(std::abs(number) <= most)) {
                rows.fail(fmt::format("{} is {:g}; expected numbers from {:g} to {:g}", names[c],
                                      number, -most, most));
            }
            present[c].of(row) = number;
        }
        take(rows, row);
        any = true;
    }
    if (!any) rows.fail("no particles");
}

ParticleColumns ellipsoid_columns(const NamedFile& file, bool with_exponents) {
    ParticleColumns all = motion_columns(3);
    const ParticleColumns axes{
        {"a_m", true, [](ParticleRow& p) -> double& { return p.particle.semi_axes.x; }},
        {"b_m", true, [](ParticleRow& p) -> double& { return p.particle.semi_axes.y; }},
        {"c_m", true, [](ParticleRow& p) -> double& { return p.particle.semi_axes.z; }}};
    ParticleColumns turned{{"qw", true, [](ParticleRow& p) -> double& { return p.quaternion[0]; }},
                           {"qx", true, [](ParticleRow& p) -> double& { return p.quaternion[1]; }},
                           {"qy", true, [](ParticleRow& p) -> double& { return p.quaternion[2]; }},
                           {"qz", true, [](ParticleRow& p) -> double& { return p.quaternion[3]; }}};
    all.insert(all.end(), axes.begin(), axes.end());
    // One of the four needs the other three.
    const std::string_view header = header_line(file.text);
    const bool given = std::ranges::any_of(
        turned, [header](const Column& column) { return names_column(header, column); });
    if (given) all.insert(all.end(), turned.begin(), turned.end());
    if (!with_exponents) return all;
    ParticleColumns powers{{"n2", true, [](ParticleRow& p) -> double& { return p.exponents[0]; }},
                           {"n1", true, [](ParticleRow& p) -> double& { return p.exponents[1]; }}};
    const bool have_powers = std::ranges::any_of(
        powers, [header](const Column& column) { return names_column(header, column); });
    if (have_powers) all.insert(all.end(), powers.begin(), powers.end());
    return all;
}

}  // namespace

packing::ListedPlaces read_particles(const NamedFile& file, int dimension) {
    ParticleColumns columns = motion_columns(dimension);
    columns.insert(columns.begin() + 3,
                   {"radius_m", true, [](ParticleRow& p) -> double& { return p.particle.radius; }});
    packing::ListedPlaces listed;
    read_columns(file, columns, [&](const CsvRows& rows, const ParticleRow& row) {
        if (!(row.particle.radius > 0.0)) rows.fail("radius_m must be above 0");
        listed.particles.push_back(row.particle);
    });
    return listed;
}

namespace {

packing::ListedPlaces read_bodies(const NamedFile& file, bool with_exponents,
                                  std::vector<std::string>& warnings) {
    const ParticleColumns columns = ellipsoid_columns(file, with_exponents);
    const auto has = [&](std::string_view name) {
        return std::ranges::find(columns, name, &Column::name) != columns.end();
    };
    const bool turned = has("qz"), powers = has("n1");
    packing::ListedPlaces listed;
    std::size_t not_unit = 0;
    read_columns(file, columns, [&](const CsvRows& rows, const ParticleRow& row) {
        ListedParticle particle = row.particle;
        const auto& a = particle.semi_axes;
        if (!(a.x > 0.0 && a.y > 0.0 && a.z > 0.0)) rows.fail("a_m, b_m and c_m must be above 0");
        particle.radius = std::max({a.x, a.y, a.z});
        if (turned) {
            const auto unit = unit_quaternion(row.quaternion);
            if (!unit) rows.fail("qw, qx, qy and qz are all 0; expected a unit quaternion");
            if (unit->warning) ++not_unit;
            const auto& q = unit->numbers;
            particle.orientation = shapes::Quaternion{q[0], q[1], q[2], q[3]};
        }
        if (powers) {
            const auto& n = row.exponents;
            if (!(std::min(n[0], n[1]) >= 2.0 && std::max(n[0], n[1]) <= 8.0))
                rows.fail("n2 and n1 must be from 2 to 8");
            particle.exponents = shapes::Exponents{.plane = n[0], .axis = n[1]};
            particle.radius =
                farthest(shapes::Superellipsoid{{.semi_axes = a}, *particle.exponents});
        }
        listed.particles.push_back(particle);
    });
    if (not_unit > 0) {
        warnings.push_back(fmt::format(
            "{}: quaternions of {} particles do not have unit length, and are divided by it",
            file.name, not_unit));
    }
    return listed;
}

}  // namespace

packing::ListedPlaces read_ellipsoids(const NamedFile& file, std::vector<std::string>& warnings) {
    return read_bodies(file, false, warnings);
}

packing::ListedPlaces read_superellipsoids(const NamedFile& file,
                                           std::vector<std::string>& warnings) {
    return read_bodies(file, true, warnings);
}

}  // namespace beadwave::io
