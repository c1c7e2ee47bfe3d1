// Motion, contacts and energy of the fast engine.

#include "fast_packing_engine.hpp"
#include "laws/visit_law.hpp"
#include "packing/neighbours/pair_matching.hpp"
#include "sort_contacts.hpp"

#include <cmath>
#include <numeric>

namespace beadwave::packing {
namespace {

std::vector<ContactState> sorted(const ListedContacts& contacts,
                                 std::span<const std::uint32_t> entries) {
    std::vector<double> places;
    std::vector<ContactState> all = contacts.closed(entries, &places);
    sort_contacts(all, places);
    return all;
}

}  // namespace

Motion FastPackingEngine::motion(std::size_t particle) const {
    const std::uint32_t i = bodies_.body_of(particle);
    std::vector<Vec3> known(3);
    if (share_.has(i))
        known = {bodies_.displacement_from_start(i), bodies_.velocity(i),
                 bodies_.angular_velocity(i)};
    if (share_.shared()) share_rows(share_.ranks(), known);
    return {known[0], known[1], known[2]};
}

std::vector<OwnParticle> FastPackingEngine::own() const {
    std::vector<OwnParticle> all;
    for (std::size_t i = share_.begin(); i < share_.end(); ++i) {
        const Vec3 displacement = bodies_.displacement_from_start(i);
        all.push_back({bodies_.id(i),
                       bodies_.origin(i) + displacement,
                       {displacement, bodies_.velocity(i), bodies_.angular_velocity(i)}});
    }
    return all;
}

std::vector<Vec3> FastPackingEngine::displacement() const {
    return bodies_.of_all([&](std::size_t i) { return bodies_.displacement_from_start(i); });
}

std::vector<Vec3> FastPackingEngine::own_displacements() const {
    if (!share_.shared()) return displacement();
    return bodies_.of_own_numbers(
        [&](std::size_t i) { return bodies_.displacement_from_start(i); });
}

Vec3 FastPackingEngine::net_force(std::size_t i) const {
    if (bodies_.is_fixed(i)) return force_on_fixed(i);
    if (const std::uint32_t c = elements_.stepper.carrier_of(bodies_.id(i));
        c != ElementStepper::none)
        return elements_.stepper.contact_force(c);
    Vec3 by_contacts = bodies_.velocity_change(i) - (0.5 * dt_) * packing_.gravity;
    if (box_.has_pistons()) by_contacts -= push_change(i);
    return by_contacts * (1.0 / bodies_.kick(i));
}

Vec3 FastPackingEngine::net_rim_force(std::size_t i) const {
    if (const std::uint32_t c = elements_.stepper.carrier_of(bodies_.id(i));
        c != ElementStepper::none)
        return elements_.stepper.contact_torque(c) * (1.0 / bodies_.radius(i));
    return bodies_.rim_change(i) * (1.0 / bodies_.rim_kick(i));
}

/// The velocity change of a fixed particle is 0, so its force is summed over its contacts.
Vec3 FastPackingEngine::force_on_fixed(std::size_t i) const {
    Vec3 sum{};
    for (const ContactState& c : sorted(contacts_, contacts_.listed)) {
        if (c.first == bodies_.id(i)) sum += c.normal_force + c.tangential_force;
        if (c.second == bodies_.id(i)) sum -= c.normal_force + c.tangential_force;
    }
    return sum;
}

std::vector<Vec3> FastPackingEngine::velocity() const {
    return bodies_.of_all([&](std::size_t i) { return bodies_.velocity(i); });
}

std::vector<Vec3> FastPackingEngine::angular_velocity() const {
    return bodies_.of_all([&](std::size_t i) { return bodies_.angular_velocity(i); });
}

std::vector<Vec3> FastPackingEngine::own_velocities() const {
    if (!share_.shared()) return velocity();
    return bodies_.of_own_numbers([&](std::size_t i) { return bodies_.velocity(i); });
}

void FastPackingEngine::visit_velocities(
    const std::function<void(std::size_t number, const Vec3& velocity)>& visit) const {
    for (std::size_t i = share_.begin(); i < share_.end(); ++i)
        visit(bodies_.id(i), bodies_.velocity(i));
}

std::vector<Vec3> FastPackingEngine::own_angular_velocities() const {
    if (!share_.shared()) return angular_velocity();
    return bodies_.of_own_numbers([&](std::size_t i) { return bodies_.angular_velocity(i); });
}

double FastPackingEngine::power_now() const {
    return sums_.of_particles([&](std::size_t i) {
        if (bodies_.is_fixed(i)) return 0.0;
        if (const std::uint32_t c = elements_.stepper.carrier_of(bodies_.id(i));
            c != ElementStepper::none)
            return elements_.stepper.contact_power(c);
        return dot(net_force(i), bodies_.velocity(i)) +
               dot(bodies_.rim_change(i), bodies_.rim(i)) / bodies_.rim_kick(i);
    });
}

Vec3 FastPackingEngine::velocity_of(std::uint32_t body) const {
    if (body < bodies_.held()) return bodies_.velocity(body);
    const Ghost& ghost = bodies_.ghosts[body - bodies_.held()];
    if (ghost.wall < 0) {
        const Vec3 v = bodies_.velocity(ghost.of);
        return box_.strains() ? v + box_.rate().shift(ghost.image) : v;
    }
    const auto w = static_cast<std::size_t>(ghost.wall);
    return walls_.step(w).at(bodies_.position(body), walls_.loads.velocity(w));
}

double FastPackingEngine::dissipated_rolling(double dissipated_tangential) const {
    if (!laws_.rolls) return 0.0;
    if (!laws_.slides) return dissipated_tangential;
    return sums_.of_particles([&](std::size_t i) { return bodies_.rolling_work()[i]; }) -
           contacts_.stored_rolling(sums_);
}

PackingTotals FastPackingEngine::totals() const {
    // All in one pass: memory limits it.
    const auto all = sums_.of_particles<11>([&](std::size_t i) {
        const double m = bodies_.mass(i), inertia = bodies_.inertia(i);
        const Vec3 v = own_velocity(i), w = bodies_.angular_velocity(i),
                   d = bodies_.displacement_from_start(i), momentum = m * v,
                   angular = cross(bodies_.origin(i) + d, momentum) + inertia * w;
        return std::array{0.5 * m * dot(v, v),
                          0.5 * inertia * dot(w, w),
                          momentum.x,
                          momentum.y,
                          momentum.z,
                          angular.x,
                          angular.y,
                          angular.z,
                          m * dot(packing_.gravity, d),
                          bodies_.tangential_work(i),
                          bodies_.power(i)};
    });
    const double tangential_work = all[9], power = all[10];
    PackingTotals t{};
    t.translational = all[0];
    t.rotational = all[1];
    t.momentum = {all[2], all[3], all[4]};
    t.angular_momentum = {all[5], all[6], all[7]};
    t.external_work = walls_.work + all[8];
    if (walls_.loads.any()) {
        t.translational += walls_.loads.kinetic();
        t.external_work += walls_.loads.external_work();
    }
    if (box_.strains()) {
        t.translational += box_.kinetic();
        t.external_work += box_.external_work();
    }
    if (elements_.any()) t.add(elements_.totals(sums_));
    if (population_.changes()) t.add(population_.inflow());
    const StoredEnergy now = contacts_.stored(sums_);
    t.stored_normal = now.normal;
    t.stored_tangential = now.tangential;
    t.dissipated_tangential = tangential_work - now.tangential;
    t.dissipated_rolling = dissipated_rolling(t.dissipated_tangential);
    if (!laws_.traits.conservative) {
        const double given = dt_ * (power - 0.5 * power_now() + 0.5 * initial_.power);
        // The contacts' work on moving walls and images is the negative of the walls' work.
        t.dissipated_normal = walls_.work + box_.image_work() - given - tangential_work -
                              (now.normal - initial_.stored);
    }
    return t;
}

std::size_t FastPackingEngine::closed_contacts() const {
    auto closed = static_cast<std::int64_t>(contacts_.count_closed(contacts_.home()));
    if (share_.shared()) share_.ranks().sum({&closed, 1});
    return static_cast<std::size_t>(closed);
}

std::vector<ContactState> FastPackingEngine::own_contacts() const {
    return share_.shared() ? contacts_of_own_numbers() : contacts();
}

std::vector<ContactState> FastPackingEngine::contacts() const {
    if (!share_.shared()) return sorted(contacts_, contacts_.home());
    std::vector<ContactState> all;
    visit_contacts([&](std::span<const ContactState> some) {
        all.insert(all.end(), some.begin(), some.end());
    });
    return all;
}

void FastPackingEngine::visit_contacts(const ContactVisitor& visit) const {
    // The pairs of home() by pieces of the lower numbers of their particles.
    constexpr std::size_t piece = 4096;  // particles; each has about ten contacts at most
    const std::span<const std::uint32_t> home = contacts_.home();
    const auto piece_of = [&](std::uint32_t p) {
        return contacts_.numbered_key(home[p]).key.first / piece;
    };
    std::vector<std::size_t> end_of((particles() + piece - 1) / piece + 1);
    for (std::uint32_t p = 0; p < home.size(); ++p)
        ++end_of[piece_of(p) + 1];
    std::partial_sum(end_of.begin(), end_of.end(), end_of.begin());
    std::vector<std::uint32_t> own(home.size());
    for (std::uint32_t p = 0; p < home.size(); ++p)
        own[end_of[piece_of(p)]++] = p;
    struct Placed {
        ContactState contact;
        double place;  // in the list of all
    };
    for (std::size_t k = 0, at = 0; k + 1 < end_of.size(); ++k) {
        std::vector<std::uint32_t> pairs, entries;
        for (; at < end_of[k]; ++at) {
            pairs.push_back(own[at]);
            entries.push_back(home[own[at]]);
        }
        std::vector<double> numbers;
        std::vector<Placed> placed;
        for (const ContactState& c : contacts_.closed(entries, &numbers)) {
            const std::uint32_t p = pairs[static_cast<std::size_t>(numbers[placed.size()])];
            placed.push_back({c, static_cast<double>(sums_.pair_number(p))});
        }
        std::vector<ContactState> some;
        std::vector<double> places;
        const auto take = [&](const std::vector<Placed>& of_rank) {
            for (const Placed& each : of_rank) {
                some.push_back(each.contact);
                places.push_back(each.place);
            }
        };
        if (!share_.shared()) {
            take(placed);
        } else {
            for (const std::vector<Placed>& of_rank : share_.ranks().gather_numbers<Placed>(placed))
                take(of_rank);
        }
        sort_contacts(some, places);
        if (!some.empty()) visit(some);
    }
}

std::optional<std::size_t> FastPackingEngine::first_non_finite() const {
    std::size_t first_bad = particles();
    const auto check = [&](std::size_t slot, double x) {
        if (!std::isfinite(x)) first_bad = std::min<std::size_t>(first_bad, bodies_.id(slot));
    };
    for (std::size_t i = share_.begin(); i < share_.end(); ++i) {
        for (std::size_t k = 0; k < line; ++k) {
            check(i, bodies_.place(i)[k]);
            check(i, bodies_.half(i)[k]);
            check(i, bodies_.change(i)[k]);
        }
    }
    ListedContacts::each_column(contacts_, [&](const std::string&, const Column& column) {
        for (std::size_t e = 0; e < column.size(); ++e)
            check(contacts_.entries.first[e], column[e]);
    });
    for (std::size_t e = 0; contacts_.mixed && laws_.slides && e < contacts_.entries.count(); ++e) {
        const laws::SliderMemory<double> spring = contacts_.mixed->spring(e);
        for (const double x : {spring.vector.x, spring.vector.y, spring.vector.z, spring.number})
            check(contacts_.entries.first[e], x);
    }
    if (const auto particle = elements_.stepper.first_non_finite())
        first_bad = std::min(first_bad, *particle);
    if (share_.shared()) {
        double last = -static_cast<double>(first_bad);
        share_.ranks().largest({&last, 1});
        first_bad = static_cast<std::size_t>(-last);
    }
    if (first_bad == particles()) return std::nullopt;
    return first_bad;
}

}  // namespace beadwave::packing
