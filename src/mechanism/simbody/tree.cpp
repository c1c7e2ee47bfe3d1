#include "mechanism/simbody/tree.hpp"

#include <Simbody.h>

#include <algorithm>
#include <exception>
#include <functional>
#include <new>
#include <utility>
#include <vector>

namespace beadwave::mechanism::simbody {
namespace {

using SimTK::MobilizedBody;
using SimTK::Transform;
using SimTK::Vec3;

Vec3 in_space(const Vector& v) {
    return {v[0], v[1], 0.0};
}
Vector in_plane(const Vec3& v) {
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

/// The tree in Simbody, and its present state.
struct Engine {
    explicit Engine(std::vector<Branch> given)
        : matter(system), forces(system), loads(forces, matter), branches(std::move(given)) {
        bodies.resize(branches.size());
        body_states.resize(branches.size());
        centres.resize(branches.size());
        for (const Branch& branch : branches)
            add(branch);
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
    bool has_motors = false;
};

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
    explicit SimbodyTree(const std::vector<Branch>& branches) : engine_(branches) {}

    std::size_t coordinates() const override { return engine_.count; }
    bool is_angle(std::size_t coordinate) const override { return engine_.angles[coordinate]; }
    std::size_t first_coordinate(std::size_t body) const override { return engine_.first(body); }
    const std::vector<BodyState>& bodies() const override { return engine_.body_states; }
    void set(double time, const double* q, const double* u) override {
        guarded([&] { engine_.set(time, q, u); });
    }
    const double* speeds() const override { return &engine_.state.getU()[0]; }
    void accelerate(const Load* loads, double* accelerations) override {
        guarded([&] { find_accelerations(loads, accelerations); });
    }
    double motor_power() const override {
        return guarded([&] {
            return engine_.has_motors ? engine_.matter.calcMotionPower(engine_.state) : 0.0;
        });
    }
    void joint_reactions(Load* of_branches) override {
        guarded([&] { find_reactions(of_branches); });
    }
    std::vector<double> impulse_response(const Load* impulses) override {
        return guarded([&] { return respond(impulses); });
    }
    void coordinate_response(const double* impulses, double* change) override {
        guarded([&] { respond(impulses, change); });
    }
    double projected_speed(const Load* loads, const double* du) override {
        return guarded([&] { return project_speed(loads, du); });
    }

  private:
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

    void find_reactions(Load* of_branches) {
        Engine& e = engine_;
        SimTK::Vector_<SimTK::SpatialVec> reactions;
        e.matter.calcMobilizerReactionForces(e.state, reactions);
        for (const Branch& branch : e.branches) {
            const SimTK::SpatialVec& on_body =
                reactions[int(e.bodies[branch.body].getMobilizedBodyIndex())];
            *of_branches++ = {in_plane(on_body[1]), on_body[0][2]};
        }
    }

    std::vector<double> respond(const Load* impulses) {
        Engine& e = engine_;
        SimTK::Vector generalised, change;
        e.matter.multiplyBySystemJacobianTranspose(e.state, e.in_space_all(impulses), generalised);
        e.matter.multiplyByMInv(e.state, generalised, change);
        return {&change[0], &change[0] + change.size()};
    }

    void respond(const double* impulses, double* speeds) {
        Engine& e = engine_;
        SimTK::Vector generalised(static_cast<int>(e.count), impulses), change;
        e.matter.multiplyByMInv(e.state, generalised, change);
        std::copy_n(&change[0], e.count, speeds);
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
    const std::vector<beadwave::mechanism::simbody::Branch>* branches) {
    return beadwave::mechanism::simbody::guarded(
        [&] { return new beadwave::mechanism::simbody::SimbodyTree(*branches); });
}
