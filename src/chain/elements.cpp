#include "beadwave/chain/elements.hpp"

#include "beadwave/argument_error.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string_view>
#include <vector>

namespace beadwave::chain {
namespace {

class Checker {
  public:
    explicit Checker(std::size_t beads) : beads_(beads) {}

    template <class Element, class Check>
    void all(std::string_view list, const std::vector<Element>& elements, const Check& check) {
        for (std::size_t k = 0; k < elements.size(); ++k) {
            list_ = list;
            number_ = k;
            if (elements[k].bead >= beads_)
                refuse("bead", static_cast<double>(elements[k].bead),
                       fmt::format("a bead from 0 to {}", beads_ - 1));
            check(elements[k]);
        }
    }

    void spring(const Spring& spring) const {
        from_zero("stiffness", spring.stiffness, "N/m");
        if (!std::isfinite(spring.cubic)) refuse("cubic", spring.cubic, "a number, in N/m^3");
        from_zero("damping", spring.damping, "N s/m");
    }

    [[noreturn]] void refuse(std::string_view member, double found,
                             std::string_view expected) const {
        throw ArgumentError(
            fmt::format("{}[{}].{} = {:g}: expected {}", list_, number_, member, found, expected));
    }

  private:
    void from_zero(std::string_view member, double number, std::string_view unit) const {
        if (!std::isfinite(number) || number < 0.0)
            refuse(member, number, fmt::format("a number from 0, in {}", unit));
    }

    std::size_t beads_;
    std::string_view list_{};
    std::size_t number_ = 0;
};

void check_bonds(const Elements& elements, std::size_t beads) {
    std::vector<bool> bonded(beads);
    for (std::size_t k = 0; k < elements.bonds.size(); ++k) {
        const Bond& bond = elements.bonds[k];
        const auto refuse = [&](std::string_view member, double found, std::string_view expected) {
            throw ArgumentError(
                fmt::format("bonds[{}].{} = {:g}: expected {}", k, member, found, expected));
        };
        if (bond.contact < 1 || bond.contact >= beads) {
            throw ArgumentError(
                fmt::format("bonds[{}].contact = {}: expected a contact between two beads, from 1 "
                            "to {}",
                            k, bond.contact, beads - 1));
        }
        if (!std::isfinite(bond.stiffness) || !(bond.stiffness > 0.0))
            refuse("stiffness", bond.stiffness, "a number above 0, in N/m");
        if (!std::isfinite(bond.damping) || bond.damping < 0.0)
            refuse("damping", bond.damping, "a number from 0, in N s/m");
        if (!std::isfinite(bond.stretch)) refuse("stretch", bond.stretch, "a number, in m");
        if (!(bond.strength > 0.0)) refuse("strength", bond.strength, "a number above 0, in N");
        const std::string fault = fault_of_bond(bond, bonded);
        if (!fault.empty())
            throw ArgumentError(fmt::format("bonds[{}].contact = {}: {}", k, bond.contact, fault));
    }
}

}  // namespace

void check_elements(const Elements& elements, std::size_t beads) {
    Checker checker(beads);
    checker.all("foundations", elements.foundations,
                [&](const Foundation& each) { checker.spring(each.spring); });
    checker.all("resonators", elements.resonators, [&](const Resonator& each) {
        if (!std::isnormal(each.mass) || each.mass < 0.0)
            checker.refuse("mass", each.mass, "a finite number above 0, in kg");
        checker.spring(each.spring);
    });
    checker.all("loads", elements.loads, [&](const TimedLoad& each) {
        if (!std::isfinite(each.force.largest()))
            checker.refuse("force", each.force.largest(), "finite numbers, in N");
    });
    checker.all("driven", elements.driven, [](const DrivenBead&) {});
    for (std::size_t k = 0; k < elements.pair_forces.size(); ++k) {
        const PairForce& each = elements.pair_forces[k];
        const auto refuse = [&](std::string_view member, double found, std::string_view expected) {
            throw ArgumentError(
                fmt::format("pair_forces[{}].{} = {:g}: expected {}", k, member, found, expected));
        };
        const auto above_zero = [&](std::string_view member, double number, std::string_view unit) {
            if (!(number > 0.0)) refuse(member, number, fmt::format("a number above 0{}", unit));
        };
        if (each.last >= beads || each.first > each.last) {
            refuse("last", static_cast<double>(each.last),
                   fmt::format("a bead from `first` to {}", beads - 1));
        }
        above_zero("distance", each.law.distance(), ", in m");
        above_zero("exponent", each.law.exponent(), "");
        above_zero("range", each.law.range(), ", in m");
        if (!std::isfinite(each.force)) refuse("force", each.force, "a finite number, in N");
        for (const double moment : each.moments) {
            if (!std::isfinite(moment)) refuse("moments", moment, "finite numbers");
        }
        if (each.neighbours < 1 || each.neighbours > most_neighbours) {
            refuse("neighbours", static_cast<double>(each.neighbours),
                   fmt::format("a whole number from 1 to {}", most_neighbours));
        }
    }
    check_bonds(elements, beads);
}

std::string fault_of_bond(const Bond& bond, std::vector<bool>& bonded) {
    if (bonded[bond.contact]) return "has a bond already";
    bonded[bond.contact] = true;
    if (bond.stiffness * bond.stretch > bond.strength) {
        return fmt::format(
            "has a bond that is broken at the start: it pulls with {:g} N, and its strength "
            "is {:g} N",
            bond.stiffness * bond.stretch, bond.strength);
    }
    return {};
}

std::string fault_of_drive(const Elements& elements, std::size_t bead, double velocity) {
    if (elements.drives(bead)) return "is driven already";
    if (elements.drives(bead + 1) || (bead > 0 && elements.drives(bead - 1)))
        return "is next to another driven bead; expected a bead between them";
    if (velocity != 0.0) {
        return fmt::format(
            "has a velocity of {:g} m/s at the start; a driven bead moves as its "
            "drive says",
            velocity);
    }
    return {};
}

}  // namespace beadwave::chain
