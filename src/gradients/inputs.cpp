#include "gradients/inputs.hpp"

#include "beadwave/input_error.hpp"
#include "beadwave/laws/catalogue.hpp"
#include "beadwave/running/run_error.hpp"
#include "gradients/carried_inputs.hpp"
#include "gradients/slopes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>
#include <variant>

namespace beadwave::gradients {
namespace {

using Kind = Input::Kind;

MotionNumbers numbers_of(const ReadyChain& ready) {
    MotionNumbers numbers(ready.chain);
    if (ready.static_loads) numbers.precompression = ready.static_loads->squeeze;
    return numbers;
}

enum class Least { none, from_zero, above_zero };

/// The least number that an input may have.
Least least_of(const Input& input) {
    switch (input.kind) {
        case Kind::mass:
        case Kind::radius:
        case Kind::youngs_modulus:
        case Kind::precompression:
            return Least::above_zero;
        case Kind::carried:
            if (input.name == "resonator.mass" || input.name.ends_with(".frequency"))
                return Least::above_zero;
            return input.name.ends_with(".damping") ? Least::from_zero : Least::none;
        default:
            return Least::none;
    }
}

}  // namespace

Inputs::Inputs(const ReadyChain& ready)
    : bodies_(ready.bodies),
      numbers_(numbers_of(ready)),
      start_(ready.static_loads, numbers_, ready.chain.contacts.first()),
      law_(ready.chain.contacts.first().index()),
      time_step_(ready.time_step.step),
      load_(numbers_.load) {
    const chain::Chain& chain = ready.chain;
    for (const chain::Resonator& each : chain.elements.resonators)
        inner_mass_.push_back(each.mass);
    for (std::size_t i = 0; i < chain.beads(); ++i)
        held_.push_back(chain.is_held(i) ? 1 : 0);
    for (std::size_t c = 0; c < numbers_.gap.size(); ++c) {
        if (closes(c) && bodies_.law_of(c) != chain.contacts.at(c)) {
            throw InputError(
                fmt::format("{}: contact {} is along a line; gradients are those of chains that "
                            "touch in points",
                            ready.name, c));
        }
    }
}

bool Inputs::closes(std::size_t contact) const {
    return std::isfinite(numbers_.gap[contact]);
}

bool Inputs::per_contact(const Input& input) const {
    return input.kind == Kind::law && bodies_.own_parameters.contains(input.name);
}

std::size_t Inputs::count(const Input& input) const {
    if (input.kind == Kind::carried) return carried_values(numbers_, input.name).size();
    if (input.kind == Kind::precompression || (input.kind == Kind::law && !per_contact(input)))
        return 1;
    return input.kind == Kind::gap || input.kind == Kind::law ? numbers_.gap.size()
                                                              : bodies_.beads();
}

double& Inputs::number(chain::ContactBodies& bodies, const Input& input, std::size_t index) const {
    switch (input.kind) {
        case Kind::radius:
            return bodies.radius[index];
        case Kind::youngs_modulus:
            return bodies.material[index].youngs_modulus;
        case Kind::law:
            return per_contact(input)
                       ? bodies.own_parameters.find(input.name)->second[index]
                       : std::get<double>(bodies.law.values.find(input.name)->second);
        default:
            return bodies.mass[index];
    }
}

double Inputs::value(const Input& input, std::size_t index) const {
    switch (input.kind) {
        case Kind::mass:
            return numbers_.mass[index];
        case Kind::gap:
            return numbers_.gap[index];
        case Kind::velocity:
            return numbers_.velocity[index];
        case Kind::radius:
            return bodies_.radius[index];
        case Kind::youngs_modulus:
            return bodies_.material[index].youngs_modulus;
        case Kind::load:
            return load_[index];
        case Kind::precompression:
            return numbers_.precompression;
        case Kind::carried:
            return carried_values(numbers_, input.name)[index];
        case Kind::law:
            break;
    }
    return per_contact(input) ? bodies_.own_parameters.find(input.name)->second[index]
                              : bodies_.law.number(input.name);
}

std::vector<std::size_t> Inputs::contacts_of(const Input& input, std::size_t index) const {
    std::vector<std::size_t> contacts;
    if (per_contact(input)) {
        contacts = {index};
    } else if (input.kind == Kind::law) {
        contacts.resize(numbers_.gap.size());
        std::iota(contacts.begin(), contacts.end(), std::size_t{0});
    } else if ((input.kind == Kind::mass || input.kind == Kind::radius ||
                input.kind == Kind::youngs_modulus) &&
               (input.kind != Kind::mass || std::isfinite(bodies_.mass[index]))) {
        contacts = {index, index + 1};
    }
    std::erase_if(contacts, [&](std::size_t c) { return !closes(c); });
    return contacts;
}

void Inputs::make_laws() {
    for (std::size_t c = 0; c < numbers_.gap.size(); ++c) {
        if (!closes(c)) continue;
        const laws::AnyLaw law = bodies_.law_of(c);
        for (std::size_t k = 0; k < numbers_.law.size(); ++k)
            numbers_.law[k][c] = law.numbers()[k];
    }
}

/// A mass hangs on its bead at the start.
void Inputs::place_loads() {
    numbers_.load = load_;
    for (std::size_t k = 0; k < inner_mass_.size(); ++k) {
        const chain::Resonator& each = numbers_.elements.resonators[k];
        numbers_.load[each.bead] += numbers_.gravity * (each.mass - inner_mass_[k]);
    }
    start_.apply(numbers_);
}

void Inputs::set_one(const Input& input, std::size_t index, double x) {
    const double own = value(input, index);
    const double more = x - own;
    const auto fastest = bodies_.fastest;
    std::vector<double>& spacing = numbers_.spacing;
    switch (input.kind) {
        case Kind::gap:
            numbers_.gap[index] = x;
            if (!spacing.empty() && index > 0 && index + 1 < spacing.size()) spacing[index] += more;
            return;
        case Kind::velocity:
            numbers_.velocity[index] = x;
            if (fastest && (index + 1 == *fastest || index == *fastest)) {
                std::get<double>(bodies_.law.values.find("impact_speed")->second) +=
                    index == *fastest ? -more : more;
            }
            return;
        case Kind::load:
            load_[index] = x;
            return;
        case Kind::precompression:
            numbers_.precompression = x;
            return;
        case Kind::mass:
            numbers_.mass[index] = x;
            if (held_[index] != 0) return;
            break;
        case Kind::radius:
            if (!spacing.empty() && index > 0) spacing[index] += more;
            if (!spacing.empty() && index + 2 < spacing.size()) spacing[index + 1] += more;
            break;
        default:
            break;
    }
    number(bodies_, input, index) = x;
}

std::vector<char> Inputs::staying(const Input& input) const {
    if (input.kind == Kind::velocity) return held_;
    if (input.kind != Kind::gap) return std::vector<char>(count(input), 0);
    std::vector<char> all = start_.follows(numbers_);
    for (std::size_t c = 0; c < all.size(); ++c) {
        if (!closes(c)) all[c] = 1;
    }
    return all;
}

void Inputs::set(const Input& input, std::span<const double> values) {
    if (values.size() != count(input)) {
        throw InputError(fmt::format("inputs: {} has {} numbers; expected {}", input.name,
                                     values.size(), count(input)));
    }
    const Least least = least_of(input);
    const std::vector<char> stays = staying(input);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double x = values[i];
        if (x == value(input, i) || stays[i] != 0) continue;
        const bool above = least == Least::above_zero;
        if (std::isfinite(x) && (least == Least::none || x > 0.0 || (!above && x == 0.0))) continue;
        throw InputError(fmt::format("inputs: {} {} is {:g}; expected a finite number{}",
                                     input.name, i, x,
                                     least == Least::none ? ""
                                     : above              ? " above 0"
                                                          : " from 0"));
    }
    put(input, values);
}

void Inputs::put(const Input& input, std::span<const double> values) {
    if (input.kind == Kind::carried) {
        set_carried(numbers_, input.name, {values.begin(), values.end()});
    } else {
        const std::vector<char> stays = staying(input);
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (values[i] != value(input, i) && stays[i] == 0) set_one(input, i, values[i]);
        }
    }
    make_laws();
    place_loads();
}

MotionNumbers Inputs::with(const Input& input, std::size_t index, double x) const {
    Inputs changed = *this;
    std::vector<double> values;
    for (std::size_t i = 0; i < count(input); ++i)
        values.push_back(i == index ? x : value(input, i));
    changed.put(input, values);
    return std::move(changed.numbers_);
}

double Inputs::by_law(chain::ContactBodies& bodies, const Input& input, std::size_t index,
                      std::size_t contact, const MotionNumbers& bars) const {
    double& x = number(bodies, input, index);
    const double own = x;
    const std::size_t fields = numbers_.law.size();
    std::vector<double> here;
    for (std::size_t k = 0; k < fields; ++k)
        here.push_back(numbers_.law[k][contact]);
    const auto slopes =
        slopes_of(own, here, [&](double place) -> std::optional<std::vector<double>> {
            x = place;
            const laws::AnyLaw law = bodies.law_of(contact);
            if (law.index() != law_) return std::nullopt;
            return std::vector<double>(law.numbers().begin(), law.numbers().end());
        });
    x = own;
    if (!slopes) {
        throw running::RunError(
            fmt::format("the law of contact {} has no derivative by {}{} at {:g}: it has a jump or "
                        "separate code nearby",
                        contact, input.kind == Kind::law ? "law." : "", input.name, own));
    }
    double sum = 0.0;
    for (std::size_t k = 0; k < fields; ++k)
        sum += (*slopes)[k] * bars.law[k][contact];
    return sum;
}

double Inputs::by_laws(chain::ContactBodies& bodies, const Input& input, std::size_t index,
                       const MotionNumbers& bars) const {
    double sum = 0.0;
    for (const std::size_t c : contacts_of(input, index)) {
        const bool matters = std::ranges::any_of(
            bars.law, [&](const std::vector<double>& column) { return column[c] != 0.0; });
        if (matters) sum += by_law(bodies, input, index, c, bars);
    }
    return sum;
}

std::vector<double> Inputs::gradient(const Input& input, const MotionNumbers& bars) const {
    if (input.kind == Kind::carried)
        return carried_gradient(numbers_, input.name, bars, time_step_);
    if (input.kind == Kind::precompression) return {bars.precompression};
    if (input.kind == Kind::load) return bars.load;
    std::vector<double> gradient(count(input), 0.0);
    if (input.kind == Kind::mass) gradient = bars.mass;
    if (input.kind == Kind::gap) gradient = bars.gap;
    if (input.kind == Kind::velocity) gradient = bars.velocity;
    for (std::size_t c = 1; c + 1 < bars.spacing.size(); ++c) {  // of pair forces
        if (input.kind == Kind::gap) gradient[c] += bars.spacing[c];
        if (input.kind == Kind::radius) {
            gradient[c - 1] += bars.spacing[c];
            gradient[c] += bars.spacing[c];
        }
    }
    chain::ContactBodies bodies = bodies_;  // each number changes in turn
    for (std::size_t i = 0; i < gradient.size(); ++i)
        gradient[i] += by_laws(bodies, input, i, bars);
    if (input.kind == Kind::velocity && bodies_.fastest) {
        const double bar = by_laws(bodies, {.kind = Kind::law, .name = "impact_speed"}, 0, bars);
        const std::size_t c = *bodies_.fastest;
        if (c > 0) gradient[c - 1] += bar;
        if (c < gradient.size()) gradient[c] -= bar;
    }
    return gradient;
}

}  // namespace beadwave::gradients
