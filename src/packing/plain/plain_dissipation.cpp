// What each contact dissipates, in the plain engine: packing/contacts/contact_accounts.hpp says
// how.

#include "packing/neighbours/pair_matching.hpp"
#include "plain_backend.hpp"

#include <algorithm>
#include <stdexcept>

namespace beadwave::packing {
PlainAccount* PlainBackend::account_of(std::size_t p) {
    PairAction& action = action_[p];
    if (action.account == 0) {
        if (!touches(pair_[p]) && pair_[p].normal_force == 0.0) return nullptr;
        const PairKey key = pair_key(list_, n_, p);
        action.account = accounts_.of(
            key.first, key.wall >= 0
                           ? static_cast<std::uint32_t>(n_) + static_cast<std::uint32_t>(key.wall)
                           : key.second);
    }
    return &accounts_[action.account];
}

void PlainBackend::begin_accounts() {
    for (PlainAccount& account : accounts_.all()) {
        account.on_wall_before = account.on_wall;
        account.wall_torque_before = account.wall_torque;
        account.on_edges_before = account.on_edges;
        account.on_wall = {};
        account.wall_torque = 0.0;
        account.on_edges = {};
    }
}

void PlainBackend::account_pair(std::size_t p, const Vec3& force, const Vec3& torque_on_first,
                                      const Vec3& torque_on_second, double sliding_work) {
    PlainAccount* const account = account_of(p);
    if (account == nullptr) return;
    PairAction& action = action_[p];
    action.force = force;
    action.torque_on_first = torque_on_first;
    action.torque_on_second = torque_on_second;
    account->sliding += sliding_work;
    const std::uint32_t second = list_.second[p];
    if (second < n_) return;
    const Ghost& ghost = list_.ghosts[second - n_];
    if (ghost.wall < 0) {
        add_to_edges(account->on_edges, force, ghost.image);
        return;
    }
    account->on_wall += force;
    account->wall_torque += wall_torque_of(static_cast<std::size_t>(ghost.wall),
                                           body_[second].reference + body_[second].displacement,
                                           force, torque_on_second);
}

void PlainBackend::account_rolling(std::size_t p, const laws::Turn<double>& turn,
                                         const SliderMemory<double>& before, double work) {
    PlainAccount* const account = account_of(p);
    if (account == nullptr) return;
    // Springs, dashpots and sliders of rolling and of twisting do not see each other: with the
    // motion about the normal alone the law does the work of twisting.
    const auto about = [&](const Vec3& v) { return dot(v, turn.normal) * turn.normal; };
    laws::Turn<double> twist = turn;
    twist.angle = about(turn.angle);
    twist.mean = about(turn.mean);
    twist.velocity = about(turn.velocity);
    const double twisting =
        laws_.law(pair_[p].kind).rolling.respond(twist, twisting_part(before, turn.normal)).work;
    account->twisting += twisting;
    account->rolling += work - twisting;
}

void PlainBackend::end_accounts(double dt) {
    for (PlainAccount& account : accounts_.all()) {
        if (account.second >= n_) {
            const std::size_t w = account.second - n_;
            const Vec3 moved = dt > 0.0 ? around_.loads.moved(w) : Vec3{};
            account.given -= 0.5 * dot(account.on_wall_before + account.on_wall, moved);
            const double turned = packing_.walls[w].angular_velocity * dt;
            account.given -= 0.5 * (account.wall_torque_before + account.wall_torque) * turned;
        } else if (around_.box.strains()) {
            for (std::size_t k = 0; k < Edges::numbers; ++k) {
                account.given -= 0.5 * (account.on_edges_before.of[k] + account.on_edges.of[k]) *
                                 (dt * around_.box.half().of[k]);
            }
        }
    }
}

template <class Velocity, class Take>
void PlainBackend::each_contact_power(Velocity velocity, Take take) {
    for (std::size_t p = 0; p < pair_.size(); ++p) {
        const PairAction& action = action_[p];
        if (action.account == 0) continue;
        const auto [v, w] = velocity(list_.first[p]);
        double power = dot(action.torque_on_first, w) - dot(action.force, v);
        std::uint32_t second = list_.second[p];
        const bool wall = second >= n_ && list_.ghosts[second - n_].wall >= 0;
        if (second >= n_) second = list_.ghosts[second - n_].of;
        if (!wall) {
            const auto [v2, w2] = velocity(second);
            power += dot(action.torque_on_second, w2) + dot(action.force, v2);
        }
        take(accounts_[action.account], power);
    }
}

void PlainBackend::update_contact_power() {
    for (PlainAccount& account : accounts_.all())
        account.power_now = 0.0;
    each_contact_power(
        [&](std::uint32_t i) { return std::pair(velocity_[i], angular_velocity_[i]); },
        [](PlainAccount& account, double power) { account.power_now += power; });
}

void PlainBackend::take_account_power(PowerOf what) {
    std::vector<double> before;
    for (const PlainAccount& account : accounts_.all())
        before.push_back(account.power_now);
    update_contact_power();
    if (what == PowerOf::start) return start_accounts();
    for (std::size_t k = 0; k < before.size(); ++k) {
        PlainAccount& account = accounts_.all()[k];
        account.power +=
            what == PowerOf::step ? account.power_now : 0.5 * (account.power_now - before[k]);
    }
}

void PlainBackend::add_account_changes(std::span<const VelocityChange> changes,
                                             double weight) {
    std::vector<Vec3> velocity(n_), spin(n_);
    for (const VelocityChange& change : changes) {
        velocity[change.particle] += change.velocity;
        spin[change.particle] += change.spin;
    }
    each_contact_power([&](std::uint32_t i) { return std::pair(velocity[i], spin[i]); },
                       [&](PlainAccount& account, double power) {
                           account.power += weight * power;
                           account.power_now += power;
                       });
}

void PlainBackend::start_accounts() {
    const std::vector<ContactEnergy> stored = stored_in_accounts();
    for (std::size_t k = 0; k < stored.size(); ++k) {
        PlainAccount& account = accounts_.all()[k];
        account.power = account.given = 0.0;
        account.sliding = account.rolling = account.twisting = 0.0;
        account.power_at_start = account.power_now;
        account.initial = stored[k].normal;
    }
}

ContactEnergy PlainBackend::energy_of(const Pair& pair) const {
    return contact_energy(laws_.law(pair.kind), pair.overlap,
                          {pair.memory, pair.sliding, pair.rolling}, pair.branch);
}

std::vector<ContactEnergy> PlainBackend::stored_in_accounts() const {
    std::vector<ContactEnergy> stored(accounts_.all().size());
    for (std::size_t p = 0; p < pair_.size(); ++p) {
        if (action_[p].account == 0) continue;
        stored[action_[p].account - 1].add(energy_of(pair_[p]));
    }
    return stored;
}

void PlainBackend::release_account(std::size_t p) {
    if (PlainAccount* const account = account_of(p)) account->release(energy_of(pair_[p]));
}

void PlainBackend::pass_energy(std::size_t from, std::size_t to) {
    const ContactEnergy energy = energy_of(pair_[from]);
    if (energy.empty()) return;
    PlainAccount* const giver = account_of(from);
    if (giver == nullptr) return;
    const std::uint32_t number = action_[from].account;
    if (action_[to].account == 0) {
        const PairKey key = pair_key(list_, n_, to);
        action_[to].account = accounts_.of(
            key.first, static_cast<std::uint32_t>(n_) + static_cast<std::uint32_t>(key.wall));
    }
    if (action_[to].account == number) return;
    accounts_[number].release(energy);
    accounts_[action_[to].account].release(-energy);
}

std::vector<double> PlainBackend::action_numbers() const {
    std::vector<double> numbers;
    for (const PairAction& action : action_) {
        numbers.push_back(action.account);
        for (const Vec3& v : {action.force, action.torque_on_first, action.torque_on_second})
            numbers.insert(numbers.end(), {v.x, v.y, v.z});
    }
    return numbers;
}

void PlainBackend::restore_accounts(const SavedColumns& column) {
    accounts_.restore(column("contact_accounts"), n_ + packing_.walls.size());
    constexpr std::size_t each = 10;
    const std::span<const double> numbers = column("pair_actions");
    if (numbers.size() != each * action_.size())
        throw std::invalid_argument("pair_actions: there must be ten numbers for each pair");
    const auto vector = [&](std::size_t at) {
        return Vec3{numbers[at], numbers[at + 1], numbers[at + 2]};
    };
    for (std::size_t p = 0; p < action_.size(); ++p) {
        const double account = numbers[each * p];
        if (!(account >= 0.0 && account <= static_cast<double>(accounts_.all().size())))
            throw std::invalid_argument("pair_actions: there is no such account");
        action_[p] = {static_cast<std::uint32_t>(account), vector(each * p + 1),
                      vector(each * p + 4), vector(each * p + 7)};
    }
}

}  // namespace beadwave::packing
