#include "packing/step/accounts_of_pairs.hpp"

#include <stdexcept>
#include <utility>

namespace beadwave::packing {

void AccountsOfPairs::begin_step() {
    actions_.clear();
    for (PlainAccount& account : accounts_.all()) {
        account.on_wall_before = account.on_wall;
        account.wall_torque_before = account.wall_torque;
        account.on_edges_before = account.on_edges;
        account.on_wall = {};
        account.wall_torque = 0.0;
        account.on_edges = {};
    }
}

void AccountsOfPairs::add(const Bodies& bodies, bool touches, const Action& action) {
    if (!touches && action.is_nothing()) return;
    const Bodies b = ordered(bodies);
    const std::uint32_t number =
        touches ? accounts_.of(b.first, b.second) : accounts_.known(b.first, b.second);
    if (number == 0) return;
    PlainAccount& account = accounts_[number];
    account.sliding += action.sliding_work;
    account.rolling += action.rolling_work;
    account.twisting += action.twisting_work;
    actions_.push_back({number, bodies, action.force, action.torque_1, action.torque_2});
    if (!is_wall(bodies.second)) {
        add_to_edges(account.on_edges, action.force, action.image);
        return;
    }
    account.on_wall += action.force;
    account.wall_torque += action.wall_torque;
}

void AccountsOfPairs::end_step(double dt, const WallLoads& loads, const BoxMotion& box) {
    if (!(dt > 0.0)) return;
    for (PlainAccount& account : accounts_.all()) {
        if (!is_wall(account.second)) {
            if (!box.strains()) continue;
            for (std::size_t k = 0; k < Edges::numbers; ++k) {
                account.given -= 0.5 * (account.on_edges_before.of[k] + account.on_edges.of[k]) *
                                 (dt * box.half().of[k]);
            }
            continue;
        }
        const std::size_t w = account.second - packing_.particles();
        account.given -= 0.5 * dot(account.on_wall_before + account.on_wall, loads.moved(w));
        account.given -= 0.5 * (account.wall_torque_before + account.wall_torque) *
                         (packing_.walls[w].angular_velocity * dt);
    }
}

std::vector<double> AccountsOfPairs::clear_power() {
    std::vector<double> before;
    for (PlainAccount& account : accounts_.all())
        before.push_back(std::exchange(account.power_now, 0.0));
    return before;
}

void AccountsOfPairs::add_changes(std::span<const VelocityChange> changes, double weight) {
    if (sums_ == Sums::of_pairs && changes.size() > 1) {
        for (const VelocityChange& change : changes)
            add_changes({&change, 1}, weight);
        return;
    }
    std::vector<std::pair<Vec3, Vec3>> of(packing_.particles());
    for (const VelocityChange& change : changes) {
        of[change.particle].first += change.velocity;
        of[change.particle].second += change.spin;
    }
    each_power([&](std::size_t i) { return of[i]; },
               [&](PlainAccount& account, double power) {
                   account.power += weight * power;
                   account.power_now += power;
               });
}

void AccountsOfPairs::begin_sums(const std::vector<ContactEnergy>& stored) {
    for (std::size_t k = 0; k < stored.size(); ++k) {
        PlainAccount& account = accounts_.all()[k];
        account.power = account.given = 0.0;
        account.sliding = account.rolling = account.twisting = 0.0;
        account.power_at_start = account.power_now;
        account.initial = stored[k].normal;
    }
}

void AccountsOfPairs::release(const Bodies& bodies, const ContactEnergy& stored) {
    if (stored.empty()) return;
    const Bodies b = ordered(bodies);
    accounts_[accounts_.of(b.first, b.second)].release(stored);
}

void AccountsOfPairs::exchange(const Bodies& one, const ContactEnergy& of_one, const Bodies& two,
                               const ContactEnergy& of_two) {
    for (const ContactEnergy& energy : {of_one, -of_two}) {
        release(one, energy);
        release(two, -energy);
    }
}

std::vector<double> AccountsOfPairs::action_numbers() const {
    std::vector<double> numbers;
    for (const Acting& action : actions_) {
        for (const std::uint32_t number :
             {action.account, action.bodies.first, action.bodies.second})
            numbers.push_back(number);
        for (const Vec3& v : {action.force, action.torque_1, action.torque_2})
            numbers.insert(numbers.end(), {v.x, v.y, v.z});
    }
    return numbers;
}

void AccountsOfPairs::restore(std::span<const double> accounts, std::span<const double> actions) {
    const std::size_t bodies = packing_.particles() + packing_.walls.size();
    accounts_.restore(accounts, bodies);
    constexpr std::size_t each = 12;
    const auto damaged = [] {
        return std::invalid_argument("pair_actions: these are no actions of contacts");
    };
    if (actions.size() % each != 0) throw damaged();
    const auto whole = [&](std::size_t at, std::size_t from, std::size_t end) {
        const double number = actions[at];
        if (!(number >= static_cast<double>(from) && number < static_cast<double>(end)))
            throw damaged();
        return static_cast<std::uint32_t>(number);
    };
    const auto vector = [&](std::size_t at) {
        return Vec3{actions[at], actions[at + 1], actions[at + 2]};
    };
    actions_.clear();
    for (std::size_t at = 0; at < actions.size(); at += each)
        actions_.push_back({whole(at, 1, accounts_.all().size() + 1),
                            {whole(at + 1, 0, packing_.particles()), whole(at + 2, 0, bodies)},
                            vector(at + 3),
                            vector(at + 6),
                            vector(at + 9)});
}

}  // namespace beadwave::packing
