#include "mechanism/contact_force.hpp"

#include "beadwave/laws/catalogue.hpp"
#include "beadwave/laws/line_catalogue.hpp"

#include <algorithm>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>

namespace beadwave::mechanism {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

template <class Law>
class ForceOf final : public ContactForce {
  public:
    explicit ForceOf(Law law) : law_(std::move(law)) {}
    /// A step that is tried may reach where a line law has no force: no number, so that it is too
    /// long.
    double force(double overlap, double approach) const override {
        if constexpr (std::is_same_v<Law, laws::LineLaw>) {
            if (overlap >= law_.largest_overlap()) return std::numeric_limits<double>::quiet_NaN();
        }
        return law_.respond(overlap, approach, memory_).force;
    }
    double stored_energy(double overlap, double approach) const override {
        return law_.stored_energy(overlap, law_.respond(overlap, approach, memory_).memory);
    }
    void commit(double overlap, double approach) override {
        memory_ = law_.respond(overlap, approach, memory_).memory;
    }
    void exchange(StateNumbers& state) override {
        std::apply([&](auto... field) { (state(memory_.*field), ...); }, Law::Memory::fields());
    }
    bool ends_in_tension() const override { return law_.ends_in_tension(); }

  private:
    Law law_;
    typename Law::Memory memory_{};
};

/// Radii of the two surfaces [m]; the second is a flat's or a hole's.
struct Radii {
    double first, second;
    bool socket;
};

Radii radii_of(const Contact& contact) {
    struct Visitor {
        Radii operator()(const Journal& j) const {
            return {j.bearing_radius - j.clearance, j.bearing_radius, true};
        }
        Radii operator()(const Guide& g) const { return {g.corner_radius, infinity, false}; }
        Radii operator()(const Tip& t) const { return {t.radius, infinity, false}; }
        Radii operator()(const Balls& b) const { return {b.radii[0], b.radii[1], false}; }
    };
    return std::visit(Visitor{}, contact.geometry);
}

laws::Contact sphere_of(const Contact& contact, double mass) {
    if (const auto* given = std::get_if<Stiffness>(&contact.materials))
        return {.radius = 0.0, .modulus = 0.0, .mass = mass, .stiffness = given->stiffness};
    const auto& [a, b] = std::get<Materials>(contact.materials).elasticity;
    const Radii radii = radii_of(contact);
    const auto make = radii.socket ? laws::socket_contact : laws::sphere_contact;
    laws::Contact made = make(radii.first, mass, a, radii.second, infinity, b);
    return made;
}

laws::LineContact line_of(const Contact& contact, double mass) {
    const auto& journal = std::get<Journal>(contact.geometry);
    const auto& [pin, hole] = std::get<Materials>(contact.materials).elasticity;
    const double length = *journal.length;
    return laws::internal_line_contact(
        {.radius = journal.bearing_radius - journal.clearance,
         .length = length,
         .mass = mass,
         .elasticity = pin},
        {.radius = journal.bearing_radius, .length = length, .mass = infinity, .elasticity = hole});
}

}  // namespace

bool is_line_contact(const Contact& contact) {
    const auto* journal = std::get_if<Journal>(&contact.geometry);
    return journal != nullptr && journal->length.has_value();
}

std::unique_ptr<ContactForce> make_force(const Contact& contact, double mass,
                                         double closing_speed) {
    laws::Settings settings = std::get<laws::Settings>(contact.law);
    const double speed = std::max(closing_speed, contact.impact_speed_floor);
    const auto impact_speed = settings.values.find("impact_speed");
    if (impact_speed != settings.values.end() && !std::get_if<double>(&impact_speed->second))
        impact_speed->second = speed;
    const double effective = contact.effective_mass.value_or(mass);
    if (is_line_contact(contact)) {
        return std::make_unique<ForceOf<laws::LineLaw>>(
            laws::make_line(line_of(contact, effective), settings, speed));
    }
    return std::visit(
        [](auto&& law) -> std::unique_ptr<ContactForce> {
            return std::make_unique<ForceOf<std::decay_t<decltype(law)>>>(
                std::forward<decltype(law)>(law));
        },
        laws::make(sphere_of(contact, effective), settings));
}

}  // namespace beadwave::mechanism
