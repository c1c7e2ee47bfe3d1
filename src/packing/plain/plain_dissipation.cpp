// What the plain engine tells the accounts of its contacts.

#include "packing/neighbours/pair_matching.hpp"
#include "plain_backend.hpp"

namespace beadwave::packing {

AccountsOfPairs::Bodies PlainBackend::bodies_of(std::size_t p) const {
    const PairKey key = pair_key(list_, n_, p);
    return {key.first, key.wall < 0
                           ? key.second
                           : static_cast<std::uint32_t>(n_) + static_cast<std::uint32_t>(key.wall)};
}

ContactEnergy PlainBackend::energy_of(std::size_t p) const {
    const Pair& pair = pair_[p];
    return pair.energy(law_of(pair), pair.branch);
}

void PlainBackend::account_pair(std::size_t p, const Vec3& force, const Vec3& torque_on_first,
                                const Vec3& torque_on_second, double sliding_work,
                                const Rolled& rolled) {
    AccountsOfPairs::Action action{.force = force,
                                   .torque_1 = torque_on_first,
                                   .torque_2 = torque_on_second,
                                   .wall_torque = 0.0,
                                   .image = {},
                                   .sliding_work = sliding_work,
                                   .rolling_work = rolled.work - rolled.twisting,
                                   .twisting_work = rolled.twisting};
    if (const std::uint32_t second = list_.second[p]; second >= n_) {
        const Ghost& ghost = list_.ghosts[second - n_];
        if (ghost.wall < 0)
            action.image = ghost.image;
        else
            action.wall_torque = wall_torque_of(static_cast<std::size_t>(ghost.wall),
                                                place_of(second), force, torque_on_second);
    }
    accounts_->add(bodies_of(p), touches(p) || pair_[p].normal_force != 0.0, action);
}

double PlainBackend::twisting_work(std::size_t p, const laws::Turn<double>& turn,
                                   const SliderMemory<double>& before) const {
    // Springs, dashpots and sliders of rolling and of twisting do not see each other: with the
    // motion about the normal alone the law does the work of twisting.
    const auto about = [&](const Vec3& v) { return dot(v, turn.normal) * turn.normal; };
    laws::Turn<double> twist = turn;
    twist.angle = about(turn.angle);
    twist.mean = about(turn.mean);
    twist.velocity = about(turn.velocity);
    return laws_.law(pair_[p].kind).rolling.respond(twist, twisting_part(before, turn.normal)).work;
}

void PlainBackend::exchange_energies(std::size_t one, std::size_t two) {
    if (bodies_of(one) == bodies_of(two)) return;
    accounts_->exchange(bodies_of(one), energy_of(one), bodies_of(two), energy_of(two));
}

}  // namespace beadwave::packing
