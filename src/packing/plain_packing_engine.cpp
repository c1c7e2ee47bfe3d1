// The plain engine of packings: each step a loop over particles, one over pairs, one over
// particles. It is the page to read, and what the fast engine is compared with.

#include "dynamics/flush_subnormals.hpp"
#include "beadwave/laws/slopes.hpp"
#include "packing/neighbour_list.hpp"
#include "packing/packing_engine.hpp"
#include "packing/pair_laws.hpp"
#include "packing/pair_motion.hpp"
#include "packing/renewed_pairs.hpp"
#include "packing/wall_motion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace beadwave::packing {
namespace {

using laws::SliderMemory;

template <class Law>
class PlainPackingEngine final : public PackingEngine {
    using Memory = typename Law::Memory;

    /// What is known of a particle or ghost while a step is under way.
    struct Body {
        Vec3 reference, displacement;
        Vec3 half, predicted;            // velocity in the middle and at the end of the step
        Vec3 half_spin, predicted_spin;  // the same of the spin
        double radius;
    };
    struct Pair {
        std::uint32_t kind = 0;
        double gap = 0.0;  ///< between the references [m]
        Memory memory{};
        SliderMemory<double> sliding{}, rolling{};
        double overlap = 0.0, normal_force = 0.0;
        Vec3 branch{}, tangential_force{};
    };

  public:
    PlainPackingEngine(const Packing& packing, double dt)
        : packing_(packing),
          dt_(dt),
          n_(packing.particles()),
          skin_(skin_of(packing)),
          laws_(packing_),
          body_(n_),
          velocity_(packing.velocity),
          spin_(packing.spin),
          gain_(n_),
          spin_gain_(n_),
          force_(n_),
          torque_(n_),
          wall_force_(packing.walls.size()),
          wall_at_list_(packing.walls.size()) {
        const dynamics::FlushSubnormals flush;
        for (std::size_t i = 0; i < n_; ++i) {
            body_[i] = {.reference = packing.position[i],
                        .displacement = {},
                        .half = velocity_[i],
                        .predicted = velocity_[i],
                        .half_spin = spin_[i],
                        .predicted_spin = spin_[i],
                        .radius = packing.radius[i]};
        }
        note_walls();
        take_list();
        // Twice: a contact that starts closed has been loaded to where it is, and answers from now
        // on by its unloading path, which may differ from the loading path by a rounding.
        place_ghosts();
        respond(0.0);
        respond(0.0);
        note_power();
        work_ = {.power_now = work_.power_now, .power_at_start = work_.power_now};
        for (std::size_t i = 0; i < n_; ++i)
            set_gains(i);
        initial_stored_ = stored_normal();
    }

    void advance(std::int64_t steps, ParticleTrace& trace) override {
        const dynamics::FlushSubnormals flush;
        trace.force.resize(static_cast<std::size_t>(steps) * trace.particles.size());
        trace.velocity.resize(trace.force.size());
        for (std::int64_t s = 0; s < steps; ++s) {
            ++step_;
            drift();
            if (moved_too_far()) renew_list();
            place_ghosts();
            respond(dt_);
            kick();
            record(trace, static_cast<std::size_t>(s));
        }
    }
    void sample(ParticleTrace& trace) const override {
        trace.force.resize(trace.particles.size());
        trace.velocity.resize(trace.particles.size());
        record(trace, 0);
    }

    std::int64_t step() const override { return step_; }
    double time_step() const override { return dt_; }
    int threads() const override { return 1; }
    std::size_t particles() const override { return n_; }
    std::vector<Vec3> velocity() const override { return velocity_; }
    std::vector<Vec3> spin() const override { return spin_; }
    std::vector<Vec3> displacement() const override {
        std::vector<Vec3> all;
        for (std::size_t i = 0; i < n_; ++i)
            all.push_back(displacement_of(i));
        return all;
    }
    std::int64_t list_renewals() const override { return renewals_; }
    std::size_t listed_pairs() const override { return pair_.size(); }

    std::vector<ContactState> contacts() const override {
        std::vector<ContactState> closed;
        for (std::size_t p = 0; p < pair_.size(); ++p) {
            const Pair& pair = pair_[p];
            if (!(pair.overlap > 0.0)) continue;
            const PairName name = name_of(list_, n_, p);
            const double radii = body_[list_.first[p]].radius + body_[list_.second[p]].radius;
            const double length = std::sqrt(dot(pair.branch, pair.branch));
            closed.push_back(
                {.first = name.first,
                 .second = name.wall >= 0 ? n_ + static_cast<std::size_t>(name.wall) : name.second,
                 .overlap = pair.overlap,
                 .point = body_[name.first].radius / radii * pair.branch,
                 .branch = pair.branch,
                 .normal_force = -pair.normal_force / length * pair.branch,
                 .tangential_force = -pair.tangential_force});
        }
        std::ranges::stable_sort(closed, {}, &ContactState::first);
        return closed;
    }

    PackingTotals totals() const override {
        PackingTotals t{};
        for (std::size_t i = 0; i < n_; ++i) {
            const double m = packing_.mass[i];
            t.kinetic += 0.5 * m * dot(velocity_[i], velocity_[i]);
            t.rotational += 0.5 * packing_.inertia[i] * dot(spin_[i], spin_[i]);
            t.momentum += m * velocity_[i];
            t.angular_momentum +=
                cross(packing_.position[i] + displacement_of(i), m * velocity_[i]) +
                packing_.inertia[i] * spin_[i];
            t.external_work += m * dot(packing_.gravity, displacement_of(i));
        }
        t.external_work += work_.walls;
        t.stored_normal = stored_normal();
        t.stored_tangential = stored_tangential();
        if constexpr (!Law::conservative) {
            const double given =
                dt_ * (work_.power - 0.5 * work_.power_now + 0.5 * work_.power_at_start);
            // The contacts' work on walls that move is what these do, taken away.
            t.dissipated_normal =
                work_.walls - given - work_.friction - (t.stored_normal - initial_stored_);
        }
        t.dissipated_friction = work_.friction - t.stored_tangential;
        return t;
    }

    PackingRates rates(double speed) const override {
        std::vector<double> stiffness(n_, 0.0), damping(n_, 0.0);
        for (std::size_t p = 0; p < pair_.size(); ++p) {
            const Pair& pair = pair_[p];
            if (!(pair.overlap > 0.0)) continue;
            const PairLaw& law = laws_.law(pair.kind);
            const auto& normal = std::get<Law>(law.normal);
            const auto slopes =
                laws::slopes(normal, pair.overlap, approach_speed(p), pair.memory, speed);
            const double tangential = std::visit(
                [&](const auto& l) { return l.tangential_stiffness(pair.overlap); }, law.slider);
            const auto add = [&](std::uint32_t i) {
                const double r = body_[i].radius, m = packing_.mass[i];
                const double arm = 1.0 + m * r * r / packing_.inertia[i];
                stiffness[i] += (slopes.stiffness + arm * tangential) / m;
                double c = slopes.damping;
                if (const auto* linear = std::get_if<laws::LinearSlider<double>>(&law.slider))
                    c += arm * linear->damping;
                damping[i] += c / m;
            };
            add(list_.first[p]);
            if (const PairName name = name_of(list_, n_, p); name.wall < 0) add(name.second);
        }
        return {.frequency = std::sqrt(*std::ranges::max_element(stiffness)),
                .damping = *std::ranges::max_element(damping)};
    }

    std::optional<std::size_t> first_non_finite() const override {
        const auto finite = [](Vec3 v) { return std::isfinite(dot(v, v)); };
        std::vector<char> broken(n_, false);
        for (std::size_t i = 0; i < n_; ++i) {
            broken[i] = !(finite(body_[i].displacement) && finite(body_[i].reference) &&
                          finite(velocity_[i]) && finite(spin_[i]) && finite(gain_[i]) &&
                          finite(spin_gain_[i]));
        }
        for (std::size_t p = 0; p < pair_.size(); ++p) {
            const Pair& pair = pair_[p];
            bool good = std::isfinite(pair.normal_force) && finite(pair.tangential_force) &&
                        finite(pair.sliding.vector) && finite(pair.rolling.vector);
            laws::to_fields(pair.memory, [&](std::size_t, double value) {
                good = good && std::isfinite(value);
            });
            if (!good) broken[list_.first[p]] = true;
        }
        const auto at = std::ranges::find(broken, char{true});
        if (at == broken.end()) return std::nullopt;
        return static_cast<std::size_t>(at - broken.begin());
    }

    void renew_list() override {
        place_ghosts();
        const NeighbourList old = std::move(list_);
        const std::vector<Pair> old_pair = std::move(pair_);
        const std::vector<Body> before = body_;  // with the old ghosts
        // The reference goes to the nearest number to where the particle is; the rest remains its
        // displacement. Nothing is lost.
        for (std::size_t i = 0; i < n_; ++i) {
            Vec3 &r = body_[i].reference, &d = body_[i].displacement;
            rebase(r.x, d.x);
            rebase(r.y, d.y);
            rebase(r.z, d.z);
        }
        body_.resize(n_);
        note_walls();
        take_list();
        place_ghosts();
        const std::vector<std::uint32_t> number = old_numbers(old, list_, n_);
        for (std::size_t p = 0; p < pair_.size(); ++p) {
            if (number[p] == no_pair) continue;
            const Pair fresh = pair_[p];
            pair_[p] = old_pair[number[p]];
            pair_[p].kind = fresh.kind;
            pair_[p].gap =
                -overlap_between(before, old, old_pair, number[p]) - lengthening_of(p, fresh.gap);
        }
        ++renewals_;
    }

    std::vector<PackingColumn> state() const override {
        std::vector<PackingColumn> columns;
        saved_.clear();
        each_column(*this, [&](const std::string& name, std::size_t count, auto number) {
            std::vector<double>& values = saved_.emplace_back(count);
            for (std::size_t i = 0; i < count; ++i)
                values[i] = number(i);
            columns.push_back({name, {}});
        });
        for (std::size_t k = 0; k < columns.size(); ++k)
            columns[k].values = saved_[k];
        return columns;
    }

    void restore(
        std::int64_t step,
        const std::function<std::span<const double>(const std::string&)>& column) override {
        const auto take = [&](const std::string& name, std::size_t count, auto number) {
            const std::span<const double> values = column(name);
            if (values.size() != count) {
                throw std::invalid_argument(
                    fmt::format("{}: {} numbers; expected {}", name, values.size(), count));
            }
            for (std::size_t i = 0; i < count; ++i)
                number(i) = values[i];
        };
        step_ = step;
        each_column(*this, take, Columns::of_particles);
        body_.resize(n_);
        take_list();
        each_column(*this, take, Columns::of_pairs);
        place_ghosts();
    }

  private:
    struct Work {
        double power = 0.0;           ///< of the contacts on the particles, summed over steps [W]
        double power_now = 0.0;       ///< [W]
        double power_at_start = 0.0;  ///< [W]
        double friction = 0.0;        ///< put into tangential and rolling springs and sliders [J]
        double walls = 0.0;           ///< by moving walls [J]
    };

    enum class Columns { all, of_particles, of_pairs };

    /// Calls visit(name, count, i -> the i-th number) for all that the future depends on. The list
    /// follows from what `of_particles` holds.
    template <class Self, class Visit>
    static void each_column(Self& self, Visit visit, Columns which = Columns::all) {
        const auto triples = [&](const std::string& name, std::size_t count, auto triple) {
            visit(
                name, 3 * count, [&](std::size_t i) -> auto& {
                    auto& v = triple(i / 3);
                    return i % 3 == 0 ? v.x : i % 3 == 1 ? v.y : v.z;
                });
        };
        const auto vectors = [&](const std::string& name, auto& all) {
            triples(
                name, all.size(), [&](std::size_t i) -> auto& { return all[i]; });
        };
        if (which != Columns::of_pairs) {
            triples(
                "reference",
                self.n_, [&](std::size_t i) -> auto& { return self.body_[i].reference; });
            triples(
                "displacement",
                self.n_, [&](std::size_t i) -> auto& { return self.body_[i].displacement; });
            vectors("velocity", self.velocity_);
            vectors("gain", self.gain_);
            vectors("spin", self.spin_);
            vectors("spin_gain", self.spin_gain_);
            vectors("force", self.force_);
            vectors("wall_force", self.wall_force_);
            vectors("wall_at_list", self.wall_at_list_);
            const auto number = [&](const std::string& name, auto& value) {
                visit(
                    name, 1, [&](std::size_t) -> auto& { return value; });
            };
            number("power", self.work_.power);
            number("power_now", self.work_.power_now);
            number("power_at_start", self.work_.power_at_start);
            number("friction_work", self.work_.friction);
            number("wall_work", self.work_.walls);
            number("initial_stored", self.initial_stored_);
        }
        if (which == Columns::of_particles) return;
        const std::size_t pairs = self.pair_.size();
        const auto numbers = [&](const std::string& name, auto member) {
            visit(
                name, pairs, [&](std::size_t p) -> auto& { return self.pair_[p].*member; });
        };
        numbers("gap", &Pair::gap);
        numbers("overlap", &Pair::overlap);
        numbers("normal_force", &Pair::normal_force);
        triples(
            "branch", pairs, [&](std::size_t p) -> auto& { return self.pair_[p].branch; });
        triples(
            "tangential_force",
            pairs, [&](std::size_t p) -> auto& { return self.pair_[p].tangential_force; });
        triples(
            "sliding", pairs, [&](std::size_t p) -> auto& { return self.pair_[p].sliding.vector; });
        visit(
            "sliding_number",
            pairs, [&](std::size_t p) -> auto& { return self.pair_[p].sliding.number; });
        triples(
            "rolling", pairs, [&](std::size_t p) -> auto& { return self.pair_[p].rolling.vector; });
        visit(
            "rolling_number",
            pairs, [&](std::size_t p) -> auto& { return self.pair_[p].rolling.number; });
        [&]<std::size_t... k>(std::index_sequence<k...>) {
            (visit(
                 "memory_" + std::to_string(k), pairs,
                 [&](std::size_t p) -> auto& {
                     return self.pair_[p].memory.*std::get<k>(Memory::fields());
                 }),
             ...);
        }
        (std::make_index_sequence<laws::field_count<Memory>>{});
    }

    static void rebase(double& reference, double& displacement) {
        const double there = reference + displacement;
        const double back = there - reference;
        displacement = (reference - (there - back)) + (displacement - back);
        reference = there;
    }

    Vec3 displacement_of(std::size_t i) const {
        return (body_[i].reference - packing_.position[i]) + body_[i].displacement;
    }
    double time() const { return static_cast<double>(step_) * dt_; }

    void note_walls() {
        for (std::size_t w = 0; w < packing_.walls.size(); ++w)
            wall_at_list_[w] = wall_displacement(packing_.walls[w], time());
    }

    /// A new list for the references as they are, and the gaps of its pairs as if all were new.
    void take_list() {
        std::vector<WallPlace> walls;
        for (std::size_t w = 0; w < packing_.walls.size(); ++w) {
            walls.push_back({packing_.walls[w].point + wall_at_list_[w], packing_.walls[w].normal});
        }
        std::vector<Vec3> position(n_);
        for (std::size_t i = 0; i < n_; ++i)
            position[i] = body_[i].reference;
        list_ = find_neighbours({.position = position,
                                 .radius = packing_.radius,
                                 .walls = walls,
                                 .box = packing_.box,
                                 .skin = skin_});
        lay_ghosts();
        laws_.forget();
        pair_.assign(list_.pairs(), {});
        for (std::size_t p = 0; p < pair_.size(); ++p) {
            const std::uint32_t first = list_.first[p];
            const PairName name = name_of(list_, n_, p);
            const Vec3 r = body_[list_.second[p]].reference - body_[first].reference;
            pair_[p].kind = laws_.kind(
                first, name.wall >= 0
                           ? static_cast<std::uint32_t>(n_) + static_cast<std::uint32_t>(name.wall)
                           : name.second);
            pair_[p].gap = name.wall >= 0
                               ? first_gap(height(first, static_cast<std::size_t>(name.wall)),
                                           body_[first].radius)
                               : first_gap(std::sqrt(dot(r, r)),
                                           body_[first].radius + body_[list_.second[p]].radius);
        }
    }

    /// Of a particle's reference above the wall as it was when the list was made [m].
    double height(std::uint32_t particle, std::size_t w) const {
        const Wall& wall = packing_.walls[w];
        return dot(wall.normal, body_[particle].reference - wall.point - wall_at_list_[w]);
    }

    /// References of the list's ghosts.
    void lay_ghosts() {
        const Vec3 period = packing_.box.upper - packing_.box.lower;
        body_.resize(n_ + list_.ghosts.size());
        for (std::size_t g = 0; g < list_.ghosts.size(); ++g) {
            const Ghost& ghost = list_.ghosts[g];
            Body& body = body_[n_ + g];
            body = {};
            body.reference = body_[ghost.of].reference;
            if (ghost.wall >= 0) {
                const auto w = static_cast<std::size_t>(ghost.wall);
                body.reference -= height(ghost.of, w) * packing_.walls[w].normal;
            } else {
                body.reference += Vec3{ghost.image[0] * period.x, ghost.image[1] * period.y,
                                       ghost.image[2] * period.z};
                body.radius = body_[ghost.of].radius;
            }
        }
    }

    /// Ghosts do what their particles do; a wall's goes along with the particle before it, so that
    /// the pair's branch is the normal, but has the wall's velocity.
    void place_ghosts() {
        for (std::size_t g = 0; g < list_.ghosts.size(); ++g) {
            const Ghost& ghost = list_.ghosts[g];
            Body& body = body_[n_ + g];
            const Body& particle = body_[ghost.of];
            body.displacement = particle.displacement;
            if (ghost.wall < 0) {
                body.half = particle.half;
                body.predicted = particle.predicted;
                body.half_spin = particle.half_spin;
                body.predicted_spin = particle.predicted_spin;
                continue;
            }
            const auto w = static_cast<std::size_t>(ghost.wall);
            const Wall& wall = packing_.walls[w];
            const Vec3 moved = wall_displacement(wall, time()) - wall_at_list_[w];
            body.displacement -= dot(wall.normal, particle.displacement - moved) * wall.normal;
            body.half = wall_velocity(wall, time() - 0.5 * dt_);
            body.predicted = wall_velocity(wall, time());
        }
    }

    void drift() {
        for (std::size_t i = 0; i < n_; ++i) {
            Body& body = body_[i];
            body.half = velocity_[i] + gain_[i];
            body.displacement += dt_ * body.half;
            body.predicted = body.half + gain_[i];
            body.half_spin = spin_[i] + spin_gain_[i];
            body.predicted_spin = body.half_spin + spin_gain_[i];
        }
    }

    /// Whether two bodies may have come closer by the skin since the list was made.
    bool moved_too_far() const {
        double most = 0.0, second = 0.0;
        const auto see = [&](double squared) {
            if (squared > most) {
                second = most;
                most = squared;
            } else if (squared > second) {
                second = squared;
            }
        };
        for (std::size_t i = 0; i < n_; ++i)
            see(dot(body_[i].displacement, body_[i].displacement));
        for (std::size_t w = 0; w < packing_.walls.size(); ++w) {
            const Vec3 u = wall_displacement(packing_.walls[w], time()) - wall_at_list_[w];
            see(dot(u, u));
        }
        return std::sqrt(most) + std::sqrt(second) >= skin_;
    }

    PairStand<double> stand_of(std::size_t p) const {
        const Body &a = body_[list_.first[p]], &b = body_[list_.second[p]];
        return stand<double>({.reference = b.reference - a.reference,
                              .displacement = b.displacement - a.displacement,
                              .radii = a.radius + b.radius,
                              .gap = pair_[p].gap});
    }
    static double overlap_between(const std::vector<Body>& body, const NeighbourList& list,
                                  const std::vector<Pair>& pairs, std::size_t p) {
        const Body &a = body[list.first[p]], &b = body[list.second[p]];
        return stand<double>({.reference = b.reference - a.reference,
                              .displacement = b.displacement - a.displacement,
                              .radii = a.radius + b.radius,
                              .gap = pairs[p].gap})
            .overlap;
    }
    /// By what its bodies' displacements make a new pair's distance longer [m].
    double lengthening_of(std::size_t p, double gap) const {
        const Body &a = body_[list_.first[p]], &b = body_[list_.second[p]];
        const Vec3 r = b.reference - a.reference, d = b.displacement - a.displacement;
        return lengthening(r, d, std::sqrt(dot(r + d, r + d)), a.radius + b.radius + gap);
    }

    double approach_speed(std::size_t p) const {
        const Vec3 r = pair_[p].branch;
        const auto speed_of = [&](std::uint32_t body) {
            return body < n_                          ? velocity_[body]
                   : list_.ghosts[body - n_].wall < 0 ? velocity_[list_.ghosts[body - n_].of]
                                                      : body_[body].predicted;
        };
        return -dot(speed_of(list_.second[p]) - speed_of(list_.first[p]), r) / std::sqrt(dot(r, r));
    }

    /// New forces and memory of all pairs after a step of dt.
    void respond(double dt) {
        const std::vector<Vec3> old_wall_force = wall_force_;
        std::ranges::fill(force_, Vec3{});
        std::ranges::fill(torque_, Vec3{});
        std::ranges::fill(wall_force_, Vec3{});
        for (std::size_t p = 0; p < pair_.size(); ++p)
            respond_pair(p, dt);
        for (std::size_t w = 0; w < wall_force_.size(); ++w) {
            const Wall& wall = packing_.walls[w];
            const Vec3 moved =
                wall_displacement(wall, time()) - wall_displacement(wall, time() - dt);
            work_.walls -= 0.5 * dot(old_wall_force[w] + wall_force_[w], moved);
        }
    }

    void respond_pair(std::size_t p, double dt) {
        Pair& pair = pair_[p];
        const Body &a = body_[list_.first[p]], &b = body_[list_.second[p]];
        const PairLaw& law = laws_.law(pair.kind);
        const double radii = a.radius + b.radius;
        const PairStand<double> s = stand_of(p);
        const Vec3 predicted = b.predicted - a.predicted;
        const double approach_speed = -dot(predicted, s.normal);
        const auto [normal_force, memory] =
            std::get<Law>(law.normal).respond(s.overlap, approach_speed, pair.memory);
        pair.memory = memory;
        pair.normal_force = normal_force;
        pair.overlap = s.overlap;
        pair.branch = s.branch;

        const bool wall = b.radius == 0.0;
        const PairSlip<double> slip =
            slip_of<double>(s, {b.half - a.half, a.radius * a.half_spin + b.radius * b.half_spin},
                            1.0 / radii, dt, wall ? 0.0 : 0.5 * dt);
        const Vec3 velocity = sliding_velocity<double>(
            s, {predicted, a.radius * a.predicted_spin + b.radius * b.predicted_spin}, 1.0 / radii);
        SliderMemory<double> before = pair.sliding;
        before.vector =
            laws::turned(before.vector, slip.middle, slip.inverse_middle_squared, s.normal);
        const auto answer = std::visit(
            [&](const auto& slider) {
                return slider.respond({.slip = slip.slip,
                                       .mean = slip.mean,
                                       .velocity = velocity,
                                       .overlap = s.overlap,
                                       .normal_force = normal_force},
                                      before);
            },
            law.slider);
        pair.sliding = answer.memory;
        pair.tangential_force = answer.force;
        work_.friction += answer.work;

        const Vec3 force = normal_force * s.normal + answer.force;  // on the second body
        const Vec3 lever = cross(s.branch, answer.force) * (1.0 / radii);
        Vec3 torque{};  // on the second body, of rolling
        if (packing_.rolling.acts()) torque = roll(pair, a, b, s, slip, normal_force, dt);
        add(list_.first[p], -force, -(a.radius * lever) - torque);
        add(list_.second[p], force, -(b.radius * lever) + torque);
    }

    Vec3 roll(Pair& pair, const Body& a, const Body& b, const PairStand<double>& s,
              const PairSlip<double>& slip, double normal_force, double dt) {
        SliderMemory<double> before = pair.rolling;
        // Of both parts, along the normal and across: turned once more, over the new plane.
        const Vec3 v = before.vector;
        const Vec3 reflected =
            v - slip.middle * (2.0 * dot(v, slip.middle) * slip.inverse_middle_squared);
        before.vector = reflected - s.normal * (2.0 * dot(reflected, s.normal));
        const auto answer =
            laws_.law(pair.kind).rolling.respond({.angle = dt * (a.half_spin - b.half_spin),
                                                  .mean = a.half_spin - b.half_spin,
                                                  .velocity = a.predicted_spin - b.predicted_spin,
                                                  .normal = s.normal,
                                                  .overlap = s.overlap,
                                                  .normal_force = normal_force},
                                                 before);
        pair.rolling = answer.memory;
        work_.friction += answer.work;
        return answer.force;
    }

    void add(std::uint32_t body, Vec3 force, Vec3 torque) {
        if (body >= n_) {
            const Ghost& ghost = list_.ghosts[body - n_];
            if (ghost.wall >= 0) {
                wall_force_[static_cast<std::size_t>(ghost.wall)] += force;
                return;
            }
            body = ghost.of;
        }
        force_[body] += force;
        torque_[body] += torque;
    }

    void set_gains(std::size_t i) {
        const double m = packing_.mass[i];
        gain_[i] = (force_[i] + m * packing_.gravity) * (0.5 * dt_ * (1.0 / m));
        spin_gain_[i] = torque_[i] * (0.5 * dt_ * (1.0 / packing_.inertia[i]));
    }

    void kick() {
        for (std::size_t i = 0; i < n_; ++i) {
            set_gains(i);
            velocity_[i] = body_[i].half + gain_[i];
            spin_[i] = body_[i].half_spin + spin_gain_[i];
        }
        note_power();
        work_.power += work_.power_now;
    }

    /// What the contacts give to the particles. Over all steps, the trapezoidal sum is their work:
    /// exactly the kinetic energy that velocity Verlet gives, but for what the forces change within
    /// a step at the run's two ends.
    void note_power() {
        work_.power_now = 0.0;
        for (std::size_t i = 0; i < n_; ++i)
            work_.power_now += dot(force_[i], velocity_[i]) + dot(torque_[i], spin_[i]);
    }

    double stored_normal() const {
        double stored = 0.0;
        for (const Pair& pair : pair_) {
            stored +=
                std::get<Law>(laws_.law(pair.kind).normal).stored_energy(pair.overlap, pair.memory);
        }
        return stored;
    }
    double stored_tangential() const {
        double stored = 0.0;
        for (const Pair& pair : pair_) {
            const PairLaw& law = laws_.law(pair.kind);
            stored += std::visit(
                [&](const auto& slider) {
                    return slider.stored_energy(pair.overlap, pair.sliding);
                },
                law.slider);
            stored += law.rolling.stored_energy(pair.overlap, pair.rolling);
        }
        return stored;
    }

    void record(ParticleTrace& trace, std::size_t row) const {
        for (std::size_t k = 0; k < trace.particles.size(); ++k) {
            const std::size_t at = row * trace.particles.size() + k;
            trace.force[at] = force_[trace.particles[k]];
            trace.velocity[at] = velocity_[trace.particles[k]];
        }
    }

    const Packing packing_;
    double dt_;
    std::size_t n_;
    double skin_;
    PairLaws laws_;
    std::int64_t step_ = 0, renewals_ = 0;
    std::vector<Body> body_;  // particles, then the list's ghosts
    std::vector<Vec3> velocity_, spin_, gain_, spin_gain_, force_, torque_;
    NeighbourList list_;
    std::vector<Pair> pair_;
    std::vector<Vec3> wall_force_;    // of the particles on each wall
    std::vector<Vec3> wall_at_list_;  // displacement when the list was made
    Work work_;
    double initial_stored_ = 0.0;
    mutable std::vector<std::vector<double>> saved_;  // what state() shows
};

}  // namespace

std::unique_ptr<PackingEngine> make_plain_packing_engine(const Packing& packing, double time_step) {
    if (const std::string wrong = what_is_wrong(packing); !wrong.empty())
        throw std::invalid_argument(wrong);
    return std::visit(
        [&]<class Law>(const Law&) -> std::unique_ptr<PackingEngine> {
            return std::make_unique<PlainPackingEngine<Law>>(packing, time_step);
        },
        PairLaws(packing).normal());
}

}  // namespace beadwave::packing
