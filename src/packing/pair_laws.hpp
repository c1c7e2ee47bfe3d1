// The laws of a packing's pairs. Where particles are of few kinds, one set of laws serves every
// pair of the same two kinds; else each pair has its own.
#pragma once

#include "beadwave/laws/any_law.hpp"
#include "laws/tangential/any_slider.hpp"
#include "packing/packing.hpp"

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace beadwave::packing {

struct PairLaw {
    laws::AnyLaw normal;
    laws::AnySlider slider;
    laws::RollingSlider<double> rolling;
};

class PairLaws {
  public:
    explicit PairLaws(const Packing& packing);

    /// Number of the laws between a particle and a particle, or particles() + a wall; they are made
    /// if nobody asked before. Throws InputError where a law cannot be made.
    std::uint32_t kind(std::uint32_t first, std::uint32_t second);
    const PairLaw& law(std::uint32_t kind) const { return made_[kind]; }
    std::size_t kinds() const { return made_.size(); }

    /// Before a new list: where each pair has its own laws, those of the old list are forgotten.
    void forget();

    /// A law of the type that all have.
    const laws::AnyLaw& normal() const { return example_.normal; }
    const laws::AnySlider& slider() const { return example_.slider; }

  private:
    static constexpr std::size_t most_kinds = 1024;

    PairLaw make(std::uint32_t first, std::uint32_t second) const;

    const Packing& packing_;
    bool few_ = true;
    std::vector<std::uint32_t> particle_kind_;  // empty where each pair has its own laws
    std::uint32_t particle_kinds_ = 0;
    std::unordered_map<std::uint64_t, std::uint32_t> known_;
    std::vector<PairLaw> made_;
    PairLaw example_;
};

}  // namespace beadwave::packing
