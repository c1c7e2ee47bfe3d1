#include "subjects/packing/particle_table.hpp"

#include "io/scenario/common_tables.hpp"
#include "subjects/chain/chain_tables.hpp"
#include "subjects/packing/flow_tables.hpp"
#include "subjects/packing/lammps_particles.hpp"
#include "subjects/packing/particle_file.hpp"
#include "subjects/packing/particle_shape_table.hpp"
#include "subjects/packing/radius_table.hpp"

#include <fmt/format.h>

namespace beadwave::io {
namespace {

using packing::CrystalPlaces;
using packing::Group;
using packing::ListedPlaces;
using packing::OnePlace;
using packing::RandomPlaces;
using packing::Vec3;

/// Of a file of particles [MiB]: about 7e6 lines of LAMMPS.
constexpr std::size_t most_of_particles = 1024;

constexpr double most_particles = 1u << 30;
constexpr const char* one_of_four = "one of the four ways is needed";

Table<CrystalPlaces> crystal_rows() {
    Key cells =
        named("cells", whole(1, 1'000'000'000).ranges("list of whole numbers, from 1").needed(),
              "conventional cells along x, y and z; planar lattices: columns and rows");
    cells.kind = Kind::wholes;
    Table<CrystalPlaces> t;
    t.add("lattice",
          words({packing::lattice_names().begin(), packing::lattice_names().end()})
              .otherwise(one_of_four),
          &CrystalPlaces::lattice, "particles at the sites of a lattice; the first two are planar");
    t.row(cells, [](const TomlTable& table, const Key& key, CrystalPlaces& crystal,
                    Reading& reading) {
        const bool planar = is_planar(crystal.lattice);
        if (reading.dimension == 2 && !planar) {
            table.fail("lattice",
                       R"(is not a lattice in the plane; expected "square" or "hexagonal")");
        }
        const std::string wanted = planar ? "[columns, rows]"
                                          : "conventional cells along x, y and z, such as [20, "
                                            "20, 20]";
        const auto given = table.need(table.wholes(key), Key(key).needed(wanted));
        if (given.size() != (planar ? 2u : 3u)) table.fail(key.name, "must be " + wanted);
        std::ranges::copy(given, crystal.cells.begin());
    });
    t.add("origin", vector3("m"), &CrystalPlaces::origin,
          "centre of the first particle of the lattice");
    return t.add("overlap", any_number("m"), &CrystalPlaces::overlap,
                 "overlap of touching neighbours at the start; negative: a gap");
}

Table<OnePlace> one_row() {
    return Table<OnePlace>().add("position", vector3("m").needed().otherwise(one_of_four),
                                 &OnePlace::position, "centre of one particle");
}

Table<RandomPlaces> random_rows() {
    Table<RandomPlaces> t;
    t.add("random", whole(1, static_cast<std::int64_t>(most_particles)).otherwise(one_of_four),
          &RandomPlaces::particles,
          "number of particles at random places that do not touch each other; the largest come "
          "first");
    t.add("lower", vector3("m").needed(), &RandomPlaces::lower,
          "corner of the region for `random`");
    t.add("upper", vector3("m").needed(), &RandomPlaces::upper, "opposite corner");
    return t.table(plain("pour", Kind::table,
                         "the random particles come during the run, one after another, at places "
                         "in the region where they touch nothing; `pour = {}`: as fast as there is "
                         "room"),
                   &RandomPlaces::pour, pour_table());
}

enum class ParticleFile { csv, dump, data };

ParticleFile kind_of(const std::string& name) {
    const std::string ending = std::filesystem::path(name).extension().string();
    if (ending == ".data") return ParticleFile::data;
    return ending == ".dump" || ending == ".lammpstrj" ? ParticleFile::dump : ParticleFile::csv;
}

Table<ListedPlaces> listed_row() {
    const Key type = named("type", whole(1).otherwise("all"),
                           "only the particles of this type; files of LAMMPS");
    Table<ListedPlaces> t;
    t.row(
        plain("file", Kind::file,
              "columns `x_m`, `y_m`, `z_m`, `radius_m`; optional: `vx_m_per_s`, `vy_m_per_s`, "
              "`vz_m_per_s`, `wx_rad_per_s`, `wy_rad_per_s`, `wz_rad_per_s`. In the plane `z_m` is "
              "optional. Ellipsoids have `a_m`, `b_m`, `c_m` in place of `radius_m`, and may have "
              "all of `qw`, `qx`, `qy`, `qz`, in place of `orientation`. A name that ends in "
              "`.dump`, `.lammpstrj` or `.data` is a [file of "
              "LAMMPS](SCENARIO_PACKINGS.md#particles-from-lammps)")
            .otherwise(one_of_four),
        [type](const TomlTable& table, const Key& key, ListedPlaces& listed, Reading& reading) {
            const ParticleFile kind = kind_of(table.text(key).value_or(""));
            const auto wanted = table.whole(type);
            if (says_shape(table, "clump")) {
                table.fail(key.name,
                           "has spheres or ellipsoids; expected lattice, position or "
                           "random for clumps");
            }
            if (kind == ParticleFile::csv) {
                if (wanted) table.fail("type", "is for files of LAMMPS; a CSV file has no types");
                const NamedFile file =
                    reading.files.read(table, key.name, "CSV", most_of_particles);
                listed = says_shape(table, "ellipsoid") ? read_ellipsoids(file, reading.warnings)
                         : says_shape(table, "superellipsoid")
                             ? read_superellipsoids(file, reading.warnings)
                             : read_particles(file, reading.dimension);
                return;
            }
            for (const char* const shape : {"ellipsoid", "superellipsoid"}) {
                if (!says_shape(table, shape)) continue;
                table.fail("shape",
                           fmt::format("is \"{}\", but files of LAMMPS are read as spheres; "
                                       "expected a CSV file with a_m, b_m and c_m",
                                       shape));
            }
            if (table.has("length"))
                table.fail("length", "is given, but a file of LAMMPS has the masses of spheres");
            const NamedFile file =
                reading.files.read(table, key.name, "a text file of LAMMPS", most_of_particles);
            LammpsParticles read = kind == ParticleFile::data
                                       ? read_lammps_data(file, wanted)
                                       : read_lammps_dump(file, reading.dimension, wanted);
            if (!wanted && read.types.size() > 1) {
                reading.warnings.push_back(
                    fmt::format("{}: {} types of particles get one material; a group with "
                                "type = {} takes one of them",
                                file.name, read.types.size(), read.types.front()));
            }
            listed = std::move(read.places);
        });
    return t.row(type, [](const TomlTable&, const Key&, ListedPlaces&, Reading&) {});
}

/// One component in the plane.
void read_angular_velocity(const TomlTable& table, const Key& key, Group& group,
                           const Reading& reading) {
    const auto w = table.numbers(key, reading.dimension == 2 ? 1 : 3, 3);
    if (!w) return;
    if (w->size() == 2) table.fail(key.name, "must be one number or three, in rad/s");
    group.angular_velocity =
        w->size() == 3 ? Vec3{(*w)[0], (*w)[1], (*w)[2]} : Vec3{0.0, 0.0, (*w)[0]};
}

Table<Group> group_table() {
    Table<Group> t;
    t.choose(
        "missing; place the particles by lattice, position (of one particle), random (at "
        "random in a box) or file (CSV, or LAMMPS's .dump or .data)",
        &Group::places, crystal_rows(), one_row(), random_rows(), listed_row());
    t.renamed("spin", "angular_velocity");
    t.include(particle_shape_rows());
    const Key radius = named("radius", above_zero("m"), "radius; the mean of random ones, `radii`")
                           .otherwise("needed, except with `file` and `radii.law = \"table\"`");
    t.rule([radius](const TomlTable& table, const Group& group, const Reading&) {
        const bool listed = std::holds_alternative<ListedPlaces>(group.places);
        for (const std::string_view key : {"radius", "disorder"}) {
            if (listed && table.has(key)) {
                table.fail(key,
                           "is given in addition to file, which has the radius of each particle");
            }
        }
        if (listed && table.has("mass")) {
            table.fail("mass",
                       "is given in addition to file, whose particles have masses by their radius; "
                       "expected density (kg/m^3) on the material in its place");
        }
        const auto radii = table.table("radii");
        const bool by_table = radii && radii->text(plain("law", Kind::text)) == "table";
        for (const std::string_view key : {"radius", "mass"}) {
            if (by_table && table.has(key)) {
                table.fail(key,
                           "is given in addition to a table of radii; expected density "
                           "(kg/m^3) on the material, and the radii in the table");
            }
        }
        const bool sphere = group.shape == packing::GroupShape::sphere;
        if (!listed && !by_table && sphere) table.need(table.number(radius), radius);
    });
    t.add(radius, &Group::radius);
    t.add("mass", above_zero("kg").otherwise("from the density of the material"), &Group::mass,
          "mass of a particle of that size; not with `file`");
    t.add("length", above_zero("m"), &Group::length,
          "in the plane: makes the particles cylinders of this length along z, which touch along "
          "lines and need a [line law](LAWS.md#line-contacts). All groups have the same, or none");
    t.add("material", material().needed(), &Group::material, "material");
    t.add(disorder_key(), &Group::disorder);
    t.table(plain("radii", Kind::table, "random radii, of particles at `random` places"),
            &Group::radii, radius_table());
    t.add(seed_key(), &Group::seed);
    t.add("velocity", vector3("m/s"), &Group::velocity,
          "velocity at the start, or when they are poured; adds to that of a file");
    Key spin = named("angular_velocity",
                     vector3("rad/s").ranges("vector; in the plane also one number in a list"),
                     "angular velocity at the start, in space; adds to that of a file");
    spin.standard = "0";
    t.row(std::move(spin), read_angular_velocity);
    t.add("temperature", above_zero("K").otherwise("`heat.temperature`"), &Group::temperature,
          "temperature at the start, or when they are poured; needs `[heat]`");
    t.add("fixed", of(Kind::flag), &Group::fixed,
          "`true`: the particles neither move nor rotate, count as infinitely heavy and do not "
          "touch each other. Use them for floors and funnels of spheres");
    return t.rule([](const TomlTable& table, const Group& group, Reading& reading) {
        for (const std::string_view key : {"velocity", "angular_velocity"}) {
            if (group.fixed && table.has(key))
                table.fail(key, "is given in addition to fixed; fixed particles do not move");
        }
        const auto* const random = std::get_if<RandomPlaces>(&group.places);
        if (group.fixed && random != nullptr && random->pour)
            table.fail("pour", "is given in addition to fixed; fixed particles do not come");
        if (group.radii && !std::holds_alternative<RandomPlaces>(group.places))
            table.fail("radii", "is for particles at random places");
        if (group.radii && table.has("disorder"))
            table.fail("disorder", "is given in addition to radii; give one of the two");
        if (table.has("seed") && group.disorder == 0.0 && !group.random_orientation &&
            !std::holds_alternative<RandomPlaces>(group.places))
            reading.no_effect(table.key("seed"), "nothing here is random");
    });
}

}  // namespace

Table<packing::Scenario> particles_row() {
    Table<packing::Scenario> t;
    t.tables(plain("particles", Kind::tables, "groups of particles, in order")
                 .needed("at least one [[particles]]: a packing needs particles"),
             &packing::Scenario::groups, group_table());
    return t.rule([](const TomlTable& root, const packing::Scenario& scenario, Reading& reading) {
        double count = 0.0;
        const std::optional<double> length = scenario.groups.front().length;
        if (length && reading.dimension != 2)
            root.fail("particles.0.length", "makes cylinders, which need dimension = 2");
        for (std::size_t i = 0; i < scenario.groups.size(); ++i) {
            const Group& group = scenario.groups[i];
            if (group.length != length) {
                root.fail(fmt::format("particles.{}.length", group.length ? i : 0),
                          "is not that of another group; give all groups the same length, or none");
            }
            count += group.particles();
            if (count > most_particles) {
                const bool random = std::holds_alternative<RandomPlaces>(group.places);
                root.fail(fmt::format("particles.{}.{}", i, random ? "random" : "cells"),
                          fmt::format("makes {:.4g} particles so far; at most {:.0f} are possible",
                                      count, most_particles));
            }
        }
        reading.bodies = static_cast<std::int64_t>(count);
    });
}

}  // namespace beadwave::io
