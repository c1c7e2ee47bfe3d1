#include "packing_gradients/pair_step.hpp"

#include "gradients/law_kernel.hpp"
#include "laws/tangential/rolling_slider.hpp"
#include "packing/contacts/pair_kinematics.hpp"
#include "packing_gradients/taped_number.hpp"

#include <algorithm>
#include <type_traits>
#include <variant>

namespace beadwave::packing_gradients {
namespace {

using laws::SliderMemory;
using laws::Triple;
using packing::PairGeometry;

template <class T>
struct BodyNumbers {
    Triple<T> half, predicted, half_spin, predicted_spin;
    T radius;
};

/// What the code of a pair reads beside the geometry, over numbers or taped numbers.
template <class T>
struct PairNumbers {
    BodyNumbers<T> first, second;
    SliderMemory<T> sliding, rolling;
    double time_step;
    bool wall;

    T radii() const { return first.radius + second.radius; }
};

template <class T>
struct PairResponse {
    Triple<T> force, torque_on_first, torque_on_second;
    SliderMemory<T> sliding, rolling;
};

/// The torque on the second body, and the next memory.
template <class T, class Roller>
laws::SliderResponse<T, SliderMemory<T>> roll(const PairNumbers<T>& pair, const PairGeometry<T>& s,
                                              const packing::PairSlip<T>& slip,
                                              const Roller& roller, const T& normal_force) {
    SliderMemory<T> before = pair.rolling;
    const Triple<T> v = before.vector;
    const Triple<T> reflected =
        v - slip.middle * (T(2.0) * dot(v, slip.middle) * slip.inverse_middle_squared);
    before.vector = reflected - s.normal * (T(2.0) * dot(reflected, s.normal));
    const Triple<T> mean = pair.first.half_spin - pair.second.half_spin;
    return roller.respond({.angle = T(pair.time_step) * mean,
                           .mean = mean,
                           .velocity = pair.first.predicted_spin - pair.second.predicted_spin,
                           .normal = s.normal,
                           .overlap = s.overlap,
                           .normal_force = normal_force},
                          before);
}

/// `normal_force_of`: (approach speed) to the normal force. `roller`: null if nothing rolls.
template <class T, class NormalForce, class Slider, class Roller>
PairResponse<T> respond_pair(const PairNumbers<T>& pair, const PairGeometry<T>& s,
                             const NormalForce& normal_force_of, const Slider& slider,
                             const Roller* roller) {
    const BodyNumbers<T>&a = pair.first, &b = pair.second;
    const T inverse_radii = T(1.0) / pair.radii();
    const double dt = pair.time_step;
    const Triple<T> predicted = b.predicted - a.predicted;
    const T normal_force = normal_force_of(-dot(predicted, s.normal));
    if constexpr (std::is_same_v<Slider, laws::NoSlider<T>>) {
        if (roller == nullptr)
            return {normal_force * s.normal, {}, {}, SliderMemory<T>{}, pair.rolling};
    }
    const packing::PairSlip<T> slip =
        packing::slip_of<T>(s, {b.half - a.half, a.radius * a.half_spin + b.radius * b.half_spin},
                            inverse_radii, T(dt), T(pair.wall ? 0.0 : 0.5 * dt));
    Triple<T> velocity{};
    if constexpr (Slider::needs_velocity) {
        velocity = packing::sliding_velocity<T>(
            s, {predicted, a.radius * a.predicted_spin + b.radius * b.predicted_spin},
            inverse_radii);
    }
    SliderMemory<T> before = pair.sliding;
    before.vector = laws::turned(before.vector, slip.middle, slip.inverse_middle_squared, s.normal);
    const auto sliding = slider.respond({.slip = slip.slip,
                                         .mean = slip.mean,
                                         .velocity = velocity,
                                         .overlap = s.overlap,
                                         .normal_force = normal_force},
                                        before);
    PairResponse<T> result{.force = normal_force * s.normal + sliding.force,
                           .torque_on_first = {},
                           .torque_on_second = {},
                           .sliding = sliding.memory,
                           .rolling = pair.rolling};
    const Triple<T> lever = cross(s.branch, sliding.force) * inverse_radii;
    Triple<T> torque{};
    if (roller != nullptr) {
        const auto rolling = roll(pair, s, slip, *roller, normal_force);
        torque = rolling.force;
        result.rolling = rolling.memory;
    }
    result.torque_on_first = -(a.radius * lever) - torque;
    result.torque_on_second = -(b.radius * lever) + torque;
    return result;
}

PairGeometry<double> geometry_of(const PairMotion& motion) {
    return packing::pair_geometry<double>({.reference = motion.reference,
                                           .displacement = motion.displacement,
                                           .radii = motion.first.radius + motion.second.radius,
                                           .gap = motion.gap});
}

BodyNumbers<double> plain(const BodyMotion& body) {
    return {body.half, body.predicted, body.half_spin, body.predicted_spin, body.radius};
}

// Numbers on the tape.

Triple<TapedNumber> taped(const Vec3& v) {
    return {TapedNumber::input(v.x), TapedNumber::input(v.y), TapedNumber::input(v.z)};
}

SliderMemory<TapedNumber> taped(const SliderMemory<double>& memory) {
    return {taped(memory.vector), TapedNumber::input(memory.number)};
}

/// A wall has no radius, and its motion does not depend on the inputs.
BodyNumbers<TapedNumber> taped(const BodyMotion& body) {
    return {taped(body.half), taped(body.predicted), taped(body.half_spin),
            taped(body.predicted_spin),
            body.radius > 0.0 ? TapedNumber::input(body.radius) : TapedNumber(0.0)};
}

template <class Record>
auto taped_record(const Record& record) {
    std::array<double, std::max<std::size_t>(laws::field_count<Record>, 1)> number{};
    laws::to_fields(record, [&](std::size_t k, double x) { number[k] = x; });
    return laws::from_fields<typename Record::template Rebind<TapedNumber>>(
        [&](std::size_t k) { return TapedNumber::input(number[k]); });
}

/// The overlap is R_1 + R_2 less the distance; its value is that of the forward step, which has no
/// rounding errors of large coordinates.
PairGeometry<TapedNumber> taped_geometry(const Triple<TapedNumber>& branch,
                                         const TapedNumber& radii, double overlap) {
    const TapedNumber squared = dot(branch, branch);
    const TapedNumber inverse = inverse_sqrt(squared);
    TapedNumber difference = radii - squared * inverse;
    difference.value = overlap;
    return {branch, branch * inverse, inverse, difference};
}

Vec3 bar_of(const Tape& tape, const Triple<TapedNumber>& v) {
    return {tape.bar(v.x.place), tape.bar(v.y.place), tape.bar(v.z.place)};
}

SliderMemory<double> bar_of(const Tape& tape, const SliderMemory<TapedNumber>& memory) {
    return {bar_of(tape, memory.vector), tape.bar(memory.number.place)};
}

BodyMotion bar_of(const Tape& tape, const BodyNumbers<TapedNumber>& body) {
    return {bar_of(tape, body.half), bar_of(tape, body.predicted), bar_of(tape, body.half_spin),
            bar_of(tape, body.predicted_spin), tape.bar(body.radius.place)};
}

void seed(Tape& tape, const Triple<TapedNumber>& v, const Vec3& bar) {
    tape.add(v.x.place, bar.x);
    tape.add(v.y.place, bar.y);
    tape.add(v.z.place, bar.z);
}

void seed(Tape& tape, const SliderMemory<TapedNumber>& memory, const SliderMemory<double>& bar) {
    seed(tape, memory.vector, bar.vector);
    tape.add(memory.number.place, bar.number);
}

/// The derivatives by overlap and approach speed for one by the normal force; `memory`: by the
/// memory after the step, becomes that by the one before.
struct NormalBars {
    double overlap = 0.0, approach_speed = 0.0;
};
NormalBars reverse_normal(const laws::AnyLaw& law, double overlap, double approach_speed,
                          const laws::AnyMemory& before, double force_bar,
                          laws::AnyMemory& memory_bar, double* law_bars) {
    NormalBars bars;
    double unused_before = 0.0;
    const double no_blow = 0.0;
    std::array<const double*, laws::most_law_numbers> numbers{};
    std::array<double*, laws::most_law_numbers> number_bars{};
    for (std::size_t k = 0; k < law.numbers().size(); ++k) {
        numbers[k] = &law.numbers()[k];
        number_bars[k] = law_bars + k;
    }
    std::array<const double*, laws::most_memory_numbers> memory{};
    std::array<double*, laws::most_memory_numbers> memory_bars{};
    for (std::size_t k = 0; k < laws::most_memory_numbers; ++k) {
        memory[k] = &before[k];
        memory_bars[k] = &memory_bar[k];
    }
    gradients::law_kernel(law.index())
        .reverse({.count = 1,
                  .law = numbers.data(),
                  .overlap = &overlap,
                  .approach_speed = &approach_speed,
                  .memory = memory.data(),
                  .force_bar = &force_bar,
                  .energy_bar = nullptr,
                  .memory_bar = memory_bars.data(),
                  .overlap_bar = &bars.overlap,
                  .approach_speed_bar = &bars.approach_speed,
                  .law_bar = number_bars.data(),
                  .time_step = 0.0,
                  .overlap_before = nullptr,
                  .approach_speed_before = nullptr,
                  .blow_bar = &no_blow,
                  .overlap_before_bar = &unused_before});
    return bars;
}

template <class Slider>
PairBars reverse_with(const Slider& plain_slider, const packing::PairLaw& law, bool rolls,
                      const PairMotion& motion, const PairMemory& before, const PairForces& by,
                      std::array<double, most_pair_numbers>& law_bars) {
    Tape& tape = Tape::begin();
    const double overlap = motion.overlap();
    const PairNumbers<TapedNumber> pair{taped(motion.first),   taped(motion.second),
                                        taped(before.sliding), taped(before.rolling),
                                        motion.time_step,      motion.wall};
    const auto slider = taped_record(plain_slider);
    const auto roller = taped_record(law.rolling);
    const Triple<TapedNumber> branch = taped(motion.reference + motion.displacement);
    const PairGeometry<TapedNumber> s = taped_geometry(branch, pair.radii(), overlap);
    TapedNumber approach_speed, normal_force;
    const auto normal_force_of = [&](const TapedNumber& speed) {
        approach_speed = speed;
        normal_force =
            TapedNumber::input(law.normal.respond(overlap, speed.value, before.normal).force);
        return normal_force;
    };
    const PairResponse<TapedNumber> response =
        respond_pair(pair, s, normal_force_of, slider, rolls ? &roller : nullptr);

    tape.begin_sweep();
    seed(tape, response.force, by.force);
    seed(tape, response.torque_on_first, by.torque_on_first);
    seed(tape, response.torque_on_second, by.torque_on_second);
    seed(tape, response.sliding, by.memory.sliding);
    seed(tape, response.rolling, by.memory.rolling);
    const auto force_place = static_cast<std::size_t>(normal_force.place);
    tape.sweep(tape.size(), force_place);
    PairBars bars;
    bars.memory.normal = by.memory.normal;
    const NormalBars normal =
        reverse_normal(law.normal, overlap, approach_speed.value, before.normal,
                       tape.bar(normal_force.place), bars.memory.normal, law_bars.data());
    tape.add(s.overlap.place, normal.overlap);
    tape.add(approach_speed.place, normal.approach_speed);
    tape.sweep(force_place, 0);

    bars.branch = bar_of(tape, branch);
    bars.first = bar_of(tape, pair.first);
    bars.second = bar_of(tape, pair.second);
    bars.memory.sliding = bar_of(tape, pair.sliding);
    bars.memory.rolling = bar_of(tape, pair.rolling);
    static_assert(laws::most_law_numbers + laws::field_count<Slider> +
                      laws::field_count<laws::RollingSlider<double>> <=
                  most_pair_numbers);
    const std::size_t of_slider = law.normal.numbers().size();
    laws::to_fields(slider, [&](std::size_t k, const TapedNumber& x) {
        law_bars[of_slider + k] += tape.bar(x.place);
    });
    const std::size_t of_roller = of_slider + laws::field_count<Slider>;
    laws::to_fields(roller, [&](std::size_t k, const TapedNumber& x) {
        law_bars[of_roller + k] += tape.bar(x.place);
    });
    return bars;
}

}  // namespace

bool PairMemory::is_blank() const {
    const auto blank = [](const SliderMemory<double>& memory) {
        return memory.vector.x == 0.0 && memory.vector.y == 0.0 && memory.vector.z == 0.0 &&
               memory.number == 0.0;
    };
    return std::ranges::all_of(normal, [](double x) { return x == 0.0; }) && blank(sliding) &&
           blank(rolling);
}

double PairMotion::overlap() const {
    return geometry_of(*this).overlap;
}

PairForces forces_of(const packing::PairLaw& law, bool rolls, const PairMotion& motion,
                     const PairMemory& before) {
    const PairGeometry<double> s = geometry_of(motion);
    PairForces result;
    const auto normal_force_of = [&](double approach_speed) {
        const auto normal = law.normal.respond(s.overlap, approach_speed, before.normal);
        result.memory.normal = normal.memory;
        return normal.force;
    };
    const PairNumbers<double> pair{plain(motion.first), plain(motion.second), before.sliding,
                                   before.rolling,      motion.time_step,     motion.wall};
    const auto response = std::visit(
        [&](const auto& slider) {
            return respond_pair(pair, s, normal_force_of, slider, rolls ? &law.rolling : nullptr);
        },
        law.slider);
    result.force = response.force;
    result.torque_on_first = response.torque_on_first;
    result.torque_on_second = response.torque_on_second;
    result.memory.sliding = response.sliding;
    result.memory.rolling = response.rolling;
    return result;
}

std::vector<double> numbers_of(const packing::PairLaw& law) {
    std::vector<double> numbers(law.normal.numbers().begin(), law.normal.numbers().end());
    const auto add = [&](std::size_t, double x) { numbers.push_back(x); };
    std::visit([&](const auto& slider) { laws::to_fields(slider, add); }, law.slider);
    laws::to_fields(law.rolling, add);
    return numbers;
}

PairBars bars_of(const packing::PairLaw& law, bool rolls, const PairMotion& motion,
                 const PairMemory& before, const PairForces& by,
                 std::array<double, most_pair_numbers>& law_bars) {
    return std::visit(
        [&](const auto& slider) {
            return reverse_with(slider, law, rolls, motion, before, by, law_bars);
        },
        law.slider);
}

}  // namespace beadwave::packing_gradients
