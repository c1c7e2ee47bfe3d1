// Tangential forces, and the sums of all forces on the particles of a block, batch by batch in
// phases; packing_roll.inl.hpp has rolling resistance. Included by vector_code.cpp.

namespace beadwave::packing::BEADWAVE_TARGET {

template <class Slider>
HWY_FLATTEN void friction(const SlideBatch& b, Scratch& s) {
    for (std::size_t k = 0; k < b.count; k += register_lanes) {
        const std::size_t at = b.from + k;
        Triple velocity{};
        if constexpr (Slider::needs_velocity) {
            velocity = sliding_velocity<Register>(
                stored_geometry(s, k),
                {load_triple(s.predicted, k), load_triple(s.predicted + 3, k)}, b.p.at(0, k));
        }
        const Slider law = laws::from_fields<Slider>([&](std::size_t field)
                                                         HWY_ATTR { return b.p.at(2 + field, k); });
        const Triple mean = load_triple(s.slip_velocity, k);
        const auto response =
            law.respond({.slip = mean * Register(b.time_step),
                         .mean = mean,
                         .velocity = velocity,
                         .overlap = Register::load(b.grip_overlap + k),
                         .normal_force = Register::load(b.grip_force + k)},
                        {load_triple(s.tangential, k), Register::load(b.e.sliding[3] + at)});
        store_memory(response.memory, b.e.sliding, at);
        store_triple(response.force, s.tangential, k);
        if constexpr (Slider::needs_velocity) {
            if (b.e.tangential_force[0] != nullptr)
                store_triple(response.force, b.e.tangential_force, at);
        }
        response.work.store(s.work + k);
    }
}

/// Adds to the columns of what contacts have done, and leaves the forces there for the next step.
template <bool slides>
HWY_INLINE void add_work(const SlideBatch& b, const Scratch& s, std::size_t k, const Triple& force,
                         const Triple& lever) {
    double* const* const work = b.e.work;
    const std::size_t at = b.from + k;
    const auto add = [at](double* column, const Register& more)
                         HWY_ATTR { (Register::load(column + at) + more).store(column + at); };
    // Per second twice what the forces, before and now, give to the particles.
    Register both;
    if (work[work_push] != nullptr) {
        both = Register::load(s.earlier + k) + dot(force, load_triple(s.way, k));
        if constexpr (slides) both += dot(lever, load_triple(s.way + 3, k));
        (Register::load(s.normal_force + k) * Register::load(s.inverse_distance + k))
            .store(work[work_push] + at);
    } else {
        both = dot(load_triple(work + work_force, at) + force, load_triple(s.way, k));
        store_triple(force, work + work_force, at);
        if constexpr (slides) {
            both += dot(load_triple(work + work_lever, at) + lever, load_triple(s.way + 3, k));
            store_triple(lever, work + work_lever, at);
        }
    }
    if (work[work_torque] != nullptr) {
        const Triple torque = load_triple(s.rolling, k);
        both -= dot(load_triple(work + work_torque, at) + torque, load_triple(s.turn, k));
        store_triple(torque, work + work_torque, at);
        const Register rolling = Register::load(s.rolling[3] + k),
                       twisting = Register::load(s.rolling[4] + k);
        add(work[work_sliding], Register::load(s.work + k) - rolling);
        add(work[work_rolling], rolling - twisting);
        add(work[work_twisting], twisting);
    } else if (slides) {
        add(work[work_sliding], Register::load(s.work + k));
    }
    add(work[work_given], both * Register(-0.5 * b.time_step));
}

/// Adds the forces and their levers to the sums.
template <bool slides>
HWY_FLATTEN void add_forces(const SlideBatch& b, Scratch& s, bool has_work, double* forces) {
    // The second body gets the force, the first minus it; both get the lever and their share of the
    // work.
    alignas(64) static constexpr double signs[8] = {-1, -1, -1, 1, 1, 1, 1, 1};
    const bool works = b.e.work[work_given] != nullptr;
    for (std::size_t k = 0; k < b.count; k += register_lanes) {
        const PairGeometry<Register> geometry = stored_geometry(s, k);
        Triple force = geometry.normal * Register::load(s.normal_force + k), lever{};
        Columns out;
        if constexpr (slides) {
            const Triple tangential = load_triple(s.tangential, k);
            force += tangential;
            lever = cross(tangential, geometry.branch) * b.p.at(0, k);
            out.put(4, lever);
            out.raw[7] = Register(0.0).raw;
        }
        if (works) add_work<slides>(b, s, k, force, lever);
        out.put(0, force);
        out.raw[3] = Register(0.0).raw;
        if (slides || has_work) out.raw[3] = b.share(Register::load(s.work + k), k).raw;
        store_rows<slides>(out, s.rows[k]);
    }
    add_rows<slides>(forces, s.rows[0], b.e.to_first + b.from, b.e.to_second + b.from, b.count,
                     signs);
}

template <class Slider>
void slide(const KindTable& table, const Entries& e, std::size_t from, std::size_t count,
           double time_step, Scratch& s, const Sums& sums) {
    constexpr bool slides = laws::field_count < Slider >> 0;
    static_assert(laws::field_count<Slider> <= most_slider_fields);
    const bool rolls = sums.torque != nullptr;
    // Scratch keeps overlap and normal force. The normal law's parameters are no longer needed.
    const std::array<const double*, slide_fields> numbers = slide_numbers(table);
    const Parameters p =
        parameters(table, e, from, count, numbers.data(),
                   rolls ? slide_fields : 2 + table.slider_fields, table.same_slide, s);
    const SlideBatch b{.e = e,
                       .from = from,
                       .count = count,
                       .time_step = time_step,
                       .p = p,
                       .grip_overlap = s.has_grip ? s.grip_overlap : s.overlap,
                       .grip_force = s.has_grip ? s.grip_force : s.normal_force};
    if constexpr (slides) {
        friction<Slider>(b, s);
    } else if (rolls) {
        std::fill_n(s.work, count, 0.0);
    }
    if (rolls) {
        const auto geometry_of = [&](std::size_t k) HWY_ATTR {
            return RollGeometry{stored_geometry(s, k).normal, load_triple(s.middle, k),
                                Register::load(s.middle[3] + k)};
        };
        if (e.work[work_torque] != nullptr) {
            roll<true>(b, s, sums.torque, geometry_of);
        } else {
            roll<false>(b, s, sums.torque, geometry_of);
        }
    }
    add_forces<slides>(b, s, rolls, sums.force);
}

}  // namespace beadwave::packing::BEADWAVE_TARGET
