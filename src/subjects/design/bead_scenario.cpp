#include "subjects/design/bead_scenario.hpp"

#include "beadwave/input_error.hpp"
#include "io/toml/toml_text.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace beadwave::tasks {
namespace {

using design::Kind;
using design::Numbers;
namespace fs = std::filesystem;

toml::table& table_in(toml::table& parent, const char* name) {
    if (!parent.contains(name)) parent.insert(name, toml::table{});
    return *parent.get_as<toml::table>(name);
}

/// The table of an end, also if the scenario has a word in its place; null: it has none, or no
/// wall.
toml::table* wall_in(toml::table& root, const char* side) {
    if (!root.contains("boundary")) return nullptr;
    toml::table& boundary = *root.get_as<toml::table>("boundary");
    if (const auto word = boundary[side].value<std::string>()) {
        if (*word != "wall") return nullptr;
        boundary.insert_or_assign(side, toml::table{{"kind", *word}});
    }
    return boundary.get_as<toml::table>(side);
}

/// A file of the original's folder, seen from another one.
void move_file(toml::table& table, const fs::path& from, const fs::path& to) {
    const auto name = table["file"].value<std::string>();
    if (!name || fs::path(*name).is_absolute()) return;
    table.insert_or_assign(
        "file",
        fs::proximate(fs::absolute(from) / *name, fs::absolute(to)).lexically_normal().string());
}

/// All files that a scenario names, but those of segments, which a design writes out, and of
/// tabulated laws, which have no gradient.
void move_files(toml::table& root, const fs::path& from, const fs::path& to) {
    for (const char* name : {"load", "drive"}) {
        if (toml::array* const tables = root.get_as<toml::array>(name))
            tables->for_each([&](toml::table& each) { move_file(each, from, to); });
    }
    for (const char* side : {"left", "right"}) {
        if (toml::table* const wall = wall_in(root, side)) move_file(*wall, from, to);
    }
}

}  // namespace

Numbers numbers_of(const jobs::ChainJob& job) {
    const chain::Chain& chain = job.system();
    if (!std::ranges::all_of(job.scenario().segments, &chain::Segment::is_spheres)) {
        throw InputError(
            "segment: has beads that are no spheres, and designs change spheres; expected segments "
            "without shape and length");
    }
    if (job.scenario().initial) {
        throw InputError(
            fmt::format("{}: takes the place of the velocities that a design changes; expected "
                        "segment.N.velocity, and no [initial]",
                        job.scenario().initial->key));
    }
    Numbers numbers;
    numbers.of(Kind::mass) = chain.mass;
    numbers.of(Kind::radius) = chain.radius;
    numbers.of(Kind::gap) = chain.gap;
    numbers.of(Kind::velocity) = chain.velocity;
    for (std::size_t i = 0; i < chain.beads(); ++i) {
        numbers.of(Kind::youngs_modulus)
            .push_back(job.scenario()
                           .materials.at(chain.species_names[chain.species[i]])
                           .elasticity.youngs_modulus);
    }
    return numbers;
}

BeadScenario::BeadScenario(const io::TomlDocument& document, const jobs::ChainJob& job)
    : document_(document), job_(job), start_(numbers_of(job)) {}

std::string BeadScenario::text(const Numbers& numbers, const fs::path& folder,
                               bool with_step) const {
    const chain::Chain& chain = job_.system();
    const std::size_t n = chain.beads();
    const std::vector<double>&gap = numbers.of(Kind::gap),
          &modulus = numbers.of(Kind::youngs_modulus);
    toml::table root = *document_.table;
    root.erase("segment");
    if (!folder.empty()) move_files(root, fs::path(document_.origin.file()).parent_path(), folder);
    if (with_step) table_in(root, "time").insert_or_assign("step", job_.time_step());

    // Beads of one material whose moduli differ get a material each.
    toml::table& materials = table_in(root, "material");
    std::map<std::pair<std::string, double>, std::string> named;
    std::vector<std::string> material;
    for (std::size_t i = 0; i < n; ++i) {
        const std::string& own = chain.species_names[chain.species[i]];
        material.push_back(own);
        if (modulus[i] == start_.of(Kind::youngs_modulus)[i]) continue;
        const auto [place, fresh] = named.try_emplace({own, modulus[i]});
        if (fresh) {
            std::string name = fmt::format("{}_{}", own, i);
            while (materials.contains(name))
                name += '_';
            toml::table changed = *materials.get_as<toml::table>(own);
            changed.insert_or_assign("youngs_modulus", modulus[i]);
            materials.insert(name, std::move(changed));
            place->second = name;
        }
        material.back() = place->second;
    }

    // Walls keep the material that they have from their bead.
    const auto set_wall = [&](const char* side, std::size_t contact, std::size_t bead) {
        toml::table* const wall = wall_in(root, side);
        if (wall == nullptr) return;
        if (!std::isfinite(gap[contact])) return;
        if (gap[contact] != start_.of(Kind::gap)[contact])
            wall->insert_or_assign("gap", gap[contact]);
        const std::string& own = chain.species_names[chain.species[bead]];
        if (!wall->contains("material") && material[bead] != own)
            wall->insert_or_assign("material", own);
    };
    set_wall("left", 0, 0);
    set_wall("right", n, n - 1);

    std::string text = io::to_document(root);
    const auto bead = [&](std::size_t i) {
        std::string keys = fmt::format("radius = {}\nmass = {}\nmaterial = {}\n",
                                       numbers.of(Kind::radius)[i], numbers.of(Kind::mass)[i],
                                       io::to_text(toml::value<std::string>(material[i])));
        const double velocity = numbers.of(Kind::velocity)[i];
        // That of a driven bead is from its drive.
        if (velocity != 0.0 && !chain.is_held(i)) keys += fmt::format("velocity = {}\n", velocity);
        if (i > 0 && gap[i] != 0.0) keys += fmt::format("gap = {}\n", gap[i]);
        return keys;
    };
    for (std::size_t i = 0; i < n;) {
        const std::string keys = bead(i);
        std::size_t end = i + 1;
        while (end < n && bead(end) == keys)
            ++end;
        text += fmt::format("\n[[segment]]\nbeads = {}\n{}", end - i, keys);
        i = end;
    }
    return text;
}

}  // namespace beadwave::tasks
