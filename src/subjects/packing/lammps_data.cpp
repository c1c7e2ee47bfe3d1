#include "beadwave/input_error.hpp"
#include "subjects/packing/lammps_particles.hpp"
#include "subjects/packing/sorted_particles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

namespace beadwave::io {
namespace {

using packing::ListedParticle;

/// Names of sections begin with one of these words.
constexpr std::array section_words{"Atoms",          "Velocities",   "Masses",
                                   "Atom",           "Pair",         "PairIJ",
                                   "Bond",           "Angle",        "Dihedral",
                                   "Improper",       "Bonds",        "Angles",
                                   "Dihedrals",      "Impropers",    "Ellipsoids",
                                   "Lines",          "Triangles",    "Bodies",
                                   "BondBond",       "BondAngle",    "MiddleBondTorsion",
                                   "EndBondTorsion", "AngleTorsion", "AngleAngleTorsion",
                                   "BondBond13",     "AngleAngle"};

bool is_section(const LammpsLines& lines) {
    return std::ranges::find(section_words, lines.words()[0]) != section_words.end();
}

class DataFile {
  public:
    explicit DataFile(const NamedFile& file) : lines_(file), particles_(lines_) {
        check_units(file);
    }

    LammpsParticles read(std::optional<std::int64_t> type) {
        read_header();
        bool atoms = false, velocities = false;
        for (bool more = true; more;) {
            const std::string_view section = lines_.words()[0];
            if (section == "Atoms" && !atoms) {
                read_atoms();
                atoms = true;
                more = lines_.next();
            } else if (section == "Velocities" && !velocities) {
                if (!atoms) lines_.fail("section Velocities before Atoms; expected it behind");
                read_velocities();
                velocities = true;
                more = lines_.next();
            } else if (section == "Atoms" || section == "Velocities") {
                lines_.fail(fmt::format("a second section {}", section));
            } else {
                more = skip_section();
            }
            if (more && !is_section(lines_)) {
                lines_.fail(fmt::format("\"{}\" is not the name of a section of a LAMMPS data file",
                                        shortened(lines_.line())));
            }
        }
        if (!atoms) lines_.fail("the file ends here; expected a section Atoms");
        return particles_.of(type);
    }

  private:
    /// The first line is a title. write_data names the units there.
    void check_units(const NamedFile& file) {
        const std::string_view text(file.text);
        const std::string_view title = text.substr(0, text.find('\n'));
        constexpr std::string_view mark = "units = ";
        const auto at = title.find(mark);
        if (at != std::string_view::npos) {
            const std::string_view rest = title.substr(at + mark.size());
            const std::string_view units = rest.substr(0, rest.find_first_of(", \t\r"));
            if (units != "si") {
                lines_.fail_at(1,
                               fmt::format("units {}; expected si (m, kg, s)", shortened(units)));
            }
        }
        const auto end = title.size() == text.size() ? text.size() : title.size() + 1;
        lines_ = LammpsLines(file, end);
    }

    void read_header() {
        while (true) {
            lines_.need("a section Atoms");
            if (is_section(lines_)) break;
            const auto& words = lines_.words();
            if (words.size() == 2 && words[1] == "atoms")
                count_ = lines_.whole(0, "the number of atoms", 1);
            // The box is not read.
        }
        if (!count_) lines_.fail("the number of atoms is missing before the first section");
    }

    void read_atoms() {
        const std::string_view style = lines_.comment();
        if (!style.empty() && style != "sphere") {
            lines_.fail(
                fmt::format("atoms of the style {}; expected sphere, which has diameter and "
                            "density",
                            shortened(style)));
        }
        constexpr const char* columns =
            "7 (id, type, diameter, density, x, y, z), or 10 with image flags";
        for (std::int64_t n = 0; n < *count_; ++n) {
            lines_.need(fmt::format("{} atoms; section Atoms has {}", *count_, n));
            lines_.need_words(7, 10, columns);
            ListedParticle particle{};
            particle.radius = 0.5 * lines_.number(2, "diameter");
            const double density = lines_.number(3, "density");
            if (!(density > 0.0)) lines_.fail("density must be above 0, in kg/m^3");
            particle.mass = density * volume_of(particle.radius);
            particle.position = vector(4, {"x", "y", "z"});
            particles_.add(lines_.whole(0, "id", 1), lines_.whole(1, "type", 1), particle);
        }
        particles_.sort();
    }

    void read_velocities() {
        for (std::int64_t n = 0; n < *count_; ++n) {
            lines_.need(fmt::format("{} velocities; section Velocities has {}", *count_, n));
            lines_.need_words(7, 7, "7 (id, vx, vy, vz, wx, wy, wz)");
            const std::int64_t id = lines_.whole(0, "id", 1);
            ListedParticle* particle = particles_.find(id);
            if (particle == nullptr) lines_.fail(fmt::format("id {} is not in section Atoms", id));
            particle->velocity = vector(1, {"vx", "vy", "vz"});
            particle->angular_velocity = vector(4, {"wx", "wy", "wz"});
        }
    }

    packing::Vec3 vector(std::size_t first, const std::array<const char*, 3>& names) const {
        return {lines_.number(first, names[0]), lines_.number(first + 1, names[1]),
                lines_.number(first + 2, names[2])};
    }

    /// Moves to the next section; false: there is none.
    bool skip_section() {
        while (lines_.next())
            if (is_section(lines_)) return true;
        return false;
    }

    LammpsLines lines_;
    SortedParticles particles_;
    std::optional<std::int64_t> count_{};
};

}  // namespace

LammpsParticles read_lammps_data(const NamedFile& file, std::optional<std::int64_t> type) {
    return DataFile(file).read(type);
}

}  // namespace beadwave::io
