#include "linear/chain_operator.hpp"

#include "beadwave/input_error.hpp"
#include "chain/symmetric_band.hpp"
#include "laws/law_slopes.hpp"
#include "linear/chain_joins.hpp"
#include "linear/contact_notes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
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

/// Every bead that forces may move rests under them.
void require_balance(const chain::Chain& chain, const ChainJoins& joins, const std::string& name) {
    std::vector<double> load(chain.beads());
    for (const chain::Load& each : chain.loads)
        load[each.bead] += each.force;
    for (std::size_t i = 0; i < chain.beads(); ++i) {
        if (chain.is_held(i)) continue;
        const double left = joins.force[i], right = joins.force[i + 1], far = joins.far_force[i];
        const double forces = std::max({joins.size[i], joins.size[i + 1], joins.far_size[i]});
        if (forces == 0.0) continue;  // it touches nothing
        const double weight = chain.mass[i] * chain.gravity;
        const double net = left - right + far + weight + load[i];
        const double largest = std::max({forces, weight, std::fabs(load[i])});
        if (std::fabs(net) <= 1e-9 * largest) continue;
        throw InputError(fmt::format(
            "{}: bead {} is not in static equilibrium: its contacts push it with {:.6g} N and "
            "{:.6g} N{}, which leaves {:.3g} N; modes need an equilibrium: expected "
            "precompression.force, or gravity with gravity.equilibrium = true{}, and no gaps "
            "below 0",
            name, i, left, -right,
            joins.far_size[i] > 0.0 ? fmt::format(" and farther beads with {:.6g} N", far) : "",
            net, chain.elements.pair_forces.empty() ? "" : ", or pair_force.0.equilibrium = true"));
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
    const std::size_t n = chain.size(), ground = chain.freedoms();
    std::vector<std::size_t> parent(ground + 1);
    std::iota(parent.begin(), parent.end(), std::size_t{0});
    const auto root = [&](std::size_t at) {
        while (parent[at] != at)
            at = parent[at] = parent[parent[at]];
        return at;
    };
    std::size_t groups = ground;  // the ground is none
    const auto join = [&](std::size_t a, std::size_t b, double stiffness, double damping) {
        if (!joins(stiffness, damping)) return;
        const std::size_t from = root(a), to = root(b);
        if (from == to) return;
        parent[from] = to;
        --groups;
    };
    for (std::size_t c = 0; c <= n; ++c)
        join(c == 0 ? ground : c - 1, c == n ? ground : c, chain.stiffness[c], chain.damping[c]);
    for (std::size_t i = 0; i < chain.ground_stiffness.size(); ++i)
        join(i, ground, chain.ground_stiffness[i], chain.ground_damping[i]);
    for (std::size_t k = 0; k < chain.inner.size(); ++k)
        join(chain.inner[k].bead, n + k, chain.inner[k].stiffness, chain.inner[k].damping);
    for (const FarSpring& each : chain.far)
        join(each.first, each.second, each.stiffness, 0.0);
    return groups;
}

/// The place of each bead in the operator; none for beads that do not move.
std::vector<std::optional<std::size_t>> places_of(const chain::Chain& chain,
                                                  const ChainOperator& linear) {
    std::vector<std::optional<std::size_t>> place(chain.beads());
    for (std::size_t i = 0; i < linear.size(); ++i)
        place[linear.bead[i]] = i;
    return place;
}

/// Adds what the beads carry to an operator that has their contacts.
void add_elements(const chain::Chain& chain, ChainOperator& linear) {
    const auto place = places_of(chain, linear);
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

/// The beads that move, and the contacts between them. `laws`: of the contacts' laws alone.
ChainOperator moving_part(const chain::Chain& chain, const ChainJoins& laws,
                          const ChainJoins& joins) {
    ChainOperator linear;
    const std::vector<double> position = chain.positions();
    const auto stiffness = [&](std::size_t c) { return laws.stiffness[c] + joins.stiffness[c]; };
    const auto damping = [&](std::size_t c) { return laws.damping[c] + joins.damping[c]; };
    std::vector<std::size_t> contact;  // by those of the operator; `none`: beside a driven bead
    constexpr std::size_t none = SIZE_MAX;
    for (std::size_t i = 0; i < chain.beads(); ++i) {
        if (chain.is_held(i)) continue;
        // The contact before it.
        if (linear.bead.empty() || linear.bead.back() + 1 == i) {
            contact.push_back(i);
        } else {
            const std::size_t before = linear.bead.back() + 1;
            linear.held.push_back({.contact = linear.bead.size(),
                                   .left_stiffness = laws.stiffness[before],
                                   .right_stiffness = laws.stiffness[i],
                                   .left_damping = laws.damping[before],
                                   .right_damping = laws.damping[i]});
            contact.push_back(none);
        }
        linear.bead.push_back(i);
        linear.mass.push_back(chain.mass[i]);
        linear.position.push_back(position[i]);
    }
    if (linear.bead.empty()) return linear;
    contact.push_back(linear.bead.back() + 1);
    for (const std::size_t c : contact) {
        linear.stiffness.push_back(c == none ? 0.0 : stiffness(c));
        linear.damping.push_back(c == none ? 0.0 : damping(c));
        if (joins.empty()) continue;
        linear.joined_stiffness.push_back(c == none ? 0.0 : joins.stiffness[c]);
        linear.joined_damping.push_back(c == none ? 0.0 : joins.damping[c]);
    }
    if (!linear.held.empty()) linear.need_ground();
    for (const HeldBetween& each : linear.held) {
        const std::size_t left = linear.bead[each.contact - 1] + 1,
                          right = linear.bead[each.contact];
        linear.ground_stiffness[each.contact - 1] += stiffness(left);
        linear.ground_damping[each.contact - 1] += damping(left);
        linear.ground_stiffness[each.contact] += stiffness(right);
        linear.ground_damping[each.contact] += damping(right);
    }
    return linear;
}

/// Adds forces without contact that reach beyond the next bead.
void add_far(const chain::Chain& chain, const ChainJoins& joins, ChainOperator& linear) {
    if (joins.far.empty()) return;
    const auto place = places_of(chain, linear);
    for (const FarJoin& each : joins.far) {
        const auto left = place[each.left], right = place[each.right];
        if (left && right) {
            linear.far.push_back({.first = *left, .second = *right, .stiffness = each.stiffness});
        } else if (left || right) {
            linear.far_held.push_back({.bead = left ? *left : *right,
                                       .held = left ? each.right : each.left,
                                       .stiffness = each.stiffness});
        }
    }
    std::ranges::sort(linear.far, {},
                      [](const FarSpring& each) { return std::pair(each.second, each.first); });
    std::ranges::stable_sort(linear.far_held, {}, &HeldSpring::bead);
    if (linear.far_held.empty()) return;
    linear.need_ground();
    for (const HeldSpring& each : linear.far_held)
        linear.ground_stiffness[each.bead] += each.stiffness;
}

/// Whether the beads return to their places: by the pivots of the stiffness, to its rounding.
bool is_stable(const ChainOperator& linear) {
    std::size_t width = 1;
    for (const FarSpring& each : linear.far)
        width = std::max(width, each.second - each.first);
    const std::size_t n = linear.size();
    chain::SymmetricBand band(n, width);
    double largest = 0.0;
    const auto spring = [&](std::size_t left, std::size_t right, double k) {
        band.at(left, left) += k;
        band.at(right, right) += k;
        band.at(right, left) -= k;
        largest = std::max(largest, std::fabs(k));
    };
    for (std::size_t i = 0; i < n; ++i) {
        if (i > 0) spring(i - 1, i, linear.stiffness[i]);
        if (!linear.ground_stiffness.empty()) band.at(i, i) += linear.ground_stiffness[i];
    }
    band.at(0, 0) += linear.stiffness.front();
    band.at(n - 1, n - 1) += linear.stiffness.back();
    for (const FarSpring& each : linear.far)
        spring(each.first, each.second, each.stiffness);
    for (std::size_t i = 0; i < n; ++i)
        largest = std::max(largest, std::fabs(band.at(i, i)));
    for (std::size_t i = 0; i < n; ++i)
        band.at(i, i) += 1e-11 * largest;
    std::vector<double> ignored(n);
    return band.solve(ignored);
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
    return free_groups(*this, [](double k, double) { return k != 0.0; });
}

std::size_t ChainOperator::drifting_modes() const {
    return free_groups(*this, [](double k, double c) { return k != 0.0 || c > 0.0; });
}

ChainOperator linearise(const chain::Chain& chain, const std::string& name) {
    const std::size_t n = chain.beads();
    StaticContacts contacts(chain);
    ChainJoins laws(n);
    std::size_t open = 0, first_open = 0, closed = 0;
    ContactNotes notes;
    ChainJoins joins = joins_of(chain, name);
    for (std::size_t c = 0; c <= n; ++c) {
        const bool inner = c > 0 && c < n;
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
        joins.force[c] += contact.force;
        joins.size[c] += std::fabs(contact.force);
        laws.stiffness[c] = contact.slopes.stiffness;
        laws.damping[c] = contact.slopes.damping;
    }
    for (std::size_t c = 0; c <= n; ++c) {
        const double stiffness = laws.stiffness[c] + joins.stiffness[c];
        if (joins.far.empty() && joins.joined[c] && stiffness < 0.0) {
            throw InputError(fmt::format(
                "{}: {} has the stiffness {:g} N/m, so the chain does not stay as it is; expected "
                "forces that push the beads back",
                name, name_of_contact(chain, c), stiffness));
        }
    }
    if (closed == 0) {
        throw InputError(
            fmt::format("{}: no contact is compressed, so the chain has no linear modes; expected "
                        "precompression.force, or gravity with gravity.equilibrium = true",
                        name));
    }
    require_balance(chain, joins, name);

    ChainOperator linear = moving_part(chain, laws, joins);
    if (linear.bead.empty())
        throw InputError(fmt::format("{}: no bead of the chain can move", name));
    add_far(chain, joins, linear);
    add_elements(chain, linear);
    if (!joins.far.empty() && !is_stable(linear)) {
        throw InputError(fmt::format(
            "{}: the equilibrium of the chain is not stable: its forces without contact push "
            "beads away from their places; expected forces that push the beads back",
            name));
    }
    if (open > 0) linear.warnings.push_back(warning_of_open(open, first_open, chain));
    for (std::string& sentence : notes.sentences())
        linear.warnings.push_back(std::move(sentence));
    return linear;
}

}  // namespace beadwave::linear
