#include "law_facts.hpp"

#include "laws/visit_law.hpp"
#include "simd/clones.hpp"

namespace beadwave::dynamics {
namespace {

/// Where the numbers of contacts are, from the first one on.
struct ContactColumns {
    const double *approach, *gap;
    const double* memory[simd::most_fields];
};

/// Energies of `count` contacts; law(i) is that of contact i.
template <class Law, class LawOf>
BEADWAVE_CLONES void fill_energies(const ContactColumns& of, std::size_t count, const LawOf law,
                                   double* __restrict energy) {
    for (std::size_t i = 0; i < count; ++i) {
        energy[i] = law(i).stored_energy(of.approach[i] - of.gap[i],
                                         laws::from_fields<typename Law::Memory>(
                                             [&](std::size_t k) { return of.memory[k][i]; }));
    }
}

template <class Law>
void stored_energies(const ParameterStore& parameters, const Rows& state, std::size_t begin,
                     std::size_t end, const double* approach, double* energy) {
    const double* const gap = parameters.gaps(begin, end);
    parameters.for_stretches(begin, end, [&](const ParameterStore::Stretch& stretch) {
        const std::size_t first = stretch.begin - begin, count = stretch.end - stretch.begin;
        ContactColumns of{.approach = approach + first, .gap = gap + first, .memory = {}};
        for (std::size_t k = 0; k < laws::field_count<typename Law::Memory>; ++k)
            of.memory[k] = state.memory(k) + stretch.begin;
        const auto law = [&](std::size_t i) {
            return laws::from_fields<Law>(
                [&](std::size_t k) { return parameters.law_field(k)[stretch.kind + i]; });
        };
        if (stretch.follow)
            fill_energies<Law>(of, count, law, energy + first);
        else
            fill_energies<Law>(
                of, count, [one = law(0)](std::size_t) { return one; }, energy + first);
    });
}

}  // namespace

LawFacts facts_of(const laws::AnyLaw& any_law) {
    return visit_law(
        [&]<class Law>(const Law&) -> LawFacts {
            return {.index = any_law.index(),
                    .fields = laws::field_count<Law>,
                    .memory_fields = laws::field_count<typename Law::Memory>,
                    .conservative = Law::conservative,
                    .stored = &stored_energies<Law>};
        },
        any_law);
}

}  // namespace beadwave::dynamics
