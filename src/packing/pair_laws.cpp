#include "packing/pair_laws.hpp"

#include "beadwave/laws/catalogue.hpp"
#include "beadwave/laws/line_catalogue.hpp"
#include "laws/tangential/make_dashpot.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <tuple>

namespace beadwave::packing {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

}  // namespace

PairLaws::PairLaws(const Packing& packing)
    : packing_(packing),
      of_others_{.law = packing.law, .friction = packing.friction, .rolling = packing.rolling},
      held_(packing.held()) {
    std::map<std::tuple<std::uint64_t, std::uint64_t, std::uint64_t, unsigned, bool>, std::uint32_t>
        kinds;
    const std::size_t n = packing.particles();
    particle_kind_.reserve(n);
    for (std::size_t i = 0; i < n && few_kinds_; ++i) {
        const auto key = std::tuple(std::bit_cast<std::uint64_t>(packing.radius[i]),
                                    std::bit_cast<std::uint64_t>(packing.mass[i]),
                                    std::bit_cast<std::uint64_t>(packing.inertia[i]),
                                    unsigned{packing.species[i]}, is_held(i));
        const auto [at, is_new] = kinds.try_emplace(key, static_cast<std::uint32_t>(kinds.size()));
        particle_kind_.push_back(at->second);
        few_kinds_ = kinds.size() <= max_kinds;
    }
    stick_slip_ = laws::needs_stick_slip(packing.friction);
    for (const PairSettings& pair : packing.pairs)
        stick_slip_ = stick_slip_ || laws::needs_stick_slip(pair.friction);
    particle_kinds_ = static_cast<std::uint32_t>(kinds.size());
    if (!few_kinds_) particle_kind_ = std::vector<std::uint32_t>();
    if (n > 0) example_law_ = make(0, 0);
}

const PairSettings& PairLaws::settings_of(std::size_t first, std::size_t second) const {
    for (const PairSettings& pair : packing_.pairs) {
        if (pair.species == std::array{first, second} || pair.species == std::array{second, first})
            return pair;
    }
    return of_others_;
}

PairLaw PairLaws::make(std::uint32_t first, std::uint32_t second) const {
    const Packing& p = packing_;
    const std::size_t n = p.particles();
    const bool wall = second >= n;
    const std::size_t first_species = p.species[first];
    const std::size_t second_species = wall ? p.walls[second - n].species : p.species[second];
    const laws::Elasticity& a = p.species_list[first_species].elasticity;
    const laws::Elasticity& b = p.species_list[second_species].elasticity;
    const PairSettings& settings = settings_of(first_species, second_species);
    // A fixed particle does not move, so it counts as infinitely heavy.
    const auto heavy = [&](std::uint32_t body) { return body >= n || is_held(body); };
    const double radius = p.radius[first], other = wall ? infinite : p.radius[second];
    const double mass = heavy(first) ? infinite : p.mass[first];
    const double other_mass = heavy(second) ? infinite : p.mass[second];
    if (p.has_line_contacts()) {
        const laws::LineContact contact = laws::external_line_contact(
            {radius, p.length, mass, a}, {other, p.length, other_mass, b});
        // The linear slider is the only one here: it takes no radius and no modulus.
        return {.normal = laws::make_line_force(contact, settings.law),
                .slider = laws::make_slider(settings.friction, 0.0, 0.0, {}, stick_slip_),
                .rolling = laws::make_rolling({}, 0.0, 0.0, 0.0),
                .radii = wall ? radius : radius + other,
                .wall = wall};
    }
    const laws::Contact contact = laws::sphere_contact(radius, mass, a, other, other_mass, b);
    const double shear = laws::effective_shear_modulus(a, b);
    const double inertia = laws::effective_mass(heavy(first) ? infinite : p.inertia[first],
                                                heavy(second) ? infinite : p.inertia[second]);
    const laws::AnyLaw normal = laws::make(contact, settings.law);
    const laws::TangentialDashpot dashpot =
        laws::make_dashpot(settings.friction, contact, shear, normal, settings.law);
    return {
        .normal = normal,
        .slider = laws::make_slider(settings.friction, contact.radius, shear, dashpot, stick_slip_),
        .rolling = laws::make_rolling(settings.rolling, contact.radius, shear, inertia),
        .radii = wall ? radius : radius + other,
        .wall = wall};
}

/// The key of the kinds of two bodies, which does not depend on their order.
std::uint64_t PairLaws::key_of(std::uint32_t first, std::uint32_t second) const {
    const std::size_t n = packing_.particles();
    std::uint64_t a = particle_kind_[first];
    std::uint64_t b =
        second < n ? particle_kind_[second] : particle_kinds_ + packing_.walls[second - n].species;
    if (a > b) std::swap(a, b);
    return a << 32 | b;
}

std::uint32_t PairLaws::known_kind(std::uint32_t first, std::uint32_t second) const {
    if (!few_kinds_) return unknown;
    const auto at = kind_of_pair_.find(key_of(first, second));
    return at != kind_of_pair_.end() ? at->second : unknown;
}

std::uint32_t PairLaws::kind(std::uint32_t first, std::uint32_t second) {
    if (!few_kinds_) {
        made_.push_back(make(first, second));
        return static_cast<std::uint32_t>(made_.size() - 1);
    }
    const auto [at, is_new] =
        kind_of_pair_.try_emplace(key_of(first, second), static_cast<std::uint32_t>(made_.size()));
    if (is_new) made_.push_back(make(first, second));
    return at->second;
}

void PairLaws::forget() {
    if (!few_kinds_) made_.clear();
}

}  // namespace beadwave::packing
