#include "law_facts.hpp"

#include "laws/visit_law.hpp"

namespace beadwave::dynamics {
namespace {

template <class Law>
void stored_energies(const ParameterStore& parameters, const Rows& state, std::size_t begin,
                     std::size_t end, const double* approach, double* energy) {
    using Memory = typename Law::Memory;
    const double* const gap = parameters.gaps(begin, end);
    const auto stored = [&](const Law& law, std::size_t i) {
        return law.stored_energy(
            approach[i] - gap[i],
            laws::from_fields<Memory>([&](std::size_t k) { return state.memory(k)[begin + i]; }));
    };
    if (parameters.alike(begin, end)) {
        const Law law = parameters.law<Law>(begin);
        for (std::size_t i = 0; i < end - begin; ++i)
            energy[i] = stored(law, i);
    } else {
        for (std::size_t i = 0; i < end - begin; ++i)
            energy[i] = stored(parameters.law<Law>(begin + i), i);
    }
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
