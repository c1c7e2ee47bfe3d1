#include "packing/contacts/pair_laws.hpp"

#include "beadwave/laws/catalogue.hpp"
#include "beadwave/laws/line_catalogue.hpp"
#include "laws/tangential/make_dashpot.hpp"
#include "stepping/thread_error.hpp"

#include <algorithm>
#include <atomic>
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
    auto last = kinds.end();
    packing.each_alike([&](std::size_t i, std::size_t end) {
        if (!few_kinds_) return;
        const auto key = std::tuple(std::bit_cast<std::uint64_t>(packing.radius[i]),
                                    std::bit_cast<std::uint64_t>(packing.mass[i]),
                                    std::bit_cast<std::uint64_t>(packing.inertia[i]),
                                    unsigned{packing.species[i]}, is_held(i));
        if (last == kinds.end() || last->first != key)
            last = kinds.try_emplace(key, static_cast<std::uint32_t>(kinds.size())).first;
        particle_kind_.append_alike(end - i, last->second);
        few_kinds_ = kinds.size() <= max_kinds;
    });
    stick_slip_ = laws::needs_stick_slip(packing.friction);
    for (const PairSettings& pair : packing.pairs)
        stick_slip_ = stick_slip_ || laws::needs_stick_slip(pair.friction);
    particle_kinds_ = static_cast<std::uint32_t>(kinds.size());
    if (!few_kinds_) particle_kind_ = {};
    if (n > 0) example_law_ = make(0, 0);
}

PairLaws::Sample PairLaws::sample(std::size_t particle) const {
    return {packing_.radius[particle], packing_.mass[particle], packing_.inertia[particle],
            packing_.species[particle], is_held(particle)};
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
    const std::size_t n = packing_.particles();
    const bool wall = second >= n;
    const Sample one = sample(first);
    Sample two{
        .radius = infinite, .mass = infinite, .inertia = infinite, .species = 0, .held = true};
    if (wall) {
        two.species = p.walls[second - n].species;
    } else {
        two = sample(second);
    }
    const std::size_t first_species = one.species, second_species = two.species;
    const laws::Elasticity& a = p.species_list[first_species].elasticity;
    const laws::Elasticity& b = p.species_list[second_species].elasticity;
    const PairSettings& settings = settings_of(first_species, second_species);
    // A fixed particle does not move, so it counts as infinitely heavy.
    const double radius = one.radius, other = two.radius;
    const double mass = one.held ? infinite : one.mass;
    const double other_mass = two.held ? infinite : two.mass;
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
    const double inertia =
        laws::effective_mass(one.held ? infinite : one.inertia, two.held ? infinite : two.inertia);
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

/// Where each pair has its own laws, its bodies; else their kinds, whatever their order.
std::uint64_t PairLaws::key_of(std::uint32_t first, std::uint32_t second) const {
    if (!few_kinds_) return std::uint64_t{first} << 32 | second;
    const std::size_t n = packing_.particles();
    std::uint64_t a = particle_kind_[first];
    std::uint64_t b =
        second < n ? particle_kind_[second] : particle_kinds_ + packing_.walls[second - n].species;
    if (a > b) std::swap(a, b);
    return a << 32 | b;
}

std::size_t PairLaws::place_of(std::uint64_t key) const {
    constexpr std::uint64_t golden = 0x9E3779B97F4A7C15;  // 2^64 over the golden ratio
    const std::size_t mask = places_.size() - 1;
    std::size_t at = static_cast<std::size_t>(key * golden >> 20) & mask;
    while (places_[at].kind != unknown && places_[at].key != key)
        at = (at + 1) & mask;
    return at;
}

std::uint32_t PairLaws::known_kind(std::uint32_t first, std::uint32_t second) {
    const std::uint64_t key = key_of(first, second);
    if (few_kinds_) {
        const auto at = kind_of_pair_.find(key);
        return at != kind_of_pair_.end() ? at->second : unknown;
    }
    if (places_.empty()) return unknown;
    const std::uint32_t kind = places_[place_of(key)].kind;
    if (kind != unknown) ask_for(kind);
    return kind;
}

void PairLaws::ask_for(std::uint32_t kind) {
    std::atomic_ref(asked_for_[kind]).store(1, std::memory_order_relaxed);
}

std::uint32_t PairLaws::add(std::uint64_t key, PairLaw law) {
    const auto kind = static_cast<std::uint32_t>(made_.size());
    made_.push_back(std::move(law));
    if (few_kinds_) {
        kind_of_pair_.emplace(key, kind);
        return kind;
    }
    key_of_kind_.push_back(key);
    asked_for_.push_back(1);
    if (3 * made_.size() > 2 * places_.size()) {
        make_places(made_.size());
    } else {
        places_[place_of(key)] = {key, kind};
    }
    return kind;
}

void PairLaws::make_places(std::size_t kinds) {
    places_.assign(std::bit_ceil(2 * kinds + 2), {});
    for (std::uint32_t kind = 0; kind < kinds; ++kind)
        places_[place_of(key_of_kind_[kind])] = {key_of_kind_[kind], kind};
}

std::uint32_t PairLaws::kind(std::uint32_t first, std::uint32_t second) {
    const std::uint32_t known = known_kind(first, second);
    return known != unknown ? known : add(key_of(first, second), make(first, second));
}

std::vector<std::uint32_t> PairLaws::kinds_of(
    std::span<const std::pair<std::uint32_t, std::uint32_t>> pairs, int threads) {
    std::vector<std::uint32_t> kinds(pairs.size());
#pragma omp parallel for num_threads(threads) if (threads > 1)
    for (std::size_t p = 0; p < pairs.size(); ++p)
        kinds[p] = known_kind(pairs[p].first, pairs[p].second);
    if (few_kinds_) {
        for (std::size_t p = 0; p < pairs.size(); ++p)
            if (kinds[p] == unknown) kinds[p] = kind(pairs[p].first, pairs[p].second);
        return kinds;
    }
    std::vector<std::size_t> missing;
    for (std::size_t p = 0; p < pairs.size(); ++p)
        if (kinds[p] == unknown) missing.push_back(p);
    // A law of a pair has a few hundred bytes: room for no more than are needed, and in parts.
    if (const std::size_t needed = made_.size() + missing.size(); needed > made_.capacity())
        made_.reserve(std::max(needed, made_.size() + made_.size() / 4));
    constexpr std::size_t most = 1 << 13;
    std::vector<PairLaw> made(std::min(most, missing.size()));
    stepping::ThreadError error;
    for (std::size_t from = 0; from < missing.size(); from += most) {
        const std::size_t count = std::min(most, missing.size() - from);
#pragma omp parallel for num_threads(threads) if (threads > 1)
        for (std::size_t k = 0; k < count; ++k) {
            const std::pair<std::uint32_t, std::uint32_t>& pair = pairs[missing[from + k]];
            error.guard([&] { made[k] = make(pair.first, pair.second); });
        }
        error.rethrow();
        for (std::size_t k = 0; k < count; ++k) {
            const std::size_t p = missing[from + k];
            const std::uint64_t key = key_of(pairs[p].first, pairs[p].second);
            // Two images of a particle have the same laws.
            const std::uint32_t known = known_kind(pairs[p].first, pairs[p].second);
            kinds[p] = known != unknown ? known : add(key, std::move(made[k]));
        }
    }
    return kinds;
}

void PairLaws::forget() {
    if (few_kinds_) return;
    renumbered_.clear();
    const auto kept = static_cast<std::size_t>(std::ranges::count(asked_for_, 1));
    if (4 * made_.size() > 5 * kept) {
        std::size_t to = 0;
        renumbered_.assign(made_.size(), unknown);
        for (std::size_t kind = 0; kind < made_.size(); ++kind) {
            if (asked_for_[kind] == 0) continue;
            renumbered_[kind] = static_cast<std::uint32_t>(to);
            if (to != kind) made_[to] = std::move(made_[kind]);
            key_of_kind_[to++] = key_of_kind_[kind];
        }
        made_.resize(to);
        key_of_kind_.resize(to);
        asked_for_.resize(to);
        make_places(to);
    }
    std::ranges::fill(asked_for_, 0);
}

std::uint32_t PairLaws::keep(std::uint32_t kind) {
    if (few_kinds_) return kind;
    if (!renumbered_.empty()) kind = renumbered_[kind];
    ask_for(kind);
    return kind;
}

}  // namespace beadwave::packing
