#include "subjects/packing/particle_file.hpp"

#include "base/csv_rows.hpp"
#include "io/scenario/file_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>
#include <string_view>

namespace beadwave::io {
namespace {

using packing::ListedParticle;

struct Column {
    std::string_view name;
    bool needed;
    double& (*of)(ListedParticle&);
};

constexpr std::array<Column, 10> columns{{
    {"x_m", true, [](ListedParticle& p) -> double& { return p.position.x; }},
    {"y_m", true, [](ListedParticle& p) -> double& { return p.position.y; }},
    {"z_m", true, [](ListedParticle& p) -> double& { return p.position.z; }},
    {"radius_m", true, [](ListedParticle& p) -> double& { return p.radius; }},
    {"vx_m_per_s", false, [](ListedParticle& p) -> double& { return p.velocity.x; }},
    {"vy_m_per_s", false, [](ListedParticle& p) -> double& { return p.velocity.y; }},
    {"vz_m_per_s", false, [](ListedParticle& p) -> double& { return p.velocity.z; }},
    {"wx_rad_per_s", false, [](ListedParticle& p) -> double& { return p.angular_velocity.x; }},
    {"wy_rad_per_s", false, [](ListedParticle& p) -> double& { return p.angular_velocity.y; }},
    {"wz_rad_per_s", false, [](ListedParticle& p) -> double& { return p.angular_velocity.z; }},
}};

}  // namespace

packing::ListedPlaces read_particles(const NamedFile& file, int dimension) {
    const std::string_view header = header_line(file.text);
    std::vector<const Column*> present;
    std::vector<std::string_view> names;
    for (const Column& column : columns) {
        const bool there = header.find(column.name) != std::string_view::npos;
        const bool needed = column.needed && !(dimension == 2 && column.name == "z_m");
        if (!there && !needed) continue;
        present.push_back(&column);
        names.push_back(column.name);
    }
    constexpr double most = 1e30;  // products of larger numbers overflow
    std::istringstream text(file.text);
    text.exceptions(std::ios::badbit);  // missing memory is no end of the text
    CsvRows rows(text, file.name, names, OtherColumns::refused);
    packing::ListedPlaces listed;
    while (rows.next()) {
        ListedParticle particle{};
        for (std::size_t c = 0; c < present.size(); ++c) {
            const double number = rows.needed_number(c);
            if (!(std::abs(number) <= most)) {
                rows.fail(fmt::format("{} is {:g}; expected numbers from {:g} to {:g}", names[c],
                                      number, -most, most));
            }
            present[c]->of(particle) = number;
        }
        if (!(particle.radius > 0.0)) rows.fail("radius_m must be above 0");
        listed.particles.push_back(particle);
    }
    if (listed.particles.empty()) rows.fail("no particles");
    return listed;
}

}  // namespace beadwave::io
