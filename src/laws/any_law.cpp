#include "beadwave/laws/any_law.hpp"

#include "laws/visit_law.hpp"

#include <limits>

namespace beadwave::laws {
namespace {

struct Type {
    const std::type_info* info;
    LawTraits traits;
};

template <class Law>
constexpr Type type_of() {
    static_assert(field_count<Law> <= most_law_numbers);
    static_assert(field_count<typename Law::Memory> <= most_memory_numbers);
    using Memory = typename Law::Memory;
    constexpr bool remembers_largest = requires(const Law& law, double x, Memory memory) {
        law.unloading_force(x, memory);
    };
    return {&typeid(Law),
            {.memory_numbers = field_count<Memory>,
             .conservative = Law::conservative,
             .depends_on_speed = !Law::conservative && !remembers_largest}};
}

constexpr auto types = []<class... Law>(std::type_identity<std::tuple<Law...>>) {
    return std::array{type_of<Law>()...};
}(std::type_identity<LawList>());

}  // namespace

AnyLaw::AnyLaw() : AnyLaw(Hertz<double>{}) {}

std::size_t AnyLaw::index_of(const std::type_info& law) {
    for (std::size_t index = 0; index < types.size(); ++index)
        if (*types[index].info == law) return index;
    throw std::invalid_argument("a contact law that law_list.hpp does not list");
}

Response<double, AnyMemory> AnyLaw::respond(double overlap, double approach_speed,
                                            const AnyMemory& memory) const {
    return visit_law(
        [&]<class Law>(const Law& law) {
            const auto [force, next] = law.respond(overlap, approach_speed, memory_of<Law>(memory));
            Response<double, AnyMemory> response{.force = force, .memory = {}};
            to_fields(next, [&](std::size_t k, double x) { response.memory[k] = x; });
            return response;
        },
        *this);
}

double AnyLaw::stored_energy(double overlap, const AnyMemory& memory) const {
    return visit_law(
        [&]<class Law>(const Law& law) {
            return law.stored_energy(overlap, memory_of<Law>(memory));
        },
        *this);
}

bool AnyLaw::ends_in_tension() const {
    return visit_law([](const auto& law) { return law.ends_in_tension(); }, *this);
}

const LawTraits& AnyLaw::traits() const {
    return types[index_].traits;
}

double AnyLaw::min_impact_speed() const {
    return visit_law(
        []<class Law>(const Law& law) {
            if constexpr (requires { law.min_impact_speed; }) {
                if constexpr (field_count < typename Law::Memory >> 0) return law.min_impact_speed;
            }
            return std::numeric_limits<double>::infinity();
        },
        *this);
}

}  // namespace beadwave::laws
