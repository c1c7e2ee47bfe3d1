// The laws of a packing's pairs. If there are few kinds of particles, all pairs of the same two
// kinds share one set of laws. Otherwise each pair has its own.
#pragma once

#include "beadwave/laws/any_law.hpp"
#include "laws/tangential/any_slider.hpp"
#include "packing/packing.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace beadwave::packing {

struct PairLaw {
    laws::AnyLaw normal;
    laws::AnySlider slider;
    laws::RollingSlider<double> rolling;
    double radii = 1.0;  ///< sum of the radii; a wall has none [m]
    bool wall = false;
};

/// Each pair of particles of all sizes has laws of its own, far from those of the next pair: who
/// needs those of many fetches them so many pairs ahead.
inline constexpr std::size_t laws_ahead = 8;
inline void prefetch(const PairLaw& law) {
    const auto* const from = reinterpret_cast<const char*>(&law);
    for (std::size_t k = 0; k < sizeof law; k += 64)
        __builtin_prefetch(from + k);
}

class PairLaws {
  public:
    explicit PairLaws(const Packing& packing);

    /// Index of the laws between particle `first` and `second`, a particle or particles() + a wall.
    /// Makes the laws on the first call. Throws InputError if a law cannot be made.
    std::uint32_t kind(std::uint32_t first, std::uint32_t second);
    /// The kinds of many pairs, on threads. Throws as kind().
    std::vector<std::uint32_t> kinds_of(
        std::span<const std::pair<std::uint32_t, std::uint32_t>> pairs, int threads);
    const PairLaw& law(std::uint32_t kind) const { return made_[kind]; }
    std::size_t kinds() const { return made_.size(); }
    /// The settings that the laws between two species are made from.
    const PairSettings& settings_of(std::size_t first_species, std::size_t second_species) const;

    /// A new list begins: if each pair has its own laws, those that no pair of the old list had may
    /// be discarded, and the other kinds get new numbers.
    void forget();
    /// After that: the number now of a kind that a pair of the old list had. Threads may call it.
    std::uint32_t keep(std::uint32_t kind);

    /// Kind of each particle: those of one kind have the same laws. Empty: each pair has its own.
    const ParticleColumn<std::uint32_t>& particle_kinds() const { return particle_kind_; }

    /// A law of the type that all pairs have.
    const laws::AnyLaw& normal() const { return example_law_.normal; }
    const laws::AnySlider& slider() const { return example_law_.slider; }

    static constexpr std::uint32_t unknown = 0xFFFFFFFFU;

  private:
    static constexpr std::size_t max_kinds = 1024;

    /// The kinds of pairs in which each has its own: a table with open addressing.
    struct Place {
        std::uint64_t key = 0;
        std::uint32_t kind = unknown;
    };

    /// What the laws need of a particle.
    struct Sample {
        double radius, mass, inertia;
        std::size_t species;
        bool held;
    };

    Sample sample(std::size_t particle) const;
    std::uint64_t key_of(std::uint32_t first, std::uint32_t second) const;
    /// Where the key is in the table, or the empty place where it belongs.
    std::size_t place_of(std::uint64_t key) const;
    /// The index of laws that have been made before, else `unknown`. Threads may call it.
    std::uint32_t known_kind(std::uint32_t first, std::uint32_t second);
    std::uint32_t add(std::uint64_t key, PairLaw law);
    void ask_for(std::uint32_t kind);
    void make_places(std::size_t kinds);
    PairLaw make(std::uint32_t first, std::uint32_t second) const;
    bool is_held(std::size_t particle) const { return !held_.empty() && held_[particle] != 0; }

    const Packing& packing_;
    PairSettings of_others_;  // of species without settings of their own
    std::vector<char> held_;  // at the start: particles that are not there yet are not held
    bool few_kinds_ = true;
    bool stick_slip_ = false;                      // sliders of all pairs have one type
    ParticleColumn<std::uint32_t> particle_kind_;  // empty if each pair has its own laws
    std::uint32_t particle_kinds_ = 0;
    std::unordered_map<std::uint64_t, std::uint32_t> kind_of_pair_;  // of few kinds
    std::vector<Place> places_;                                      // a power of two
    std::vector<std::uint64_t> key_of_kind_;
    std::vector<char> asked_for_;            // of each kind, since the list began
    std::vector<std::uint32_t> renumbered_;  // kinds by forget(); empty: none has a new number
    std::vector<PairLaw> made_;
    PairLaw example_law_;
};

}  // namespace beadwave::packing
