#include "beadwave/chain/chain_arrays.hpp"

#include "beadwave/laws/contact.hpp"
#include "chain/numbering.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

namespace beadwave::chain {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

[[noreturn]] void refuse(std::string_view argument, std::string_view why) {
    throw ArgumentError(fmt::format("{}: {}", argument, why));
}

[[noreturn]] void refuse(std::string_view array, std::size_t i, double found,
                         std::string_view expected) {
    throw ArgumentError(fmt::format("{}[{}] = {:g}: expected {}", array, i, found, expected));
}

template <class Number>
void check_size(std::string_view array, const std::vector<Number>& numbers, std::size_t size,
                std::string_view of_what) {
    if (numbers.size() != size)
        refuse(array,
               fmt::format("{} numbers; expected {}, one per {}", numbers.size(), size, of_what));
}

void check_above_zero(std::string_view array, const std::vector<double>& numbers,
                      std::string_view unit) {
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (!std::isnormal(numbers[i]) || numbers[i] < 0.0) {
            refuse(array, i, numbers[i], fmt::format("a finite number above 0, in {}", unit));
        }
    }
}

void check_laws(const ChainArrays& a) {
    if (a.laws.empty()) refuse("laws", "none; expected at least one");
    for (std::size_t k = 0; k < a.laws.size(); ++k) {
        if (a.laws[k].index() != a.laws[0].index()) {
            refuse(fmt::format("laws[{}]", k),
                   "is of another type than laws[0]; expected laws of one type in a chain");
        }
        const auto numbers = a.laws[k].numbers();
        for (std::size_t field = 0; field < numbers.size(); ++field) {
            if (std::isnan(numbers[field])) {
                refuse(fmt::format("laws[{}]", k),
                       fmt::format("its field {} is not a number", field));
            }
        }
    }
    for (std::size_t c = 0; c < a.law.size(); ++c) {
        if (a.law[c] >= a.laws.size()) {
            refuse(fmt::format("law[{}] = {}", c, a.law[c]),
                   fmt::format("there are {} laws, numbered from 0", a.laws.size()));
        }
    }
}

void check_gaps(const ChainArrays& a) {
    const std::size_t n = a.mass.size();
    for (std::size_t c = 0; c < a.gap.size(); ++c) {
        const bool end = c == 0 || c == n;
        if (end && a.gap[c] == infinite) continue;
        const double smaller = std::min(a.radius[c == 0 ? 0 : c - 1], a.radius[c == n ? c - 1 : c]);
        if (!std::isfinite(a.gap[c]) || -a.gap[c] > smaller) {
            refuse("gap", c, a.gap[c],
                   end ? "a finite number, in m, not below minus a radius, or infinity for no wall"
                       : "a finite number, in m, not below minus a radius");
        }
    }
}

void check_end(const char* side, bool fixed, bool driven, double gap, double velocity) {
    if (fixed && gap != infinite)
        refuse(fmt::format("{}_fixed", side), "the bead also has a wall; expected an infinite gap");
    if (fixed && velocity != 0.0) {
        refuse(fmt::format("{}_fixed", side),
               fmt::format("the bead moves at {:g} m/s; expected a bead at rest", velocity));
    }
    if (driven && gap == infinite)
        refuse(fmt::format("{}_drive", side),
               "there is no wall; expected a finite gap at this end");
}

/// An effective mass with one of the laws.
struct ContactKind {
    std::size_t law;
    double mass;
    bool operator==(const ContactKind&) const = default;
};
struct ContactKindHash {
    std::size_t operator()(const ContactKind& kind) const {
        return BitHash::of(kind.law, kind.mass);
    }
};

double effective_mass(const Chain& chain, std::size_t c) {
    const std::size_t n = chain.beads();
    const auto mass = [&](std::size_t bead) {
        return chain.is_held(bead) ? infinite : chain.mass[bead];
    };
    if (chain.gap[c] == infinite) return 0.0;
    if (c == 0 || c == n) return mass(c == 0 ? 0 : n - 1);
    if (chain.is_fixed(c - 1) && chain.is_fixed(c)) return 0.0;
    return laws::effective_mass(mass(c - 1), mass(c));
}

void check_driven(const ChainArrays& a) {
    const std::size_t last = a.radius.size() - 1;
    Elements before;
    for (std::size_t k = 0; k < a.elements.driven.size(); ++k) {
        const DrivenBead& each = a.elements.driven[k];
        const std::string name = fmt::format("driven[{}].bead = {}", k, each.bead);
        if ((each.bead == 0 && a.left_fixed) || (each.bead == last && a.right_fixed))
            refuse(name, "is fixed, as the end of the chain; expected another bead or a free end");
        const double start = a.velocity.empty() ? 0.0 : a.velocity[each.bead];
        const std::string fault = fault_of_drive(before, each.bead, start);
        if (!fault.empty()) refuse(name, fault);
        before.driven.push_back(each);
    }
}

void check(const ChainArrays& a) {
    const std::size_t n = a.radius.size();
    if (n == 0) refuse("radius", "no beads; expected at least one");
    check_size("mass", a.mass, n, "bead");
    if (!a.velocity.empty()) check_size("velocity", a.velocity, n, "bead");
    if (!a.gap.empty())
        check_size("gap", a.gap, n + 1, "contact, including the two with the walls");
    if (!a.law.empty())
        check_size("law", a.law, n + 1, "contact, including the two with the walls");
    check_above_zero("radius", a.radius, "m");
    check_above_zero("mass", a.mass, "kg");
    for (std::size_t i = 0; i < a.velocity.size(); ++i) {
        if (!std::isfinite(a.velocity[i]))
            refuse("velocity", i, a.velocity[i], "a finite number, in m/s");
    }
    check_laws(a);
    check_gaps(a);
    if (!std::isfinite(a.gravity) || a.gravity < 0.0)
        refuse("gravity", fmt::format("{:g}; expected a number from 0, in m/s^2", a.gravity));
    check_elements(a.elements, n);
    check_driven(a);
    if (a.gravity > 0.0 && !a.elements.resonators.empty())
        refuse("gravity", "masses inside beads cannot have a weight yet; expected 0 m/s^2");
    for (std::size_t k = 0; k < a.loads.size(); ++k) {
        if (a.loads[k].bead >= n) {
            refuse(fmt::format("loads[{}].bead = {}", k, a.loads[k].bead),
                   fmt::format("expected a bead from 0 to {}", n - 1));
        }
        if (!std::isfinite(a.loads[k].force)) {
            refuse(fmt::format("loads[{}].force = {:g}", k, a.loads[k].force),
                   "expected a finite number, in N");
        }
    }
}

}  // namespace

Chain make_chain(const ChainArrays& a) {
    check(a);
    const std::size_t n = a.radius.size();
    Chain chain;
    chain.radius = a.radius;
    chain.mass = a.mass;
    chain.velocity = a.velocity.empty() ? std::vector<double>(n, 0.0) : a.velocity;
    chain.gap = a.gap;
    if (a.gap.empty()) {
        chain.gap.assign(n + 1, 0.0);
        chain.gap.front() = chain.gap.back() = infinite;
    }
    chain.species_names = {"bead"};
    chain.species.reserve(n);
    for (std::size_t i = 0; i < n; ++i)
        chain.species.push_back(0);
    check_end("left", a.left_fixed, a.left_drive.has_value(), chain.gap[0], chain.velocity[0]);
    check_end("right", a.right_fixed, a.right_drive.has_value(), chain.gap[n],
              chain.velocity[n - 1]);
    chain.left_fixed = a.left_fixed;
    chain.right_fixed = a.right_fixed;
    chain.left_drive = a.left_drive;
    chain.right_drive = a.right_drive;
    chain.gravity = a.gravity;
    chain.loads = a.loads;
    chain.elements = a.elements;
    for (const DrivenBead& each : chain.elements.driven)
        chain.velocity[each.bead] = each.motion.velocity(0.0);
    chain.contacts.reserve(n + 1);
    Numbering<ContactKind, ContactKindHash> kinds;
    for (std::size_t c = 0; c <= n; ++c) {
        const std::size_t law = a.law.empty() ? 0 : a.law[c];
        const double mass = effective_mass(chain, c);
        const auto [kind, is_new] = kinds({law, mass});
        if (is_new) chain.contacts.add_kind(a.laws[law], mass);
        chain.contacts.add(kind);
    }
    return chain;
}

}  // namespace beadwave::chain
