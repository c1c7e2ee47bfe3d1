#include "subjects/packing/sorted_particles.hpp"

#include "io/toml/toml_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>
#include <set>

namespace beadwave::io {

double volume_of(double r) {
    return 4.0 / 3.0 * std::numbers::pi * (r * r * r);
}

void SortedParticles::add(std::int64_t id, std::optional<std::int64_t> type,
                          const packing::ListedParticle& particle) {
    if (!(particle.radius > 0.0)) {
        lines_.fail(
            fmt::format("the radius is {:g}; expected a number above 0, in m", particle.radius));
    }
    all_.push_back(
        {.id = id, .type = type, .line_number = lines_.line_number(), .particle = particle});
}

void SortedParticles::sort() {
    std::ranges::sort(all_, [](const One& a, const One& b) {
        return a.id != b.id ? a.id < b.id : a.line_number < b.line_number;
    });
    const auto twin = std::ranges::adjacent_find(all_, {}, &One::id);
    if (twin == all_.end()) return;
    lines_.fail_at((twin + 1)->line_number,
                   fmt::format("id {} is also on line {}; expected one line per particle", twin->id,
                               twin->line_number));
}

packing::ListedParticle* SortedParticles::find(std::int64_t id) {
    const auto found = std::ranges::lower_bound(all_, id, {}, &One::id);
    return found == all_.end() || found->id != id ? nullptr : &found->particle;
}

LammpsParticles SortedParticles::of(std::optional<std::int64_t> type) const {
    LammpsParticles read;
    std::set<std::int64_t> types;
    for (const One& one : all_) {
        if (one.type) types.insert(*one.type);
        if (!type || one.type == type) read.places.particles.push_back(one.particle);
    }
    read.types.assign(types.begin(), types.end());
    if (type && types.empty()) lines_.fail("no column type; expected it for particles of one type");
    if (read.places.particles.empty()) {
        std::vector<std::string> found;
        for (const std::int64_t each : read.types)
            found.push_back(std::to_string(each));
        lines_.fail(fmt::format("no particle of type {}; found the types {}", *type,
                                comma_separated(found)));
    }
    return read;
}

}  // namespace beadwave::io
