#include "dynamics/stiffest_kinds.hpp"

#include "beadwave/laws/collision.hpp"
#include "ranks/communicator.hpp"

#include <algorithm>
#include <set>
#include <tuple>

namespace beadwave::dynamics {
namespace {

constexpr std::size_t most_kinds = 64;

/// Keeps the stiffest kinds.
void add(std::set<StiffKind>& kinds, StiffKind kind) {
    if (kinds.size() == most_kinds && !(kind < *kinds.rbegin())) return;
    kinds.insert(std::move(kind));
    if (kinds.size() > most_kinds) kinds.erase(std::prev(kinds.end()));
}

}  // namespace

bool operator<(const StiffKind& a, const StiffKind& b) {
    return std::tie(a.rate, a.mass, a.fields) < std::tie(b.rate, b.mass, b.fields);
}

laws::AnyLaw StiffKind::law_of(const chain::Contacts& contacts) const {
    laws::AnyLaw law = contacts.first();
    std::ranges::copy(fields, law.numbers().begin());
    return law;
}

std::vector<StiffKind> stiffest_kinds(const chain::Chain& chain, double overlap) {
    const chain::Contacts& contacts = chain.contacts;
    const std::size_t fields = contacts.law_fields();
    std::set<StiffKind> kinds;
    for (std::size_t kind = 0; kind < contacts.kind_count(); ++kind) {
        const double mass = contacts.kind_mass(kind);
        if (!(mass > 0.0)) continue;
        const double rate = -laws::first_loading_force(contacts.law(kind), overlap) / mass;
        if (kinds.size() == most_kinds && rate > kinds.rbegin()->rate) continue;
        StiffKind stiff{.rate = rate, .mass = mass, .fields = {}};
        for (std::size_t k = 0; k < fields; ++k)
            stiff.fields.push_back(contacts.field(k)[kind]);
        add(kinds, std::move(stiff));
    }
    if (chain.partition) {
        std::vector<double> own;
        for (const StiffKind& kind : kinds) {
            own.insert(own.end(), {kind.rate, kind.mass});
            own.insert(own.end(), kind.fields.begin(), kind.fields.end());
        }
        for (const auto& theirs : chain.partition->ranks->gather_numbers_to_all<double>(own)) {
            for (auto at = theirs.begin(); at != theirs.end();) {
                StiffKind kind{.rate = at[0], .mass = at[1], .fields = {}};
                at += 2;
                kind.fields.assign(at, at + static_cast<std::ptrdiff_t>(fields));
                at += static_cast<std::ptrdiff_t>(fields);
                add(kinds, std::move(kind));
            }
        }
    }
    return {kinds.begin(), kinds.end()};
}

}  // namespace beadwave::dynamics
