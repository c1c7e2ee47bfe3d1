#include "linear/chain_operator.hpp"

#include "beadwave/input_error.hpp"
#include "chain/pair_table.hpp"
#include "laws/law_slopes.hpp"
#include "linear/contact_notes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

namespace beadwave::linear {
namespace {

/// Static contacts by kind and overlap: a uniform chain has two.
class StaticContacts {
  public:
    explicit StaticContacts(const chain::Chain& chain) : chain_(chain) {}

    const laws::StaticContact& at(std::size_t contact) {
        const double overlap = -chain_.gap[contact];
        const auto key = std::pair(chain_.contacts.kind(contact), overlap);
        if (known_.size() > most_known) known_.clear();
        const auto [place, is_new] = known_.try_emplace(key);
        if (is_new) place->second = laws::static_contact(chain_.contacts.at(contact), overlap);
        return place->second;
    }

  private:
    static constexpr std::size_t most_known = 4096;
    const chain::Chain& chain_;
    std::map<std::pair<std::size_t, double>, laws::StaticContact> known_;
};

std::string name_of_contact(const chain::Chain& chain, std::size_t contact) {
    if (contact == 0) return "the contact of bead 0 with the left wall";
    if (contact == chain.beads())
        return fmt::format("the contact of bead {} with the right wall", contact - 1);
    return fmt::format("the contact of beads {} and {}", contact - 1, contact);
}

/// The forces of all contacts [N].
using Forces = std::vector<double>;

/// size: of the forces that add up to each of `force` [N].
void require_balance(const chain::Chain& chain, const Forces& force, const Forces& size,
                     const std::string& name) {
    std::vector<double> load(chain.beads());
    for (const chain::Load& each : chain.loads)
        load[each.bead] += each.force;
    for (std::size_t i = 0; i < chain.beads(); ++i) {
        if (chain.is_held(i)) continue;
        const double left = force[i], right = force[i + 1];
        if (size[i] == 0.0 && size[i + 1] == 0.0) continue;  // it touches nothing
        const double weight = chain.mass[i] * chain.gravity;
        const double net = left - right + weight + load[i];
        const double largest = std::max({size[i], size[i + 1], weight, std::fabs(load[i])});
        if (std::fabs(net) <= 1e-9 * largest) continue;
        throw InputError(fmt::format(
            "{}: bead {} is not in static equilibrium: its contacts push it with {:.6g} N and "
            "{:.6g} N, which leaves {:.3g} N; modes need an equilibrium: expected "
            "precompression.force, or gravity with gravity.equilibrium = true, and no gaps below 0",
            name, i, left, -right, net));
    }
}

std::string warning_of_open(std::size_t open, std::size_t first, const chain::Chain& chain) {
    return fmt::format(
        "{} of {} contacts {} open in the equilibrium and {} no stiffness, the "
        "first is {}",
        open, chain.beads() - 1, open == 1 ? "is" : "are", open == 1 ? "has" : "have",
        name_of_contact(chain, first));
}

/// Groups of masses that nothing joins to the ground; a contact, a spring to the ground or one of
/// an inner mass joins where joins(stiffness, damping) is true.
template <class Joins>
std::size_t free_groups(const ChainOperator& chain, const Joins& joins) {
    const std::size_t n = chain.size();
    std::size_t groups = 0;
    for (const InnerMass& each : chain.inner)
        if (!joins(each.stiffness, each.damping)) ++groups;
    bool held = joins(chain.stiffness.front(), chain.damping.front());
    for (std::size_t i = 0; i < n; ++i) {
        if (!chain.ground_stiffness.empty() &&
            joins(chain.ground_stiffness[i], chain.ground_damping[i]))
            held = true;
        const bool joined = joins(chain.stiffness[i + 1], chain.damping[i + 1]);
        if (i + 1 < n && joined) continue;
        if (i + 1 == n && joined) held = true;
        if (!held) ++groups;
        held = false;
    }
    return groups;
}

/// Adds what the beads carry to an operator that has their contacts.
void add_elements(const chain::Chain& chain, ChainOperator& linear) {
    // By bead numbers; none for beads that do not move.
    std::vector<std::optional<std::size_t>> place(chain.beads());
    for (std::size_t i = 0; i < linear.size(); ++i)
        place[linear.bead[i]] = i;
    for (const chain::Foundation& each : chain.elements.foundations) {
        if (!place[each.bead]) continue;
        linear.need_ground();
        linear.ground_stiffness[*place[each.bead]] += each.spring.stiffness;
        linear.ground_damping[*place[each.bead]] += each.spring.damping;
    }
    std::size_t apart = 0;
    for (const chain::Resonator& each : chain.elements.resonators) {
        if (!place[each.bead]) {
            ++apart;
            continue;
        }
        linear.inner.push_back({.bead = *place[each.bead],
                                .mass = each.mass,
                                .stiffness = each.spring.stiffness,
                                .damping = each.spring.damping});
    }
    std::ranges::stable_sort(linear.inner, {}, &InnerMass::bead);
    if (apart > 0) {
        linear.warnings.push_back(fmt::format(
            "{} mass{} inside {} beads {} left out: nothing joins {} to the chain", apart,
            apart == 1 ? "" : "es", chain.elements.driven.empty() ? "fixed" : "fixed or driven",
            apart == 1 ? "is" : "are", apart == 1 ? "it" : "them"));
    }
}

/// The beads that move, and the contacts between them.
ChainOperator moving_part(const chain::Chain& chain, const std::vector<double>& stiffness,
                          const std::vector<double>& damping) {
    ChainOperator linear;
    const std::vector<double> position = chain.positions();
    for (std::size_t i = 0; i < chain.beads(); ++i) {
        if (chain.is_held(i)) continue;
        // The contact before it.
        if (linear.bead.empty() || linear.bead.back() + 1 == i) {
            linear.stiffness.push_back(stiffness[i]);
            linear.damping.push_back(damping[i]);
        } else {
            const std::size_t before = linear.bead.back() + 1;
            linear.held.push_back({.contact = linear.bead.size(),
                                   .left_stiffness = stiffness[before],
                                   .right_stiffness = stiffness[i],
                                   .left_damping = damping[before],
                                   .right_damping = damping[i]});
            linear.stiffness.push_back(0.0);
            linear.damping.push_back(0.0);
        }
        linear.bead.push_back(i);
        linear.mass.push_back(chain.mass[i]);
        linear.position.push_back(position[i]);
    }
    if (linear.bead.empty()) return linear;
    linear.stiffness.push_back(stiffness[linear.bead.back() + 1]);
    linear.damping.push_back(damping[linear.bead.back() + 1]);
    if (!linear.held.empty()) linear.need_ground();
    for (const HeldBetween& each : linear.held) {
        linear.ground_stiffness[each.contact - 1] += each.left_stiffness;
        linear.ground_damping[each.contact - 1] += each.left_damping;
        linear.ground_stiffness[each.contact] += each.right_stiffness;
        linear.ground_damping[each.contact] += each.right_damping;
    }
    return linear;
}

/// What bonds and forces without contact add to the contacts at the start.
struct Joins {
    explicit Joins(std::size_t contacts)
        : force(contacts),
          size(contacts),
          stiffness(contacts),
          damping(contacts),
          joined(contacts) {}

    void add(std::size_t contact, double pushes) {
        force[contact] += pushes;
        size[contact] += std::fabs(pushes);
        joined[contact] = true;
    }

    std::vector<double> force;  ///< positive: pushes the beads apart [N]
    std::vector<double> size;   ///< sum of the absolute forces [N]
    std::vector<double> stiffness, damping;
    std::vector<bool> joined;
};

Joins joins_of(const chain::Chain& chain, const std::string& name) {
    Joins joins(chain.beads() + 1);
    for (const chain::Bond& bond : chain.elements.bonds) {
        const std::size_t c = bond.contact;
        if (bond.tension_only && !(bond.stretch > 0.0)) {
            throw InputError(fmt::format(
                "{}: the bond of {} is for tension only and has none at the start, so it has no "
                "stiffness there; expected a bond that also pushes, or one that is stretched",
                name, name_of_contact(chain, c)));
        }
        joins.add(c, -bond.pull(0.0));
        joins.stiffness[c] += bond.stiffness;
        joins.damping[c] += bond.damping;
    }
    const chain::PairTable pairs(chain, chain.beads());
    for (const chain::PairTable::Term& term : pairs.terms()) {
        for (std::size_t i = 0; i < chain.beads(); ++i) {
            if (term.strength[i] == 0.0) continue;
            if (term.neighbour > 1) {
                throw InputError(
                    fmt::format("{}: modes know forces without contact between neighbours alone; "
                                "expected pair_force with neighbours = 1",
                                name));
            }
            const double distance = pairs.spacing(1)[i];
            if (!(distance < term.law.range())) continue;
            joins.add(i + 1, term.strength[i] * term.law.force(distance));
            joins.stiffness[i + 1] -= term.strength[i] * term.law.slope(distance);
        }
    }
    return joins;
}

}  // namespace

std::vector<double> ChainOperator::masses() const {
    std::vector<double> all = mass;
    for (const InnerMass& each : inner)
        all.push_back(each.mass);
    return all;
}

void ChainOperator::need_ground() {
    ground_stiffness.resize(size());
    ground_damping.resize(size());
}

bool ChainOperator::has_element_springs() const {
    return !inner.empty() ||
           std::ranges::any_of(ground_stiffness, [](double k) { return k != 0.0; });
}

bool ChainOperator::damped() const {
    const auto is_damped = [](double c) { return c != 0.0; };
    return std::ranges::any_of(damping, is_damped) ||
           std::ranges::any_of(ground_damping, is_damped) ||
           std::ranges::any_of(inner, is_damped, &InnerMass::damping);
}

std::size_t ChainOperator::rigid_modes() const {
    return free_groups(*this, [](double k, double) { return k > 0.0; });
}

std::size_t ChainOperator::drifting_modes() const {
    return free_groups(*this, [](double k, double c) { return k > 0.0 || c > 0.0; });
}

ChainOperator linearise(const chain::Chain& chain, const std::string& name) {
    const std::size_t n = chain.beads();
    StaticContacts contacts(chain);
    Forces force(n + 1);
    std::vector<double> stiffness(n + 1), damping(n + 1);
    std::size_t open = 0, first_open = 0, closed = 0;
    ContactNotes notes;
    const Joins joins = joins_of(chain, name);
    Forces size = joins.size;
    for (std::size_t c = 0; c <= n; ++c) {
        const bool inner = c > 0 && c < n;
        force[c] = joins.force[c];
        stiffness[c] = joins.stiffness[c];
        damping[c] = joins.damping[c];
        if (joins.joined[c]) ++closed;
        if (!(chain.gap[c] < 0.0)) {
            if (inner && !joins.joined[c] && open++ == 0) first_open = c;
            continue;
        }
        const laws::StaticContact& contact = contacts.at(c);
        if (contact.jumps) {
            throw InputError(fmt::format(
                "{}: the law jumps at the static load of {}, {:.6g} N, so it has no stiffness "
                "there; expected another static load or another law",
                name, name_of_contact(chain, c), contact.force));
        }
        notes.add(contact, [&] { return name_of_contact(chain, c); });
        ++closed;
        force[c] += contact.force;
        size[c] += std::fabs(contact.force);
        stiffness[c] += contact.slopes.stiffness;
        damping[c] += contact.slopes.damping;
    }
    for (std::size_t c = 0; c <= n; ++c) {
        if (joins.joined[c] && stiffness[c] < 0.0) {
            throw InputError(fmt::format(
                "{}: {} has the stiffness {:g} N/m, so the chain does not stay as it is; expected "
                "forces that push the beads back",
                name, name_of_contact(chain, c), stiffness[c]));
        }
    }
    if (closed == 0) {
        throw InputError(
            fmt::format("{}: no contact is compressed, so the chain has no linear modes; expected "
                        "precompression.force, or gravity with gravity.equilibrium = true",
                        name));
    }
    require_balance(chain, force, size, name);

    ChainOperator linear = moving_part(chain, stiffness, damping);
    if (linear.bead.empty())
        throw InputError(fmt::format("{}: no bead of the chain can move", name));
    add_elements(chain, linear);
    if (open > 0) linear.warnings.push_back(warning_of_open(open, first_open, chain));
    for (std::string& sentence : notes.sentences())
        linear.warnings.push_back(std::move(sentence));
    return linear;
}

}  // namespace beadwave::linear
