#include "mechanism/simbody/tree.hpp"

#include "mechanism/simbody/engine.hpp"

#include <algorithm>
#include <exception>
#include <new>

namespace beadwave::mechanism::simbody {
namespace {

/// No text of Simbody leaves this file.
template <class Work>
auto guarded(const Work& work) {
    try {
        return work();
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception&) {
        throw NoSolution();
    }
}

class SimbodyTree final : public Tree {
  public:
    SimbodyTree(const std::vector<Branch>& branches, const std::vector<Closure>& closures)
        : engine_(branches, closures) {}

    std::size_t coordinates() const override { return engine_.count; }
    bool is_angle(std::size_t coordinate) const override { return engine_.angles[coordinate]; }
    std::size_t first_coordinate(std::size_t body) const override { return engine_.first(body); }
    const std::vector<BodyState>& bodies() const override { return engine_.body_states; }
    void set(double time, const double* q, const double* u) override {
        guarded([&] { engine_.set(time, q, u); });
    }
    void use_conditions(const std::vector<bool>& used) override {
        guarded([&] { engine_.use_conditions(used); });
    }

    bool project_constraints(double time, double* q, double* u, double tolerance) override {
        return guarded([&] { return project(time, q, u, tolerance); });
    }
    std::vector<std::vector<double>> loop_jacobian() override {
        return guarded([&] { return jacobian_of_loops(); });
    }
    void accelerate(const Load* loads, double* accelerations) override {
        guarded([&] { find_accelerations(loads, accelerations); });
    }
    double motor_power() const override {
        return guarded([&] {
            return engine_.has_motors ? engine_.matter.calcMotionPower(engine_.state) : 0.0;
        });
    }
    void joint_reactions(Load* of_branches, Load* of_closures) override {
        guarded([&] { find_reactions(of_branches, of_closures); });
    }
    std::vector<double> impulse_response(const Load* impulses) override {
        return guarded([&] { return respond(impulses); });
    }
    double projected_speed(const Load* loads, const double* du) override {
        return guarded([&] { return project_speed(loads, du); });
    }

  private:
    bool project(double time, double* q, double* u, double tolerance) {
        Engine& e = engine_;
        e.set(time, q, u);
        if (e.has_loops) {
            try {
                e.system.project(e.state, tolerance);
            } catch (const SimTK::Exception::Base&) {
                return false;  // no position or speed within reach closes the loops
            }
            e.read();
            std::copy_n(&e.state.getQ()[0], e.count, q);
        }
        std::copy_n(&e.state.getU()[0], e.count, u);
        return true;
    }

    std::vector<std::vector<double>> jacobian_of_loops() {
        Engine& e = engine_;
        SimTK::Matrix jacobian;
        e.matter.calcG(e.state, jacobian);
        std::vector<std::vector<double>> rows(static_cast<std::size_t>(jacobian.nrow()),
                                              std::vector<double>(e.count, 0.0));
        for (const Branch& branch : e.branches) {
            if (branch.motor) continue;
            const std::size_t first = e.first(branch.body);
            const std::size_t last = first + (branch.mobility == Mobility::planar ? 3 : 1);
            for (std::size_t r = 0; r < rows.size(); ++r) {
                for (std::size_t k = first; k < last; ++k)
                    rows[r][k] = jacobian(static_cast<int>(r), static_cast<int>(k));
            }
        }
        return rows;
    }

    void find_accelerations(const Load* loads, double* accelerations) {
        Engine& e = engine_;
        e.loads.setAllBodyForces(e.state, e.in_space_all(loads));
        e.system.realize(e.state, SimTK::Stage::Acceleration);
        std::copy_n(&e.state.getUDot()[0], e.count, accelerations);
        for (std::size_t i = 0; i < e.bodies.size(); ++i) {
            const SimTK::SpatialVec& rate = e.bodies[i].getBodyAcceleration(e.state);
            e.body_states[i].acceleration = in_plane(rate[1]);
            e.body_states[i].angular_acceleration = rate[0][2];
        }
    }

    void find_reactions(Load* of_branches, Load* of_closures) {
        Engine& e = engine_;
        SimTK::Vector_<SimTK::SpatialVec> reactions;
        e.matter.calcMobilizerReactionForces(e.state, reactions);
        for (const Branch& branch : e.branches) {
            const SimTK::SpatialVec& on_body =
                reactions[int(e.bodies[branch.body].getMobilizedBodyIndex())];
            *of_branches++ = {in_plane(on_body[1]), on_body[0][2]};
        }
        for (const auto& [constraints, second, point] : e.closing) {
            Load sum;
            for (const SimTK::ConstraintIndex index : constraints) {
                if (e.matter.getConstraint(index).isDisabled(e.state)) continue;
                // In the frame of the ground, and the opposite of an applied force. The second body
                // is the follower, the last of the constrained bodies.
                const auto forces =
                    e.matter.getConstraint(index).getConstrainedBodyForcesAsVector(e.state);
                const SimTK::SpatialVec& on_body = forces[forces.size() - 1];
                sum.force = sum.force - in_plane(on_body[1]);
                sum.torque -= on_body[0][2];
            }
            // Simbody's torque is about the centre of the body.
            const Vector arm = rotated(point, state_of(e.body_states, second).angle);
            sum.torque -= cross(arm, sum.force);
            *of_closures++ = sum;
        }
    }

    std::vector<double> respond(const Load* impulses) {
        Engine& e = engine_;
        SimTK::Vector generalised, change;
        e.matter.multiplyBySystemJacobianTranspose(e.state, e.in_space_all(impulses), generalised);
        e.matter.multiplyByMInv(e.state, generalised, change);
        if (e.has_loops) {  // impulses of the loops: G (du - M^-1 G' lambda) = 0
            SimTK::Matrix projected;
            SimTK::Vector error, multipliers, correction;
            e.matter.multiplyByG(e.state, change, error);
            e.matter.calcProjectedMInv(e.state, projected);
            SimTK::FactorQTZ(projected).solve(error, multipliers);
            e.matter.multiplyByGTranspose(e.state, multipliers, generalised);
            e.matter.multiplyByMInv(e.state, generalised, correction);
            change -= correction;
        }
        return {&change[0], &change[0] + change.size()};
    }

    double project_speed(const Load* loads, const double* du) {
        SimTK::Vector generalised;
        engine_.matter.multiplyBySystemJacobianTranspose(engine_.state, engine_.in_space_all(loads),
                                                         generalised);
        double sum = 0.0;
        for (std::size_t k = 0; k < engine_.count; ++k)
            sum += generalised[static_cast<int>(k)] * du[k];
        return sum;
    }

    Engine engine_;
};

}  // namespace
}  // namespace beadwave::mechanism::simbody

extern "C" beadwave::mechanism::simbody::Tree* beadwave_simbody_make_tree(
    const std::vector<beadwave::mechanism::simbody::Branch>* branches,
    const std::vector<beadwave::mechanism::simbody::Closure>* closures) {
    return beadwave::mechanism::simbody::guarded(
        [&] { return new beadwave::mechanism::simbody::SimbodyTree(*branches, *closures); });
}
