// The law of one contact as data: which law it is, and its numbers. Whoever holds laws holds this.
// It converts from every law of the other headers, and evaluates as they do, one contact at a time.
#pragma once

#include "beadwave/laws/response.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <typeinfo>

namespace beadwave::laws {

// The largest counts of numbers that a law has; src/laws/any_law.cpp checks both.
inline constexpr std::size_t most_law_numbers = 12, most_memory_numbers = 4;

/// The memory of any law: its numbers in the order of its fields(), then zeros.
using AnyMemory = std::array<double, most_memory_numbers>;

/// What is the same for all laws of a type.
struct LawTraits {
    std::size_t memory_numbers;
    bool conservative;
    bool depends_on_speed;  ///< the force depends on the approach speed
};

class AnyLaw {
  public:
    using Memory = AnyMemory;

    /// Hertz's law without stiffness.
    AnyLaw();
    template <ContactLaw Law>
    AnyLaw(const Law& law) : AnyLaw(index_of<Law>(), field_count<Law>) {
        to_fields(law, [&](std::size_t k, double number) { numbers_[k] = number; });
    }

    /// Place of the law's type in the list of laws.
    std::size_t index() const { return index_; }
    /// The numbers of the law in the order of its fields(), SI.
    std::span<const double> numbers() const { return {numbers_.data(), count_}; }
    std::span<double> numbers() { return {numbers_.data(), count_}; }

    template <ContactLaw Law>
    bool is() const {
        return index_ == index_of<Law>();
    }
    /// The law as a value of its own type. Throws std::bad_cast if it has another type.
    template <ContactLaw Law>
    Law as() const {
        if (!is<Law>()) throw std::bad_cast();
        return from_fields<Law>([&](std::size_t k) { return numbers_[k]; });
    }

    // As in response.hpp.
    Response<double, AnyMemory> respond(double overlap, double approach_speed,
                                        const AnyMemory& memory) const;
    double stored_energy(double overlap, const AnyMemory& memory) const;
    bool ends_in_tension() const;

    const LawTraits& traits() const;
    /// Lower limit of the impact speed that each contact remembers [m/s]; infinity if it remembers
    /// none.
    double min_impact_speed() const;

    bool operator==(const AnyLaw&) const = default;

  private:
    AnyLaw(std::size_t index, std::size_t count)
        : index_(static_cast<std::uint32_t>(index)), count_(static_cast<std::uint32_t>(count)) {}

    /// Throws std::invalid_argument if it is not in the list.
    static std::size_t index_of(const std::type_info& law);
    template <class Law>
    static std::size_t index_of() {
        static const std::size_t index = index_of(typeid(Law));
        return index;
    }

    std::uint32_t index_, count_;
    std::array<double, most_law_numbers> numbers_{};
};

/// The static force of a contact loaded for the first time to `overlap` [m] -> [N].
double first_loading_force(const AnyLaw& law, double overlap);

/// The overlap [m] at which first loading carries `force` [N] > 0; NaN if none below 1 m does.
double overlap_at_force(const AnyLaw& law, double force);

}  // namespace beadwave::laws
