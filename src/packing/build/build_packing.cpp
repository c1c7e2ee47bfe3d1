#include "base/machine_memory.hpp"
#include "laws/tangential/any_slider.hpp"
#include "packing/build/build_laws.hpp"
#include "packing/build/particle_builder.hpp"
#include "packing/build/particle_shapes.hpp"
#include "packing/build/region.hpp"
#include "packing/build/scenario.hpp"
#include "packing/build/shared_check.hpp"
#include "packing/contacts/pair_laws.hpp"
#include "packing/device/missing_on_devices.hpp"
#include "packing/elements/build_elements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <stdexcept>

namespace beadwave::packing {
namespace {

/// [press]
void press_into_shape(const Scenario& scenario, Packing& packing) {
    // Driven particles are free while the packing is pressed.
    std::vector<char> prescribed = std::exchange(packing.prescribed, {});
    at_key(scenario, "press", [&] { return press(packing, *scenario.press); });
    packing.prescribed = std::move(prescribed);
    if (const std::string wrong = validate(packing); !wrong.empty())
        scenario.origin.fail("press", fmt::format("makes a packing that cannot run: {}", wrong));
}

/// Radius of the smallest particle that is free to move, of clumps of the smallest sphere [m]; of
/// all particles if all are fixed.
double smallest_free_radius(const Packing& packing) {
    double least = std::numeric_limits<double>::infinity();
    packing.each_alike([&](std::size_t i, std::size_t) {
        const double radius = packing.is_clump(i) ? smallest_size(packing, i) : packing.radius[i];
        if (!packing.is_fixed(i)) least = std::min(least, radius);
    });
    return std::isfinite(least) ? least : packing.radius.smallest();
}

/// Loose particles would leave a thin skin within a few steps: half of the smallest radius, where
/// steps leave out most pairs that are apart, and three tenths otherwise. Among larger ones small
/// ones are far from each other, and a wider skin adds few pairs. Those per particle grow with the
/// skin as one over the length d below, if all are packed equally densely: pairs have a surface of
/// 4 pi (r + r')^2, and particles a volume of 4/3 pi r^3. Lists are as many as one over the skin,
/// so the sum of both costs is least at a skin as sqrt(d). Small particles by themselves are packed
/// more densely than this assumes; up to their radius it still pays.
double loose_skin(const Packing& packing) {
    const double smallest = smallest_free_radius(packing);
    if (packing.has_shapes() || packing.dimension == 2) return 0.3 * smallest;
    const double least = may_leave_out_pairs(packing) ? 0.5 : 0.3;
    double count = 0.0, first = 0.0, second = 0.0, third = 0.0;  // sums of powers of radii
    packing.each_alike([&](std::size_t i, std::size_t end) {
        if (packing.is_fixed(i)) return;
        const double r = packing.radius[i] / smallest;
        for (std::size_t k = i; k < end; ++k) {
            count += 1.0;
            first += r;
            second += r * r;
            third += r * r * r;
        }
    });
    if (count == 0.0) return least * smallest;
    const double d = 2.0 * third / (second + first * first / count);  // 1: all are alike
    return std::clamp(0.2 * std::sqrt(d), least, 1.0) * smallest;
}

/// The first key of a table of elements that is given.
const char* first_element(const ElementPlans& plans) {
    return !plans.foundations.empty()  ? "foundation"
           : !plans.resonators.empty() ? "resonator"
           : !plans.loads.empty()      ? "load"
           : !plans.drives.empty()     ? "drive"
                                       : "bond";
}

/// The key of the pour with this number.
std::string key_of_pour(const Scenario& scenario, std::size_t number) {
    for (std::size_t g = 0; g < scenario.groups.size(); ++g) {
        const auto* const random = std::get_if<RandomPlaces>(&scenario.groups[g].places);
        if (random != nullptr && random->pour && number-- == 0)
            return fmt::format("particles.{}.pour", g);
    }
    return "particles";
}

/// A message of validate(), "PART: ..." or "PART NUMBER: ..." or a sentence, with the part of the
/// file that it refers to in place of the body's name.
[[noreturn]] void refuse(const Scenario& scenario, const std::string& wrong) {
    const std::size_t colon = std::min(wrong.find(": "), wrong.size());
    const std::string part = wrong.substr(0, colon);
    const std::string what = wrong.substr(std::min(colon + 2, wrong.size()));
    for (const char* name : {"box", "device", "exit", "friction", "precision", "rolling"}) {
        if (part == name) scenario.origin.fail(name, what);
    }
    if (part == "measure") scenario.origin.fail("measure.upper", what);
    if (part == "pour") scenario.origin.fail(key_of_pour(scenario, 0), what);
    if (part.starts_with("pour "))
        scenario.origin.fail(key_of_pour(scenario, std::stoul(part.substr(5))), what);
    for (const char* name : {"exit", "pair", "wall"}) {
        if (part.starts_with(fmt::format("{} ", name)))
            scenario.origin.fail(fmt::format("{}.{}", name, part.substr(5)), what);
    }
    for (const char* element : {"foundation", "resonator", "load", "drive", "bond"}) {
        if (wrong.starts_with(fmt::format("{} ", element))) scenario.origin.fail(element, wrong);
    }
    if (wrong.starts_with("foundation, "))  // what ellipsoids do not carry
        scenario.origin.fail(first_element(scenario.elements), what);
    if (wrong.starts_with("law ")) scenario.origin.fail("law.name", wrong);
    scenario.origin.fail(wrong.starts_with("gravity") ? "gravity.acceleration" : "particles",
                         wrong);
}

/// The groups, walls and laws of a scenario with only a few particles.
Scenario short_scenario(const Scenario& scenario) {
    Scenario few = scenario;
    for (Group& group : few.groups) {
        if (auto* const crystal = std::get_if<CrystalPlaces>(&group.places))
            crystal->cells = {1, 1, 1};
        if (auto* const random = std::get_if<RandomPlaces>(&group.places))
            random->particles = std::min<std::int64_t>(random->particles, 1);
    }
    few.press.reset();
    few.elements = {};
    return few;
}

Packing built(const Scenario& scenario, ranks::Communicator* ranks) {
    ParticleBuilder builder(scenario);
    Packing& packing = builder.packing;
    packing.dimension = scenario.dimension;
    if (scenario.has_line_contacts()) packing.length = *scenario.groups.front().length;
    packing.box = scenario.box;
    packing.gravity = scenario.gravity;
    packing.law = scenario.law;
    packing.friction = scenario.friction;
    packing.rolling = scenario.rolling;
    packing.precision = scenario.precision;
    packing.place = scenario.place;
    std::vector<std::size_t> group_begin{0};
    for (std::size_t g = 0; g < scenario.groups.size(); ++g) {
        builder.add_group(g);
        group_begin.push_back(packing.particles());
    }
    for (const WallPlan& wall : scenario.walls)
        builder.add_wall(wall);
    packing.exits = scenario.exits;
    add_pairs(scenario, packing);
    add_elements(scenario, group_begin, packing);
    if (auto& strain = packing.box.strain; strain && strain->mass == 0.0)
        strain->mass = std::accumulate(packing.mass.begin(), packing.mass.end(), 0.0);
    const bool loose = std::ranges::any_of(scenario.groups, [](const Group& group) {
        return !std::holds_alternative<CrystalPlaces>(group.places);
    });
    if (loose && packing.particles() > 1) packing.skin = loose_skin(packing);
    if (const auto& measures = scenario.measures; measures && measures->lower)
        packing.region = {.lower = *measures->lower, .upper = *measures->upper};
    const std::string wrong = validate(packing, ranks);
    if (!wrong.empty()) refuse(scenario, wrong);
    if (const char axis = scenario.measures ? unbounded_axis(packing) : char{0}; axis != 0) {
        scenario.origin.fail(
            "measure.lower",
            fmt::format("missing: along {} the packing is neither periodic nor between two plane "
                        "walls that face each other; give lower and upper, the corners of the "
                        "region",
                        axis));
    }
    if (scenario.measures && scenario.measures->grid) {
        if (const std::string fault = fault_of(*scenario.measures->grid, packing); !fault.empty())
            scenario.origin.fail("measure.grid", fault);
    }
    resolve_impact_speed(scenario, packing);
    check_laws(scenario, packing);
    if (packing.place != Place::host) {
        const std::string lacks = law_missing_on_devices(PairLaws(packing).normal(), packing.law);
        if (!lacks.empty()) scenario.origin.fail("device", lacks);
    }
    if (scenario.press) press_into_shape(scenario, packing);
    return std::move(packing);
}

}  // namespace

Packing build_packing(const Scenario& scenario, ranks::Communicator* ranks) {
    constexpr double max_per_particle = 4000.0;  // smaller packings are not checked
    const double memory = machine_memory();
    if (max_per_particle * scenario.particle_count() > memory) {
        const double needed = memory_needed(scenario, built(short_scenario(scenario), nullptr));
        if (needed > memory) {
            scenario.origin.fail(
                "particles",
                fmt::format(
                    "{:g} particles need {:.3g} GB of memory or more; this machine has {:.3g}",
                    scenario.particle_count(), needed / 1e9, memory / 1e9));
        }
    }
    return built(scenario, ranks);
}

}  // namespace beadwave::packing
