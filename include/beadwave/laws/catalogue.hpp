// The one list of contact laws. Scenarios, `beadwave laws`, `beadwave collide` and the tests read
// it.
//
// To add a hysteresis law: one function and one row in src/laws/catalogue/hysteresis_factors.cpp.
// To add any other law: its header, its type in src/laws/law_list.hpp, and one entry in its
// family's file in src/laws/catalogue.
#pragma once

#include "beadwave/laws/any_law.hpp"
#include "beadwave/laws/contact.hpp"
#include "beadwave/laws/settings.hpp"

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace beadwave::laws {

/// A text. One that must be computed is computed on demand.
class Text {
  public:
    Text(const char* text) : make_([text] { return std::string(text); }) {}
    Text(std::string text) : make_([text = std::move(text)] { return text; }) {}
    Text(std::function<std::string()> make) : make_(std::move(make)) {}
    std::string operator()() const { return make_(); }

  private:
    std::function<std::string()> make_;
};

/// How fast results converge with the time step of velocity Verlet: the error falls with its power
/// `order`. Below 2 where the force or its slope jumps when contact closes or ends, or at some
/// overlap.
struct StepOrder {
    double order = 2.0;    ///< with standard parameters [-]
    std::string remark{};  ///< why not 2, and what other parameters change

    /// "2", "1: the force jumps where contact begins".
    std::string text() const;
};

struct Entry {
    std::string name;
    std::vector<std::string> aliases;
    std::string family;
    std::string equation;
    std::vector<Parameter> parameters;
    std::string separation;     ///< where contact ends
    std::string stored_energy;  ///< what is recoverable
    Text validity;
    std::string source;  ///< paper key and equation
    bool needs_yield_stress = false;
    /// The law of one contact. The settings are checked; so is the yield stress, if needed.
    AnyLaw (*make)(const Contact&, const Settings&) = nullptr;
    /// Why a law that the papers name cannot be offered; it then has no `make`. Otherwise empty.
    std::string refused{};
    StepOrder step_order{};
};

/// All laws, in the order in which they are shown.
std::span<const Entry> catalogue();

/// The law of that name or alias; null if there is none.
const Entry* find(std::string_view name);

/// Names and aliases of all laws.
std::vector<std::string> known_names();

/// Whether the law's numbers depend on its impact speed, one for all contacts. The other settings
/// decide that; if they do not depend on it, nobody needs to give it. Also false if the law cannot
/// be made, which make() explains.
bool depends_on_impact_speed(const Settings&);

/// Builds the law of one contact. Throws ArgumentError if the law is refused, or needs a yield
/// stress and there is none.
AnyLaw make(const Contact&, const Settings&);

}  // namespace beadwave::laws
