#include "io/scenario/packing_reader.hpp"

#include "beadwave/input_error.hpp"
#include "io/scenario/common_reader.hpp"
#include "io/scenario/end_reader.hpp"
#include "io/scenario/law_reader.hpp"
#include "io/scenario/particle_file.hpp"
#include "io/scenario/segment_reader.hpp"
#include "io/toml/number_range.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>
#include <utility>

namespace beadwave::io {
namespace {

using packing::Vec3;

constexpr double most_particles = 1u << 30;

/// Three numbers; two are enough in the plane.
std::optional<Vec3> read_vector(const TomlTable& table, std::string_view name, int dimension,
                                std::string_view unit) {
    const auto list = table.numbers(name, dimension == 2 ? 2 : 3, 3, unit);
    if (!list) return std::nullopt;
    return Vec3{(*list)[0], (*list)[1], list->size() == 3 ? (*list)[2] : 0.0};
}

Vec3 need_vector(const TomlTable& table, std::string_view name, int dimension,
                 std::string_view unit) {
    return table.need(read_vector(table, name, dimension, unit), name,
                      fmt::format("three numbers, in {}", unit));
}

std::string read_material(const TomlTable& table, const Materials& materials) {
    return table.need(read_material_name(table, materials), "material", "the name of a material");
}

// ---- particles ----

packing::Lattice read_lattice(const TomlTable& table) {
    const std::vector<std::string> known(packing::lattice_names().begin(),
                                         packing::lattice_names().end());
    const std::string wanted = fmt::format("\"{}\"", fmt::join(known, "\", \""));
    const std::string name = *table.text("lattice", wanted);
    const auto found = std::ranges::find(known, name);
    if (found == known.end())
        table.fail("lattice",
                   fmt::format("must be one of {}{}", wanted, did_you_mean(name, known)));
    return static_cast<packing::Lattice>(found - known.begin());
}

packing::CrystalPlaces read_crystal(const TomlTable& table, int dimension) {
    packing::CrystalPlaces crystal{.lattice = read_lattice(table)};
    const bool planar = is_planar(crystal.lattice);
    if (dimension == 2 && !planar)
        table.fail("lattice", R"(is not a lattice in the plane; expected "square" or "hexagonal")");
    const std::string wanted =
        planar ? "[columns, rows]" : "conventional cells along x, y and z, such as [20, 20, 20]";
    const auto cells = table.need(table.whole_numbers("cells"), "cells", wanted);
    if (cells.size() != (planar ? 2u : 3u)) table.fail("cells", fmt::format("must be {}", wanted));
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (cells[i] < 1 || cells[i] > 1'000'000'000)
            table.fail(fmt::format("cells[{}]", i), "must be a whole number from 1 to 1000000000");
        crystal.cells[i] = cells[i];
    }
    crystal.origin = read_vector(table, "origin", dimension, "m").value_or(Vec3{});
    crystal.overlap = table.number("overlap", any_number("m")).value_or(0.0);
    return crystal;
}

packing::RandomPlaces read_random(const TomlTable& table, int dimension) {
    packing::RandomPlaces random{
        .particles = *table.whole_number("random", 1, static_cast<std::int64_t>(most_particles)),
        .lower = need_vector(table, "lower", dimension, "m"),
        .upper = need_vector(table, "upper", dimension, "m")};
    return random;
}

/// The keys of each way to place particles; the first one selects it.
constexpr std::array<std::array<std::string_view, 4>, 4> kinds{
    {{"lattice", "cells", "origin", "overlap"},
     {"position"},
     {"random", "lower", "upper"},
     {"file"}}};

std::size_t read_kind(const TomlTable& table) {
    std::optional<std::size_t> kind;
    for (std::size_t k = 0; k < kinds.size(); ++k) {
        if (!table.has(kinds[k][0])) continue;
        if (kind) {
            table.fail(kinds[k][0],
                       fmt::format("is given in addition to {}; particles take one of the two",
                                   kinds[*kind][0]));
        }
        kind = k;
    }
    if (!kind) {
        table.fail("lattice",
                   "missing; place the particles by lattice, position (of one particle), "
                   "random (at random in a box) or file (CSV)");
    }
    for (std::size_t k = 0; k < kinds.size(); ++k) {
        for (const std::string_view key : kinds[k]) {
            if (k != *kind && !key.empty() && table.has(key))
                table.fail(key,
                           fmt::format("belongs to {}, not to {}", kinds[k][0], kinds[*kind][0]));
        }
    }
    return *kind;
}

packing::Group read_group(const TomlTable& table, int dimension, const Materials& materials,
                          NamedFiles& files, std::vector<std::string>& warnings) {
    table.allow_only({"lattice", "cells", "origin", "overlap", "position", "random", "lower",
                      "upper", "file", "radius", "mass", "material", "velocity", "angular_velocity",
                      "disorder", "seed", "fixed"});
    const laws::Parameter disorder{
        .name = {}, .unit = "-", .meaning = {}, .lowest = 0.0, .highest = 0.3};
    packing::Group group;
    const std::size_t kind = read_kind(table);
    const bool listed = kinds[kind][0] == "file";
    if (kind == 0) group.places = read_crystal(table, dimension);
    if (kind == 1) group.places = packing::OnePlace{need_vector(table, "position", dimension, "m")};
    if (kind == 2) group.places = read_random(table, dimension);
    if (listed) group.places = read_particles(files.read(table, "file", "CSV"), dimension);
    for (const std::string_view key : {"radius", "mass", "disorder"}) {
        if (listed && table.has(key))
            table.fail(key, "is given in addition to file, which has the radius of each particle");
    }
    if (!listed) group.radius = table.needed_number("radius", above_zero("m"));
    group.mass = table.number("mass", above_zero("kg"));
    group.material = read_material(table, materials);
    group.disorder = table.number("disorder", disorder).value_or(0.0);
    group.seed = static_cast<std::uint64_t>(
        table.whole_number("seed", 0, std::numeric_limits<std::int64_t>::max()).value_or(0));
    group.velocity = read_vector(table, "velocity", dimension, "m/s").value_or(Vec3{});
    // One component in the plane.
    const auto w = table.numbers("angular_velocity", dimension == 2 ? 1 : 3, 3, "rad/s");
    if (w && w->size() == 2)
        table.fail("angular_velocity", "must be one number or three, in rad/s");
    if (w) {
        group.angular_velocity =
            w->size() == 3 ? Vec3{(*w)[0], (*w)[1], (*w)[2]} : Vec3{0.0, 0.0, (*w)[0]};
    }
    group.fixed = table.flag("fixed").value_or(false);
    for (const std::string_view key : {"velocity", "angular_velocity"}) {
        if (group.fixed && table.has(key))
            table.fail(key, "is given in addition to fixed; fixed particles do not move");
    }
    if (table.has("seed") && group.disorder == 0.0 && kind != 2)
        warnings.push_back(
            fmt::format("{} has no effect: nothing here is random", table.key("seed")));
    return group;
}

std::vector<packing::Group> read_groups(const TomlTable& root, int dimension,
                                        const Materials& materials, NamedFiles& files,
                                        std::vector<std::string>& warnings) {
    const std::string_view wanted = "at least one [[particles]]: a packing needs particles";
    const auto tables = root.need(root.tables("particles"), "particles", wanted);
    if (tables.empty()) root.fail("particles", fmt::format("is empty; give {}", wanted));
    std::vector<packing::Group> groups;
    double count = 0.0;
    for (const TomlTable& table : tables) {
        groups.push_back(read_group(table, dimension, materials, files, warnings));
        count += groups.back().particles();
        if (count > most_particles) {
            table.fail(table.has("cells") ? "cells" : "random",
                       fmt::format("makes {:.4g} particles so far; at most {:.0f} are possible",
                                   count, most_particles));
        }
    }
    return groups;
}

// ---- walls and box ----

packing::WallPlan read_wall(const TomlTable& table, int dimension, const Materials& materials,
                            NamedFiles& files) {
    table.allow_only(
        {"point", "normal", "material", "velocity", "file", "frequency", "amplitude", "cycles"});
    packing::WallPlan wall{
        .point = need_vector(table, "point", dimension, "m"),
        .normal = need_vector(table, "normal", dimension, "any unit"),
        .velocity = read_vector(table, "velocity", dimension, "m/s").value_or(Vec3{}),
        .material = read_material(table, materials),
        .drive = {}};
    const double size = dot(wall.normal, wall.normal);
    if (!(size > 1e-200 && size < 1e200))
        table.fail("normal",
                   "must point from the wall to the particles; its length does not matter");
    bool moves = false;
    for (const std::string_view key : {"file", "frequency", "amplitude", "cycles"})
        moves = moves || table.has(key);
    if (moves) wall.drive = read_drive(table, files);
    return wall;
}

packing::Box read_box(const TomlTable& root, int dimension) {
    const auto table = root.table("box");
    if (!table) return {};
    table->allow_only({"lower", "upper", "periodic"});
    packing::Box box{.lower = need_vector(*table, "lower", dimension, "m"),
                     .upper = need_vector(*table, "upper", dimension, "m")};
    const std::string_view wanted = "which axes are periodic, such as [true, true, false]";
    const auto periodic =
        table->need(table->flags("periodic", dimension == 2 ? 2 : 3, 3), "periodic", wanted);
    std::copy(periodic.begin(), periodic.end(), box.periodic.begin());
    return box;
}

// ---- friction ----

constexpr std::array<std::pair<std::string_view, laws::FrictionLaw>, 4> friction_laws{
    {{"none", laws::FrictionLaw::none},
     {"linear", laws::FrictionLaw::linear},
     {"mindlin", laws::FrictionLaw::mindlin},
     {"mindlin-displacement", laws::FrictionLaw::mindlin_displacement}}};

laws::Friction read_friction(const TomlTable& root, std::vector<std::string>& warnings) {
    const auto table = root.table("friction");
    if (!table) return {};
    table->allow_only({"law", "coefficient", "stiffness", "damping"});
    const std::string_view wanted = R"("none", "linear", "mindlin" or "mindlin-displacement")";
    const std::string name = table->need(table->text("law", wanted), "law", wanted);
    const auto* found = std::ranges::find(friction_laws, name,
                                          &std::pair<std::string_view, laws::FrictionLaw>::first);
    if (found == friction_laws.end()) {
        std::vector<std::string> known;
        for (const auto& entry : friction_laws)
            known.emplace_back(entry.first);
        table->fail("law", fmt::format("must be {}{}", wanted, did_you_mean(name, known)));
    }
    laws::Friction friction{.law = found->second};
    const bool linear = friction.law == laws::FrictionLaw::linear;
    const auto coefficient = table->number("coefficient", from_zero("-"));
    const auto stiffness = table->number("stiffness", above_zero("N/m"));
    const auto damping = table->number("damping", from_zero("N s/m"));
    if (friction.law != laws::FrictionLaw::none)
        friction.coefficient = table->need(coefficient, "coefficient", from_zero("-").allowed());
    if (linear) {
        friction.stiffness = table->need(stiffness, "stiffness", above_zero("N/m").allowed());
        friction.damping = damping.value_or(0.0);
    }
    const auto no_effect = [&](std::string_view key, bool takes) {
        if (table->has(key) && !takes)
            warnings.push_back(
                fmt::format("friction.{} has no effect: law {} does not use it", key, name));
    };
    no_effect("coefficient", friction.law != laws::FrictionLaw::none);
    no_effect("stiffness", linear);
    no_effect("damping", linear);
    return friction;
}

/// [rolling] and [twisting].
laws::Rolling read_rolling(const TomlTable& root) {
    laws::Rolling rolling;
    if (const auto table = root.table("rolling")) {
        table->allow_only({"coefficient", "damping_ratio"});
        rolling.coefficient = table->number("coefficient", from_zero("-")).value_or(0.0);
        rolling.damping_ratio = table->number("damping_ratio", from_zero("-")).value_or(0.0);
    }
    if (const auto table = root.table("twisting")) {
        table->allow_only({"coefficient"});
        rolling.twisting_coefficient = table->number("coefficient", from_zero("-")).value_or(0.0);
    }
    return rolling;
}

Vec3 read_gravity(const TomlTable& root, int dimension) {
    const auto table = root.table("gravity");
    if (!table) return {};
    table->allow_only({"acceleration"});
    return need_vector(*table, "acceleration", dimension, "m/s^2");
}

}  // namespace

ReadPacking read_packing(TomlDocument document, NamedFiles files) {
    const TomlTable root = document.root();
    root.allow_only({"title", "material", "dimension", "particles", "wall", "box", "law",
                     "friction", "rolling", "twisting", "gravity", "time", "sensors", "snapshots",
                     "energy", "checkpoint"});
    ReadPacking result;
    packing::Scenario& scenario = result.scenario;
    scenario.title = root.text("title").value_or("");
    scenario.materials = read_materials(root);
    const int dimension = static_cast<int>(root.whole_number("dimension", 2, 3).value_or(3));
    scenario.dimension = dimension;
    scenario.groups = read_groups(root, dimension, scenario.materials, files, result.warnings);
    for (const TomlTable& table : root.tables("wall").value_or(std::vector<TomlTable>{}))
        scenario.walls.push_back(read_wall(table, dimension, scenario.materials, files));
    scenario.box = read_box(root, dimension);
    scenario.law = read_law(root, std::nullopt, files, result.warnings);
    scenario.friction = read_friction(root, result.warnings);
    scenario.rolling = read_rolling(root);
    scenario.gravity = read_gravity(root, dimension);
    scenario.time = read_time(root, SleepSpeed::unknown);
    scenario.sensors = read_sensors(root, "particles", "particle",
                                    static_cast<std::int64_t>(scenario.particle_count()));
    scenario.snapshot_interval = read_single(root, "snapshots", "interval", "s");
    scenario.energy_interval = read_single(root, "energy", "interval", "s");
    scenario.checkpoints = read_checkpoints(root);
    scenario.text = std::move(document.text);
    scenario.file_texts = files.texts();
    scenario.origin = std::move(document.origin);
    return result;
}

ReadPacking read_packing_text(std::string text, const std::string& name,
                              std::map<std::string, std::string> file_texts) {
    return read_packing(parse_toml(std::move(text), name),
                        NamedFiles::from_texts(std::move(file_texts)));
}

}  // namespace beadwave::io
