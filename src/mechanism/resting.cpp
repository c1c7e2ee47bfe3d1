// The part of Dynamics for contacts that rest: normal reactions and Coulomb's friction keep their
// bodies together, and in one place if they stick.
#include "mechanism/dynamics.hpp"
#include "mechanism/sliding_friction.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace beadwave::mechanism {

using Phase = ContactState::Phase;

double Dynamics::coulomb_friction(std::size_t point) const {
    const Contact& contact = mechanism.contacts[contact_states[point].point.contact];
    return std::holds_alternative<Impulse>(contact.law) && contact.friction
               ? contact.friction->coefficient
               : 0.0;
}

double Dynamics::resting_friction(std::size_t point, double slip_speed) const {
    if (coulomb_friction(point) == 0.0) return 0.0;
    return sticks(point) ? holding_coefficient(friction_of(point))
                         : sliding_coefficient(friction_of(point), std::abs(slip_speed));
}

bool Dynamics::sticks(std::size_t point) const {
    return contact_states[point].slip_direction == 0.0 && coulomb_friction(point) > 0.0;
}

std::vector<std::size_t> Dynamics::resting() const {
    std::vector<std::size_t> points;
    for (std::size_t i = 0; i < contact_states.size(); ++i) {
        if (contact_states[i].phase == Phase::resting) points.push_back(i);
    }
    return points;
}

std::string Dynamics::contact_names(const std::vector<std::size_t>& points) const {
    std::vector<std::string> names;
    for (const std::size_t i : points) {
        std::string name =
            fmt::format("\"{}\"", mechanism.contacts[contact_states[i].point.contact].name);
        if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
    }
    return fmt::format("{} {}", names.size() == 1 ? "contact" : "contacts", fmt::join(names, ", "));
}

bool Dynamics::has_resting_friction() const {
    return std::ranges::any_of(resting(), [&](std::size_t i) { return coulomb_friction(i) > 0.0; });
}

CoulombProblem Dynamics::coulomb_problem(const std::vector<std::size_t>& points,
                                         const std::vector<ContactKinematics>& kinematics) {
    const std::size_t n = points.size();
    CoulombProblem problem(n);
    for (std::size_t column = 0; column < 2 * n; ++column) {
        const std::size_t point = points[column % n];
        const bool along = column >= n;
        const std::vector<double> du = multibody.impulse_response(
            contact_loads(point, kinematics[point], along ? 0.0 : 1.0, along ? 1.0 : 0.0));
        for (std::size_t row = 0; row < 2 * n; ++row) {
            const std::size_t at = points[row % n];
            problem.response(row, column) = multibody.projected_speed(
                contact_loads(at, kinematics[at], row < n ? 1.0 : 0.0, row < n ? 0.0 : 1.0), du);
        }
    }
    for (std::size_t k = 0; k < n; ++k)
        problem.friction[k] = coulomb_friction(points[k]);
    return problem;
}

CoulombProblem Dynamics::resting_problem() {
    const std::vector<std::size_t> points = resting();
    std::vector<ContactKinematics> kinematics(contact_states.size());
    for (const std::size_t i : points)
        kinematics[i] = contact_states[i].point.kinematics(multibody.bodies());
    CoulombProblem problem = coulomb_problem(points, kinematics);
    for (std::size_t k = 0; k < points.size(); ++k)
        problem.friction[k] = resting_friction(points[k], kinematics[points[k]].slip_speed);
    problem.separation = free_separations_;
    problem.slip = free_slips_;
    for (std::size_t k = 0; k < points.size(); ++k)
        problem.direction[k] = contact_states[points[k]].slip_direction;
    return problem;
}

void Dynamics::apply_reactions(std::span<double> dydt) {
    const std::vector<std::size_t> points = resting();
    cones_.clear();
    if (points.empty()) return;
    if (reactions == Reactions::given) {
        for (const std::size_t i : points) {
            const ContactState& state = contact_states[i];
            const ContactKinematics now = state.point.kinematics(multibody.bodies());
            add_contact_load(state, now,
                             state.normal_reaction * now.normal +
                                 state.tangential_reaction * left_of(now.normal),
                             loads_);
        }
        return multibody.accelerate(loads_, dydt.subspan(n_, n_));
    }
    std::vector<ContactKinematics> kinematics(contact_states.size());
    free_separations_.clear(), free_slips_.clear();
    std::vector<double> wanted;
    std::vector<std::size_t> sticking;
    for (std::size_t k = 0; k < points.size(); ++k) {
        const std::size_t i = points[k];
        kinematics[i] = contact_states[i].point.kinematics(multibody.bodies());
        free_separations_.push_back(-approach_acceleration(i));
        free_slips_.push_back(contact_states[i].point.slip_acceleration(multibody.bodies()));
        wanted.push_back(-free_separations_.back());
        if (sticks(i)) sticking.push_back(k);
    }
    // Unknown are the normal forces, and the tangential forces where contacts stick.
    const std::size_t n = points.size();
    CoulombProblem problem = coulomb_problem(points, kinematics);
    for (std::size_t k = 0; k < n; ++k)
        problem.friction[k] = resting_friction(points[k], kinematics[points[k]].slip_speed);
    for (const std::size_t k : sticking)
        wanted.push_back(-free_slips_[k]);
    const auto row_of = [&](std::size_t k) { return k < n ? k : n + sticking[k - n]; };
    Matrix m(wanted.size());
    std::vector<double> diagonal;
    for (std::size_t row = 0; row < m.order; ++row) {
        diagonal.push_back(problem.response(row_of(row), row_of(row)));
        for (std::size_t column = 0; column < m.order; ++column) {
            double& cell = m(row, column);
            cell = problem.response(row_of(row), row_of(column));
            if (column >= n) continue;
            const double direction = contact_states[points[column]].slip_direction;
            if (direction == 0.0) continue;
            cell -=
                problem.friction[column] * direction * problem.response(row_of(row), n + column);
        }
    }
    reactions_ = solve_all(std::move(m), std::move(wanted), diagonal);
    for (std::size_t k = 0; k < n; ++k)
        cones_.push_back({.normal = k, .friction = problem.friction[k]});
    for (std::size_t k = 0; k < sticking.size(); ++k)
        cones_[sticking[k]].tangential = n + k;
    const std::vector<double> forces = within_cones(reactions_, cones_);
    for (std::size_t k = 0; k < n; ++k) {
        const std::size_t i = points[k];
        ContactState& state = contact_states[i];
        state.normal_reaction = forces[k];
        state.yielding_mass = diagonal[k] > 0.0 ? 1.0 / diagonal[k] : 0.0;
        state.tangential_reaction = -problem.friction[k] * state.slip_direction * forces[k];
        const auto found = std::ranges::find(sticking, k);
        if (found != sticking.end()) {
            state.tangential_reaction =
                forces[n + static_cast<std::size_t>(found - sticking.begin())];
        } else {
            dydt[2 * n_ + contact_states.size() + i] =
                -state.tangential_reaction * kinematics[i].slip_speed;
        }
        add_rubbing_rate(dydt, i, forces[k], kinematics[i]);
        const Vector reaction = forces[k] * kinematics[i].normal +
                                state.tangential_reaction * left_of(kinematics[i].normal);
        add_contact_load(state, kinematics[i], reaction, loads_);
        if (has_resting_friction()) include_acceleration(state, kinematics[i], reaction);
    }
    multibody.accelerate(loads_, dydt.subspan(n_, n_));
}

bool Dynamics::decide_friction(double time, const std::vector<double>& y, double stopped,
                               bool breaks) {
    if (!has_resting_friction()) return true;
    dydt_.resize(numbers());
    derivatives(time, y, dydt_);  // for the motion without reactions
    for (const std::size_t i : resting()) {
        ContactState& state = contact_states[i];
        const double slip = state.point.kinematics(multibody.bodies()).slip_speed;
        // Slip against the direction that it had is rounding.
        if (stopped > 0.0 && state.slip_direction * slip <= stopped) state.slip_direction = 0.0;
    }
    const std::vector<std::size_t> points = resting();
    const CoulombProblem problem = resting_problem();
    const auto found = solve(problem);
    if (!found) return false;
    // Well below what friction_holds() sees.
    const double least = (breaks ? 1e-2 : 1.0) * negligible_acceleration(problem);
    for (std::size_t k = 0; k < points.size(); ++k) {
        if (problem.direction[k] != 0.0 || problem.friction[k] == 0.0) continue;
        if (std::abs(found->slip[k]) > least)
            contact_states[points[k]].slip_direction = std::copysign(1.0, found->slip[k]);
    }
    return true;
}

void Dynamics::set_slip_directions(double time, std::span<const double> y, double least) {
    multibody.set(time, y.first(n_), y.subspan(n_, n_));
    for (const std::size_t i : resting()) {
        if (coulomb_friction(i) == 0.0) continue;
        const double slip = contact_states[i].point.kinematics(multibody.bodies()).slip_speed;
        contact_states[i].slip_direction = std::abs(slip) <= least ? 0.0 : std::copysign(1.0, slip);
    }
}

bool Dynamics::friction_holds() {
    const std::vector<std::size_t> points = resting();
    if (!std::ranges::any_of(points, [&](std::size_t i) { return sticks(i); })) return true;
    const CoulombProblem problem = resting_problem();
    const auto found = solve(problem);
    if (!found) return false;
    const double least = negligible_acceleration(problem);
    for (std::size_t k = 0; k < points.size(); ++k) {
        if (sticks(points[k]) && std::abs(found->slip[k]) > least) return false;
    }
    return true;
}

Dynamics::Margin Dynamics::resting_margin() const {
    if (cones_.empty()) return {};
    Margin margin{.least = largest_margin(reactions_, cones_), .scale = 0.0};
    for (const double force : reactions_.least)
        margin.scale = std::max(margin.scale, std::abs(force));
    // Without loads all forces are rounding.
    for (const std::size_t i : resting())
        margin.scale = std::max(margin.scale, 1e3 * negligible_force(i));
    return margin;
}

std::optional<std::size_t> Dynamics::jamming_contact(
    const std::vector<ContactKinematics>& kinematics) {
    constexpr double little = 1e-2;
    for (const std::size_t i : resting()) {
        const double direction = contact_states[i].slip_direction;
        if (direction == 0.0) continue;
        const CoulombProblem problem = coulomb_problem({i}, kinematics);
        const double mu = resting_friction(i, kinematics[i].slip_speed);
        if (problem.response(0, 0) - mu * direction * problem.response(0, 1) <
            little * problem.response(0, 0))
            return i;
    }
    return std::nullopt;
}

double Dynamics::rounding_acceleration() const {
    double fastest = 0.0;
    for (const BodyState& body : multibody.bodies())
        fastest = std::max(fastest, length(body.velocity) + size * std::abs(body.angular_velocity));
    return 1e-12 * (largest_acceleration_ + fastest * fastest / size);
}

double Dynamics::negligible_force(std::size_t point) const {
    return rounding_acceleration() * contact_states[point].yielding_mass;
}

/// Accelerations up to this are rounding [m/s^2].
double Dynamics::negligible_acceleration(const CoulombProblem& problem) const {
    double largest = 0.0;
    for (const auto* list : {&problem.separation, &problem.slip}) {
        for (const double number : *list)
            largest = std::max(largest, std::abs(number));
    }
    return std::max(1e-11 * largest, rounding_acceleration());
}

/// Projects as for the loops of ideal joints: otherwise overlap and approach speed drift by the
/// errors of the steps, and so does the slip of contacts that stick.
void Dynamics::project_resting(double time, std::span<double> q, std::span<double> u) {
    const std::vector<std::size_t> points = resting();
    if (points.empty()) return;
    std::vector<ContactKinematics> kinematics(contact_states.size());
    const auto update = [&] {
        multibody.set(time, q, u);
        for (const std::size_t i : points)
            kinematics[i] = contact_states[i].point.kinematics(multibody.bodies());
    };
    const auto move = [&](std::span<double> moved, double ContactKinematics::*quantity) {
        update();
        std::vector<double> errors;
        for (const std::size_t i : points)
            errors.push_back(kinematics[i].*quantity);
        const std::vector<double> factors =
            solve_semidefinite(delassus_matrix(points, kinematics), errors);
        for (std::size_t k = 0; k < points.size(); ++k) {
            const std::vector<double> response =
                multibody.impulse_response(unit_loads(points[k], kinematics[points[k]]));
            for (std::size_t c = 0; c < n_; ++c)
                moved[c] += factors[k] * response[c];
        }
    };
    for (int pass = 0; pass < 2; ++pass)  // the second pass leaves rounding
        move(q, &ContactKinematics::overlap);
    if (!std::ranges::any_of(points, [&](std::size_t i) { return sticks(i); }))
        return move(u, &ContactKinematics::approach_speed);
    update();
    const CoulombProblem problem = coulomb_problem(points, kinematics);
    const std::size_t n = points.size();
    std::vector<std::size_t> rows;
    std::vector<double> errors;
    for (std::size_t row = 0; row < 2 * n; ++row) {
        const std::size_t i = points[row % n];
        if (row >= n && !sticks(i)) continue;
        rows.push_back(row);
        errors.push_back(row < n ? kinematics[i].approach_speed : -kinematics[i].slip_speed);
    }
    Matrix m(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        for (std::size_t j = 0; j < rows.size(); ++j)
            m(i, j) = problem.response(rows[i], rows[j]);
    }
    const std::vector<double> impulses = solve_semidefinite(m, errors);
    for (std::size_t k = 0; k < rows.size(); ++k) {
        const std::size_t i = points[rows[k] % n];
        const std::vector<double> response = multibody.impulse_response(
            rows[k] < n ? contact_loads(i, kinematics[i], impulses[k], 0.0)
                        : contact_loads(i, kinematics[i], 0.0, impulses[k]));
        for (std::size_t c = 0; c < n_; ++c)
            u[c] += response[c];
    }
}

}  // namespace beadwave::mechanism
