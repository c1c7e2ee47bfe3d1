#include "packing/normal_contact.hpp"

namespace beadwave::packing {
namespace {

template <class Law>
typename Law::Memory memory_of(const ContactMemory& numbers) {
    return laws::from_fields<typename Law::Memory>([&](std::size_t k) { return numbers[k]; });
}

}  // namespace

LawTraits traits_of(const laws::AnyLaw& law) {
    return std::visit(
        []<class Law>(const Law&) -> LawTraits {
            using Memory = typename Law::Memory;
            constexpr bool remembers_largest = requires(const Law& l, double x, Memory m) {
                l.unloading_force(x, m);
            };
            return {laws::field_count<Memory>, laws::field_count<Law>, Law::conservative,
                    !Law::conservative && !remembers_largest};
        },
        law);
}

NormalResponse respond(const laws::AnyLaw& law, double overlap, double speed,
                       const ContactMemory& memory) {
    return std::visit(
        [&]<class Law>(const Law& l) {
            const auto [force, next] = l.respond(overlap, speed, memory_of<Law>(memory));
            NormalResponse response{.force = force, .memory = {}};
            laws::to_fields(next, [&](std::size_t k, double x) { response.memory[k] = x; });
            return response;
        },
        law);
}

double stored_energy(const laws::AnyLaw& law, double overlap, const ContactMemory& memory) {
    return std::visit(
        [&]<class Law>(const Law& l) { return l.stored_energy(overlap, memory_of<Law>(memory)); },
        law);
}

laws::Slopes<double> slopes(const laws::AnyLaw& law, double overlap, double approach_speed,
                            const ContactMemory& memory, double speed) {
    return std::visit(
        [&]<class Law>(const Law& l) {
            return laws::slopes(l, overlap, approach_speed, memory_of<Law>(memory), speed);
        },
        law);
}

}  // namespace beadwave::packing
