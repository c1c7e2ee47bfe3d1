// One contact and step with its derivatives. Included by the files that compile the laws.
#pragma once

#include "gradients/jumps.inl.hpp"
#include "gradients/law_kernel.hpp"
#include "laws/dual_number.hpp"
#include "laws/law_list.hpp"
#include "laws/unloading_path.hpp"

#include <array>
#include <cmath>
#include <type_traits>

namespace beadwave::gradients {

template <class Record>
Record record_at(const double* const* columns, std::size_t c) {
    return laws::from_fields<Record>([&](std::size_t k) { return columns[k][c]; });
}

template <class Law>
void respond(const ForwardContacts& f) {
    using Memory = typename Law::Memory;
    for (std::size_t c = 0; c < f.count; ++c) {
        const auto law = record_at<Law>(f.law, c);
        const auto [force, memory] =
            law.respond(f.overlap[c], f.approach_speed[c], record_at<Memory>(f.memory, c));
        f.force[c] = force;
        laws::to_fields(memory, [&](std::size_t k, double x) { f.memory[k][c] = x; });
    }
}

template <class Law>
void stored_energy(const ForwardContacts& f, double* energy) {
    using Memory = typename Law::Memory;
    for (std::size_t c = 0; c < f.count; ++c)
        energy[c] =
            record_at<Law>(f.law, c).stored_energy(f.overlap[c], record_at<Memory>(f.memory, c));
}

/// The directions of the dual numbers of one contact: overlap, speed, numbers, memory.
template <class Law>
struct Directions {
    static constexpr std::size_t numbers = laws::field_count<Law>,
                                 memory = laws::field_count<typename Law::Memory>;
    static constexpr std::size_t of_numbers = uses_speed<Law> ? 2 : 1;
    static constexpr std::size_t of_memory = of_numbers + numbers;
    static constexpr std::size_t count = of_memory + memory;
    using Dual = laws::DualNumber<count>;
    using DualLaw = typename Law::template Rebind<Dual>;

    static Dual along(double x, std::size_t direction) {
        Dual dual(x);
        dual.along[direction] = 1.0;
        return dual;
    }
    template <class Record>
    static Record record(const double* const* columns, std::size_t c, std::size_t first) {
        return laws::from_fields<Record>(
            [&](std::size_t k) { return along(columns[k][c], first + k); });
    }
};

/// Whether a law unloads along a curve that its memory alone determines.
template <class Law>
inline constexpr bool unloads_by_memory = false;
template <class T>
inline constexpr bool unloads_by_memory<laws::MaLiu<T>> = true;

template <class Law>
class ReverseContact {
    using D = Directions<Law>;
    using Dual = typename D::Dual;
    using DualLaw = typename D::DualLaw;
    using Memory = typename Law::Memory;
    using DualMemory = typename DualLaw::Memory;
    static constexpr std::size_t none = laws::field_count<Memory>;

  public:
    ReverseContact(const ReverseContacts& step, std::size_t contact) : r_(step), c_(contact) {}

    void run() {
        r_.overlap_bar[c_] = r_.approach_speed_bar[c_] = 0.0;
        const double energy = r_.energy_bar != nullptr ? r_.energy_bar[c_] : 0.0;
        bool matters = r_.force_bar[c_] != 0.0 || energy != 0.0;
        for (std::size_t k = 0; k < none; ++k)
            matters = matters || r_.memory_bar[k][c_] != 0.0;
        if constexpr (may_jump<Law>) {
            r_.overlap_before_bar[c_] = 0.0;
            matters = matters || r_.blow_bar[c_] != 0.0;
        }
        if (!matters) return;
        if constexpr (unloads_by_memory<Law>) {
            const double largest = record_at<Memory>(r_.memory, c_).largest_overlap;
            if (energy == 0.0 && !(r_.overlap[c_] > largest)) return unload();
        }
        if (rests()) return;
        const auto law = dual_law();
        const auto memory = D::template record<DualMemory>(r_.memory, c_, D::of_memory);
        const Dual overlap = D::along(r_.overlap[c_], 0);
        Dual speed(r_.approach_speed[c_]);
        if constexpr (uses_speed<Law>) speed.along[1] = 1.0;
        const auto [force, next] = law.respond(overlap, speed, memory);
        add(force, r_.force_bar[c_]);
        laws::to_fields(next, [&](std::size_t k, const Dual& x) { add(x, r_.memory_bar[k][c_]); });
        if (energy != 0.0) add(law.stored_energy(overlap, next), energy);
        if constexpr (may_jump<Law>) pass_jumps(law);
        spread();
    }

  private:
    DualLaw dual_law() const {
        // The number of a table is its name, with respect to which nothing has a derivative.
        if constexpr (std::is_same_v<Law, laws::Tabulated<double>>)
            return laws::from_fields<DualLaw>([&](std::size_t k) { return Dual(r_.law[k][c_]); });
        auto law = D::template record<DualLaw>(r_.law, c_, D::of_numbers);
        if constexpr (requires { law.program; }) law.program = Dual(law.program.value);
        return law;
    }

    /// run() where the numbers of the law have no part, and the memory stays.
    void unload() {
        using Few = laws::DualNumber<1 + none>;
        using FewLaw = typename Law::template Rebind<Few>;
        const auto along = [](double x, std::size_t direction) {
            Few dual(x);
            dual.along[direction] = 1.0;
            return dual;
        };
        const auto law =
            laws::from_fields<FewLaw>([&](std::size_t k) { return Few(r_.law[k][c_]); });
        const auto memory = laws::from_fields<typename FewLaw::Memory>(
            [&](std::size_t k) { return along(r_.memory[k][c_], 1 + k); });
        const Few force = law.unloading_force(along(r_.overlap[c_], 0), memory);
        r_.overlap_bar[c_] = r_.force_bar[c_] * force.along[0];
        for (std::size_t k = 0; k < none; ++k)
            r_.memory_bar[k][c_] += r_.force_bar[c_] * force.along[1 + k];
    }

    /// Whether the contact is open and forgets nothing: then nothing depends on anything but the
    /// memory, which stays.
    bool rests() const {
        if constexpr (may_jump<Law>) {
            if (passes_any_jump()) return false;
        }
        if constexpr (none == 0) return r_.overlap[c_] <= 0.0;
        const auto memory = record_at<Memory>(r_.memory, c_);
        const auto [force, next] =
            record_at<Law>(r_.law, c_).respond(r_.overlap[c_], r_.approach_speed[c_], memory);
        bool same = force == 0.0;
        laws::to_fields(next,
                        [&](std::size_t k, double x) { same = same && x == r_.memory[k][c_]; });
        return same;
    }

    void add(const Dual& x, double bar) {
        if (bar == 0.0) return;
        for (std::size_t d = 0; d < D::count; ++d)
            bar_[d] += bar * x.along[d];
    }

    void spread() {
        r_.overlap_bar[c_] = bar_[0];
        if constexpr (uses_speed<Law>) r_.approach_speed_bar[c_] = bar_[1];
        for (std::size_t k = 0; k < D::numbers; ++k)
            r_.law_bar[k][c_] += bar_[D::of_numbers + k];
        for (std::size_t k = 0; k < none; ++k)
            r_.memory_bar[k][c_] = bar_[D::of_memory + k];
    }

    bool passes_any_jump() const {
        if (r_.overlap_before == nullptr) return false;
        const auto law = record_at<Law>(r_.law, c_);
        for (std::size_t k = 0; k < JumpsOf<Law>::count; ++k) {
            if (passed(JumpsOf<Law>::at(law, k))) return true;
        }
        return false;
    }

    bool passed(double place) const {
        return (r_.overlap_before[c_] <= place) != (r_.overlap[c_] <= place);
    }

    /// See jumps.inl.hpp.
    void pass_jumps(const DualLaw& dual_law) {
        if (r_.overlap_before == nullptr) return;
        const auto law = record_at<Law>(r_.law, c_);
        const auto memory = record_at<Memory>(r_.memory, c_);
        const double now = r_.overlap[c_], before = r_.overlap_before[c_];
        const double rate = (now - before) / r_.time_step;
        if (!(std::fabs(rate) > slowest_passage)) return;
        for (std::size_t k = 0; k < JumpsOf<Law>::count; ++k) {
            const Dual place = JumpsOf<DualLaw>::at(dual_law, k);
            if (!passed(place.value)) continue;
            const double part = (now - place.value) / (now - before);
            double earlier_bar = 0.0;  // of the time by which the passage is earlier
            const auto force_at = [&](double overlap) {
                return law.respond(overlap, r_.approach_speed[c_], memory).force;
            };
            const double up = force_at(place.value * (1.0 + 1e-12) + 1e-60) -
                              force_at(place.value * (1.0 - 1e-12));
            earlier_bar += r_.blow_bar[c_] * (rate > 0.0 ? up : -up);
            if (uses_speed<Law> && k == 0 && none > 0) {
                // bar_[1] has what the stored speed contributes, of which the gained part is lost.
                const double gained = r_.approach_speed[c_] - r_.approach_speed_before[c_];
                earlier_bar -= stored_speed_bar(dual_law) * gained / r_.time_step;
            }
            if (earlier_bar == 0.0) continue;
            bar_[0] += earlier_bar * (1.0 - part) / rate;
            r_.overlap_before_bar[c_] += earlier_bar * part / rate;
            add(place, -earlier_bar / rate);
        }
    }

    /// The derivative by the speed that the law stores in this step: all that the memory carries on
    /// of the approach speed, and the force of this step through the new memory.
    double stored_speed_bar(const DualLaw& law) const {
        if constexpr (none > 0 && uses_speed<Law>) {
            const auto memory = laws::from_fields<DualMemory>(
                [&](std::size_t k) { return Dual(r_.memory[k][c_]); });
            Dual stored(r_.approach_speed[c_]);
            stored.along[1] = 1.0;
            const Dual overlap(r_.overlap[c_]);
            const auto next = law.respond(overlap, stored, memory).memory;
            const Dual plain(r_.approach_speed[c_]);
            double sum = r_.force_bar[c_] * law.respond(overlap, plain, next).force.along[1];
            laws::to_fields(next, [&](std::size_t k, const Dual& x) {
                sum += r_.memory_bar[k][c_] * x.along[1];
            });
            return sum;
        }
        return 0.0;
    }

    const ReverseContacts& r_;
    std::size_t c_;
    std::array<double, D::count> bar_{};
};

template <class Law>
void reverse(const ReverseContacts& r) {
    for (std::size_t c = 0; c < r.count; ++c)
        ReverseContact<Law>(r, c).run();
}

template <class Law>
constexpr RowPath path_of() {
    using Path = laws::PathOf<Law>;
    if (may_jump<Law>) return RowPath::none;
    if (Law::conservative && laws::field_count<typename Law::Memory> == 0 &&
        !laws::AdhesiveLaw<Law>)
        return RowPath::conservative;
    if (std::is_same_v<Law, laws::MaLiu<double>>) return RowPath::ma_liu;
    if (std::is_same_v<Path, laws::UnloadingPath<laws::HertzUnloading, double>>)
        return RowPath::unloads_as_hertz;
    if (std::is_same_v<Path, laws::UnloadingPath<laws::LinearUnloading, double>>)
        return RowPath::unloads_on_line;
    return RowPath::none;
}

template <class Law>
double last_jump([[maybe_unused]] const double* numbers) {
    double last = 0.0;
    if constexpr (may_jump<Law>) {
        const Law law = laws::from_fields<Law>([&](std::size_t k) { return numbers[k]; });
        for (std::size_t k = 0; k < JumpsOf<Law>::count; ++k)
            last = std::max<double>(last, JumpsOf<Law>::at(law, k));
    }
    return last;
}

template <class Law>
constexpr LawKernel kernel_of() {
    return {.respond = &respond<Law>,
            .reverse = &reverse<Law>,
            .stored_energy = &stored_energy<Law>,
            .uses_speed = uses_speed<Law>,
            .may_jump = may_jump<Law>,
            .last_jump = &last_jump<Law>,
            .path = path_of<Law>()};
}

/// A quarter of the laws: compiled apart, because each takes seconds.
inline constexpr std::size_t quarter = (std::tuple_size_v<laws::LawList> + 3) / 4;
using Quarter = std::array<LawKernel, quarter>;

template <std::size_t first>
constexpr Quarter kernels_from() {
    Quarter kernels{};
    [&]<std::size_t... k>(std::index_sequence<k...>) {
        const auto set = [&]<std::size_t i>(std::integral_constant<std::size_t, i>) {
            if constexpr (first + i < std::tuple_size_v<laws::LawList>)
                kernels[i] = kernel_of<std::tuple_element_t<first + i, laws::LawList>>();
        };
        (set(std::integral_constant<std::size_t, k>()), ...);
    }
    (std::make_index_sequence<quarter>());
    return kernels;
}

extern const Quarter first_kernels, second_kernels, third_kernels, fourth_kernels;

}  // namespace beadwave::gradients
