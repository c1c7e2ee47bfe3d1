// A mechanism in the terms of Simbody. Only tree.cpp includes this file: nothing of Simbody, its
// C++17 or its names, goes further.
#pragma once

#include "mechanism/simbody/tree.hpp"

#include <Simbody.h>

#include <algorithm>
#include <array>
#include <functional>
#include <utility>
#include <vector>

namespace beadwave::mechanism::simbody {

using SimTK::MobilizedBody;
using SimTK::Transform;
using SimTK::UnitVec3;
using SimTK::Vec3;

inline Vec3 in_space(const Vector& v) {
    return {v[0], v[1], 0.0};
}
inline Vector in_plane(const Vec3& v) {
    return {v[0], v[1]};
}

/// A motor: the speed of its joint, whatever loads act.
class MotorMotion final : public SimTK::Motion::Custom::Implementation {
  public:
    explicit MotorMotion(std::function<std::pair<double, double>(double)> speed)
        : speed_(std::move(speed)) {}
    SimTK::Motion::Level getLevel(const SimTK::State&) const override {
        return SimTK::Motion::Velocity;
    }
    void calcPrescribedVelocity(const SimTK::State& state, int count, double* u) const override {
        std::fill_n(u, count, speed_(state.getTime()).first);
    }
    void calcPrescribedVelocityDot(const SimTK::State& state, int count,
                                   double* rate) const override {
        std::fill_n(rate, count, speed_(state.getTime()).second);
    }

  private:
    std::function<std::pair<double, double>(double)> speed_;
};

/// The bodies, joints and conditions of a mechanism in Simbody, and their present state.
struct Engine {
    Engine(std::vector<Branch> given, const std::vector<Closure>& closures)
        : matter(system), forces(system), loads(forces, matter), branches(std::move(given)) {
        bodies.resize(branches.size());
        body_states.resize(branches.size());
        centres.resize(branches.size());
        for (const Branch& branch : branches)
            add(branch);
        for (const Closure& closure : closures)
            close(closure);
        has_loops = !closures.empty();
        state = system.realizeTopology();
        system.realizeModel(state);
        count = static_cast<std::size_t>(state.getNU());
        angles.assign(count, false);
        for (const Branch& branch : branches)
            angles[first(branch.body)] = branch.mobility != Mobility::slider;
        body_forces.resize(matter.getNumBodies());
    }

    std::size_t first(std::size_t body) const {
        return static_cast<std::size_t>(int(bodies[body].getFirstUIndex(state)));
    }
    MobilizedBody& mobilized(std::size_t body) {
        return body == ground ? static_cast<MobilizedBody&>(matter.updGround()) : bodies[body];
    }
    Vector centre(std::size_t body) const { return body == ground ? Vector{} : centres[body]; }

    void add(const Branch& branch) {
        centres[branch.body] = branch.centre;
        // Nothing turns out of the plane. Equal moments satisfy the checks of Simbody.
        const double inertia = branch.inertia;
        const SimTK::Body::Rigid rigid(SimTK::MassProperties(
            branch.mass, Vec3(0.0), SimTK::Inertia(inertia, inertia, inertia)));
        MobilizedBody& parent = mobilized(branch.parent);
        MobilizedBody& body = bodies[branch.body];
        const Vector from_parent = branch.centre - centre(branch.parent);
        switch (branch.mobility) {
            case Mobility::planar:
                body = MobilizedBody::Planar(parent, Transform(in_space(from_parent)), rigid,
                                             Transform());
                break;
            case Mobility::revolute:
                body = MobilizedBody::Pin(parent,
                                          Transform(in_space(branch.point - centre(branch.parent))),
                                          rigid, Transform(in_space(branch.point - branch.centre)));
                break;
            case Mobility::slider: {
                const SimTK::Rotation along(std::atan2(branch.axis[1], branch.axis[0]),
                                            SimTK::ZAxis);
                body = MobilizedBody::Slider(parent, Transform(along, in_space(from_parent)), rigid,
                                             Transform(along));
                break;
            }
        }
        if (!branch.motor) return;
        has_motors = true;
        SimTK::Motion::Custom(body, new MotorMotion(branch.motor));  // Simbody deletes it
    }

    void close(const Closure& closure) {
        MobilizedBody& first_body = mobilized(closure.first);
        MobilizedBody& second_body = mobilized(closure.second);
        if (closure.mobility == Mobility::revolute) {
            const Vector on_first = closure.point - centre(closure.first);
            const Vec3 on_second = in_space(closure.point - centre(closure.second));
            const SimTK::Constraint::PointInPlane x(first_body, SimTK::XAxis, on_first[0],
                                                    second_body, on_second);
            const SimTK::Constraint::PointInPlane y(first_body, SimTK::YAxis, on_first[1],
                                                    second_body, on_second);
            closing.push_back({{x.getConstraintIndex(), y.getConstraintIndex()},
                               closure.second,
                               closure.point - centre(closure.second)});
            return;
        }
        const Vector across = left_of(closure.axis);
        const SimTK::Constraint::PointInPlane line(
            first_body, UnitVec3(in_space(across)),
            dot(across, centre(closure.second) - centre(closure.first)), second_body, Vec3(0.0));
        const SimTK::Constraint::ConstantAngle angle(first_body, UnitVec3(in_space(closure.axis)),
                                                     second_body, UnitVec3(in_space(across)));
        closing.push_back(
            {{line.getConstraintIndex(), angle.getConstraintIndex()}, closure.second, Vector{}});
    }

    void set(double time, const double* q, const double* u) {
        state.setTime(time);
        std::copy_n(q, count, &state.updQ()[0]);
        std::copy_n(u, count, &state.updU()[0]);
        if (has_motors) {
            system.realize(state, SimTK::Stage::Position);
            system.prescribeU(state);
        }
        read();
    }

    void use_conditions(const std::vector<bool>& used) {
        for (std::size_t k = 0; k < used.size(); ++k) {
            const SimTK::ConstraintIndex index = closing[k / 2].constraints[k % 2];
            const SimTK::Constraint& condition = matter.getConstraint(index);
            if (used[k] == !condition.isDisabled(state)) continue;
            if (used[k]) {
                condition.enable(state);
            } else {
                condition.disable(state);
            }
        }
    }

    void read() {
        system.realize(state, SimTK::Stage::Velocity);
        for (const Branch& branch : branches) {
            const SimTK::SpatialVec& rate = bodies[branch.body].getBodyVelocity(state);
            BodyState& now = body_states[branch.body];
            now.centre = in_plane(bodies[branch.body].getBodyOriginLocation(state));
            // The angle counts whole turns: it is the sum of the angles of the joints, not that of
            // the rotation matrix.
            const std::size_t k = first(branch.body);
            now.angle = state_of(body_states, branch.parent).angle +
                        (angles[k] ? state.getQ()[static_cast<int>(k)] : 0.0);
            now.velocity = in_plane(rate[1]);
            now.angular_velocity = rate[0][2];
        }
    }

    const SimTK::Vector_<SimTK::SpatialVec>& in_space_all(const Load* given) {
        body_forces.setToZero();
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            body_forces[bodies[i].getMobilizedBodyIndex()] =
                SimTK::SpatialVec(Vec3(0.0, 0.0, given[i].torque), in_space(given[i].force));
        }
        return body_forces;
    }

    SimTK::MultibodySystem system;
    SimTK::SimbodyMatterSubsystem matter;
    SimTK::GeneralForceSubsystem forces;
    SimTK::Force::DiscreteForces loads;
    std::vector<Branch> branches;
    std::vector<MobilizedBody> bodies;
    std::vector<Vector> centres;
    std::vector<bool> angles;  ///< by coordinate
    std::vector<BodyState> body_states;
    SimTK::State state;
    SimTK::Vector_<SimTK::SpatialVec> body_forces;
    std::size_t count = 0;
    bool has_motors = false, has_loops = false;
    /// The constraints of a closure, and its second body.
    struct Closing {
        std::array<SimTK::ConstraintIndex, 2> constraints;
        std::size_t second;
        Vector point;  ///< of the joint, from the centre of the second body at the start
    };
    std::vector<Closing> closing;
};

}  // namespace beadwave::mechanism::simbody
