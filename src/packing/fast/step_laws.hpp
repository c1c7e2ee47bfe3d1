// The laws of all pairs, as the steps of the fast engine need them.
#pragma once

#include "law_table.hpp"
#include "packing/contacts/pair_laws.hpp"
#include "packing_kernel.hpp"
#include "simd/instruction_sets.hpp"

namespace beadwave::packing {

struct StepLaws {
    StepLaws(const Packing& packing, const simd::InstructionSet& instructions);

    PairLaws pairs;
    PackingKernel kernel;
    laws::LawTraits traits;
    laws::AnySlider slider;
    bool slides, rolls;
    LawTable table;  ///< of the entries of a list

    /// For a new list, whose entries have their kinds.
    void build_table(const PairEntries& entries, const ListedPairs& listed, int threads) {
        table.build(pairs, rolls, entries, listed, threads);
    }
};

}  // namespace beadwave::packing
