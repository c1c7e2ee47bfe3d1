// The stiffness of a packing applied to a panel. Included by vector_code.cpp.

namespace beadwave::modes::BEADWAVE_TARGET {

using simd::BEADWAVE_TARGET::multiply_add;
using simd::BEADWAVE_TARGET::Register;
using simd::BEADWAVE_TARGET::register_lanes;
using simd::BEADWAVE_TARGET::Triple;

// Written out by axis, so that all numbers stay in registers.

HWY_INLINE Triple load(const double* at) {
    constexpr std::size_t row = panel_width;
    return {Register::load(at), Register::load(at + row), Register::load(at + 2 * row)};
}
HWY_INLINE Triple cross_product(const Triple& a, const Triple& b) {
    return {multiply_add(a.y, b.z, -(a.z * b.y)), multiply_add(a.z, b.x, -(a.x * b.z)),
            multiply_add(a.x, b.y, -(a.y * b.x))};
}

/// Minus the contacts' force and torque on a body, for the vectors of one register.
///
/// With w = phi_1 + phi_2 and slip s = a w x n - side, side = du - (du.n) n:
/// n x s = a (w - (w.n) n) - n x du.
template <bool rotates, bool rolls>
HWY_INLINE void gather_in_space(const PanelMatrix& m, std::size_t body, const double* u,
                                Register* force) {
    constexpr std::size_t stride = (rotates ? 6 : 3) * panel_width, turns_at = 3 * panel_width;
    const Triple own = load(u + body * stride);
    Triple own_turn{}, sum{}, torque{};
    if constexpr (rotates) own_turn = load(u + body * stride + turns_at);
    const std::size_t end = m.first[body + 1];
    for (std::size_t at = m.first[body]; at < end; ++at) {
        const PanelContact& contact = m.contact[at];
        const double* const other = u + contact.other * stride;
        const Triple n{Register(contact.normal[0]), Register(contact.normal[1]),
                       Register(contact.normal[2])};
        const Triple du = load(other) - own;
        sum = plus(sum, Register(contact.across_and_sliding), du);
        sum = plus(sum, dot(du, n) * Register(contact.along), n);
        if constexpr (rotates) {
            const Register sliding(contact.torque), turn(contact.turn);
            const Triple other_turn = load(other + turns_at), w = own_turn + other_turn;
            sum = plus(sum, sliding, cross_product(w, n));
            torque = plus(torque, turn, w);
            torque = plus(torque, -(turn * dot(w, n)), n);
            torque = plus(torque, sliding, cross_product(du, n));
            if constexpr (rolls) {
                const PanelRolling& r = m.rolling[at];
                const Triple turned = Register(r.inverse_radius) * own_turn -
                                      Register(r.other_inverse_radius) * other_turn;
                torque = plus(torque, Register(r.rolling), turned);
                torque = plus(torque, dot(turned, n) * Register(r.twisting - r.rolling), n);
            }
        }
    }
    force[0] = sum.x;
    force[1] = sum.y;
    force[2] = sum.z;
    if constexpr (rotates) {
        force[3] = torque.x;
        force[4] = torque.y;
        force[5] = torque.z;
    }
}

/// Gathers in the plane what gather_in_space() does in space.
template <bool rotates, bool rolls>
HWY_INLINE void gather_in_plane(const PanelMatrix& m, std::size_t body, const double* u,
                                Register* force) {
    constexpr std::size_t row = panel_width, stride = (rotates ? 3 : 2) * row;
    const double* const own_at = u + body * stride;
    const Register own_x = Register::load(own_at), own_y = Register::load(own_at + row);
    Register own_turn(0.0), x(0.0), y(0.0), torque(0.0);
    if constexpr (rotates) own_turn = Register::load(own_at + 2 * row);
    const std::size_t end = m.first[body + 1];
    for (std::size_t at = m.first[body]; at < end; ++at) {
        const PanelContact& contact = m.contact[at];
        const double* const other = u + contact.other * stride;
        const Register n_x(contact.normal[0]), n_y(contact.normal[1]);
        const Register du_x = Register::load(other) - own_x,
                       du_y = Register::load(other + row) - own_y;
        const Register along = multiply_add(du_x, n_x, du_y * n_y) * Register(contact.along);
        const Register side(contact.across_and_sliding);
        x = multiply_add(n_x, along, multiply_add(du_x, side, x));
        y = multiply_add(n_y, along, multiply_add(du_y, side, y));
        if constexpr (rotates) {
            const Register sliding(contact.torque), other_turn = Register::load(other + 2 * row);
            const Register w = own_turn + other_turn, push = sliding * w;
            x = multiply_add(-push, n_y, x);
            y = multiply_add(push, n_x, y);
            torque = multiply_add(w, Register(contact.turn), torque);
            torque = multiply_add(sliding, du_x * n_y - du_y * n_x, torque);
            if constexpr (rolls) {
                const PanelRolling& r = m.rolling[at];
                const Register turned = own_turn * Register(r.inverse_radius) -
                                        other_turn * Register(r.other_inverse_radius);
                torque = multiply_add(turned, Register(r.rolling), torque);
            }
        }
    }
    force[0] = x;
    force[1] = y;
    if constexpr (rotates) force[2] = torque;
}

template <int dimension, bool rotates, bool rolls>
void apply(const PanelMatrix& m, std::size_t begin, std::size_t end, const PanelStep& step) {
    constexpr std::size_t c = dimension + (rotates ? (dimension == 2 ? 1 : 3) : 0);
    const Register factor(step.factor), shift(step.shift);
    for (std::size_t body = begin; body < end; ++body) {
        for (std::size_t lane = 0; lane < panel_width; lane += register_lanes) {
            Register force[c];
            if constexpr (dimension == 2) {
                gather_in_plane<rotates, rolls>(m, body, step.u + lane, force);
            } else {
                gather_in_space<rotates, rolls>(m, body, step.u + lane, force);
            }
            for (std::size_t k = 0; k < c; ++k) {
                const std::size_t freedom = body * c + k, at = freedom * panel_width + lane;
                Register value = Register(m.inverse_mass[freedom]) * force[k] -
                                 shift * Register::load(step.u + at);
                value *= factor;
                if (step.before != nullptr) value -= Register::load(step.before + at);
                value.store(step.out + at);
            }
        }
    }
}

}  // namespace beadwave::modes::BEADWAVE_TARGET
