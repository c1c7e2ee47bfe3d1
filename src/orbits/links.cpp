#include "orbits/links.hpp"

#include "beadwave/input_error.hpp"
#include "beadwave/laws/hertz.hpp"
#include "laws/law_slopes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace beadwave::orbits {
namespace {

/// The energy of a contact between two overlaps, U(b) - U(a), without losing small differences.
double energy_between(const laws::AnyLaw& law, double a, double b) {
    const laws::AnyMemory none_yet{};
    if (std::fabs(b - a) > 1e-2 * std::fabs(a))
        return law.stored_energy(b, none_yet) - law.stored_energy(a, none_yet);
    // Gauss's formula with five points; the force is smooth there.
    constexpr std::array<double, 3> place{0.0, 0.5384693101056831, 0.9061798459386640};
    constexpr std::array<double, 3> weight{0.5688888888888889, 0.4786286704993665,
                                           0.2369268850561891};
    const double middle = 0.5 * (a + b), half = 0.5 * (b - a);
    double sum = weight[0] * law.respond(middle, 0.0, none_yet).force;
    for (std::size_t k = 1; k < place.size(); ++k) {
        sum += weight[k] * (law.respond(middle + half * place[k], 0.0, none_yet).force +
                            law.respond(middle - half * place[k], 0.0, none_yet).force);
    }
    return sum * half;
}

/// Whether the force jumps where contact begins or ends. Where it only rises steeply, as a small
/// power of the overlap, it falls far within ten orders of magnitude.
bool jumps_at_contact(const laws::AnyLaw& law) {
    const auto jump = [&law](double overlap, double speed) {
        return std::fabs(law.respond(overlap, speed, {}).force -
                         law.respond(-overlap, speed, {}).force);
    };
    for (const double speed : {0.0, 1.0, -1.0}) {
        const double near = jump(1e-24, speed), far = jump(1e-14, speed);
        if (near > 0.0 && near > 0.5 * far) return true;
    }
    return false;
}

double spring_energy(const chain::Spring& spring, double x) {
    return (0.5 * spring.stiffness + 0.25 * spring.cubic * x * x) * x * x;
}

}  // namespace

Links::Links(const chain::Chain& chain, const std::string& name)
    : beads_(chain.beads()),
      mass_(chain.mass),
      elements_(chain.elements),
      pairs_(chain, chain.beads()) {
    const laws::LawTraits& traits = chain.contacts.first().traits();
    if (traits.memory_numbers > 0) {
        throw InputError(fmt::format(
            "{}: law.name: contacts of this law remember their past, so that two velocities and "
            "displacements do not say how the chain goes on; orbits need a law without memory, "
            "such as hertz",
            name));
    }
    speeds_ = traits.depends_on_speed;
    damped_ = !traits.conservative;
    for (std::size_t c = 0; c <= beads_; ++c) {
        if (!std::isfinite(chain.gap[c])) continue;
        if (c == 0 || c == beads_) grounded_ = true;
        const laws::AnyLaw law = chain.contacts.at(c);
        const bool hertz = law.is<laws::Hertz<double>>();
        contacts_.push_back({.contact = c,
                             .gap = chain.gap[c],
                             .hertz = hertz ? law.numbers()[0] : 0.0,
                             .law = law,
                             .jumps = !hertz && jumps_at_contact(law)});
        links_.push_back({.first = c == 0 ? none : c - 1, .second = c == beads_ ? none : c});
    }
    for (const chain::Foundation& each : elements_.foundations) {
        links_.push_back({.second = each.bead});
        damped_ = damped_ || each.spring.damping > 0.0;
        grounded_ = true;
    }
    for (const chain::Resonator& each : elements_.resonators) {
        links_.push_back({.first = each.bead, .second = mass_.size()});
        mass_.push_back(each.mass);
        damped_ = damped_ || each.spring.damping > 0.0;
    }
    for (const chain::Bond& each : elements_.bonds) {
        if (std::isfinite(each.strength)) {
            throw InputError(fmt::format(
                "{}: bond: the bond of contact {} may break, for good; orbits need bonds without "
                "strength",
                name, each.contact));
        }
        if (each.tension_only && each.damping > 0.0) {
            throw InputError(
                fmt::format("{}: bond: the bond of contact {} pulls only and is damped, so that "
                            "its force jumps "
                            "where it goes slack; orbits need one or the other",
                            name, each.contact));
        }
        links_.push_back({.first = each.contact - 1, .second = each.contact});
        damped_ = damped_ || each.damping > 0.0;
    }
    for (const chain::PairTable::Term& term : pairs_.terms()) {
        for (std::size_t i = 0; i + term.neighbour < beads_; ++i)
            links_.push_back({.first = i, .second = i + term.neighbour});
    }
    grounded_ = grounded_ || chain.left_fixed || chain.right_fixed || !elements_.driven.empty();
}

double Links::overlap(const Contact& contact, const double* u, const Walls& walls) const {
    const std::size_t c = contact.contact;
    const double left = c == 0 ? walls.left : u[c - 1], right = c == beads_ ? walls.right : u[c];
    return left - right - contact.gap;
}

void Links::evaluate(const double* u, const double* v, const Walls& walls, bool slopes) {
    Link* link = links_.data();
    least_overlap_ = INFINITY;
    for (Contact& contact : contacts_) {
        const double x = overlap(contact, u, walls);
        least_overlap_ = std::min(least_overlap_, x);
        if (contact.jumps) {
            contact.seen |= x > 0.0 ? 2U : 1U;
            crossed_jump_ = crossed_jump_ || contact.seen == 3;
        }
        if (contact.hertz > 0.0) {
            const double closed = std::max(x, 0.0), root = std::sqrt(closed);
            link->force = contact.hertz * (closed * root);
            link->stiffness = 1.5 * contact.hertz * root;
        } else {
            const std::size_t c = contact.contact;
            const double speed =
                (c == 0 ? walls.left_speed : v[c - 1]) - (c == beads_ ? walls.right_speed : v[c]);
            link->force = contact.law.respond(x, speed, {}).force;
            if (slopes) {
                const laws::Slopes<double> here = laws::exact_slopes(contact.law, x, speed, {});
                link->stiffness = here.stiffness;
                link->damping = here.damping;
            }
        }
        ++link;
    }
    const auto spring = [&](const chain::Spring& s, double x, double speed) {
        link->force = s.stiffness * x + s.cubic * x * x * x + s.damping * speed;
        link->stiffness = s.stiffness + 3.0 * s.cubic * x * x;
        link->damping = s.damping;
        ++link;
    };
    for (const chain::Foundation& each : elements_.foundations)
        spring(each.spring, -u[each.bead], -v[each.bead]);
    for (std::size_t k = 0; k < elements_.resonators.size(); ++k) {
        const chain::Resonator& each = elements_.resonators[k];
        spring(each.spring, u[each.bead] - u[beads_ + k], v[each.bead] - v[beads_ + k]);
    }
    for (const chain::Bond& each : elements_.bonds) {
        const std::size_t c = each.contact;
        const double x = u[c] - u[c - 1] + each.stretch;
        const bool holds = !each.tension_only || x > 0.0;
        link->force = holds ? -(each.stiffness * x + each.damping * (v[c] - v[c - 1])) : 0.0;
        link->stiffness = holds ? each.stiffness : 0.0;
        link->damping = holds ? each.damping : 0.0;
        ++link;
    }
    for (const chain::PairTable::Term& term : pairs_.terms()) {
        for (std::size_t i = 0; i + term.neighbour < beads_; ++i, ++link) {
            if (term.strength[i] == 0.0) continue;
            const double r = pairs_.distance(term, u, i);
            link->force = term.strength[i] * term.law.force(r);
            link->stiffness = -term.strength[i] * term.law.slope(r);
        }
    }
}

void Links::forget_crossings() {
    crossed_jump_ = false;
    for (Contact& contact : contacts_)
        contact.seen = 0;
}

double Links::stored(const double* u, const Walls& walls) const {
    double sum = 0.0;
    for (const Contact& contact : contacts_)
        sum += energy_between(contact.law, -contact.gap, overlap(contact, u, walls));
    for (const chain::Foundation& each : elements_.foundations)
        sum += spring_energy(each.spring, u[each.bead]);
    for (std::size_t k = 0; k < elements_.resonators.size(); ++k) {
        const chain::Resonator& each = elements_.resonators[k];
        sum += spring_energy(each.spring, u[each.bead] - u[beads_ + k]);
    }
    const auto bond = [](const chain::Bond& each, double apart) {
        const double x = apart + each.stretch;
        return each.tension_only && x < 0.0 ? 0.0 : 0.5 * each.stiffness * x * x;
    };
    for (const chain::Bond& each : elements_.bonds)
        sum += bond(each, u[each.contact] - u[each.contact - 1]) - bond(each, 0.0);
    if (!pairs_.empty()) {
        const std::vector<double> start(beads_, 0.0);
        sum += pairs_.energy(u, 0, beads_) - pairs_.energy(start.data(), 0, beads_);
    }
    return sum;
}

}  // namespace beadwave::orbits
