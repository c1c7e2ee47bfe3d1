#include "chain/build_chain.hpp"

#include "beadwave/argument_error.hpp"
#include "beadwave/chain/chain.hpp"
#include "beadwave/laws/catalogue.hpp"
#include "chain/beads.hpp"
#include "chain/equilibrium.hpp"
#include "chain/numbering.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace beadwave::chain {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

struct ContactHash {
    std::size_t operator()(const laws::Contact& c) const {
        return BitHash::of(c.radius, c.modulus, c.mass, c.yield_stress);
    }
};

class Builder {
  public:
    explicit Builder(const Scenario& scenario) : scenario_(scenario) {}

    Chain build() {
        lay_beads(scenario_, chain_);
        resolve_impact_speed();
        const std::size_t n = chain_.beads();
        chain_.left_fixed = scenario_.left.kind == EndKind::fixed;
        chain_.right_fixed = scenario_.right.kind == EndKind::fixed;
        chain_.left_drive = scenario_.left.drive;
        chain_.right_drive = scenario_.right.drive;
        refuse_moving(chain_.left_fixed, 0, "boundary.left");
        refuse_moving(chain_.right_fixed, n - 1, "boundary.right");
        if (scenario_.gravity) chain_.gravity = scenario_.gravity->acceleration;

        chain_.gap.reserve(n + 1);
        chain_.contacts.reserve(n + 1);
        add_end_contact(scenario_.left, 0, "boundary.left");
        add_inner_contacts();
        add_end_contact(scenario_.right, n - 1, "boundary.right");
        settle(scenario_, chain_);
        return std::move(chain_);
    }

  private:
    /// impact_speed = "initial": as WangLiu2022 does, the first impact's speed serves all contacts.
    void resolve_impact_speed() {
        law_ = scenario_.law;
        if (!law_.is("impact_speed", "initial")) return;
        const auto start = [](const End& end) {
            return end.drive ? end.drive->velocity(0.0) : 0.0;
        };
        double fastest =
            scenario_.left.is_wall() ? start(scenario_.left) - chain_.velocity.front() : 0.0;
        if (scenario_.right.is_wall())
            fastest = std::max(fastest, chain_.velocity.back() - start(scenario_.right));
        for (std::size_t i = 1; i < chain_.beads(); ++i) {
            fastest = std::max(fastest, chain_.velocity[i - 1] - chain_.velocity[i]);
        }
        if (!(fastest > 0.0) && !laws::depends_on_impact_speed(law_)) fastest = 1.0;  // any
        if (!(fastest > 0.0)) {
            scenario_.origin.fail(
                "law.impact_speed",
                "missing, and nothing approaches at the start; expected a number above 0, in m/s, "
                "or \"per-contact\" with law.impact_speed_floor");
        }
        law_.values.insert_or_assign("impact_speed", fastest);
    }

    void refuse_moving(bool fixed, std::size_t bead, const char* key) {
        if (fixed && chain_.velocity[bead] != 0.0) {
            scenario_.origin.fail(
                key, fmt::format("holds bead {}, which moves at {:g} m/s; expected a bead at rest",
                                 bead, chain_.velocity[bead]));
        }
    }

    const laws::Elasticity& elasticity(std::size_t bead) const {
        const std::string& material = chain_.species_names[chain_.species[bead]];
        return scenario_.materials.find(material)->second.elasticity;
    }

    double held_mass(std::size_t bead) const {
        return chain_.is_fixed(bead) ? never : chain_.mass[bead];
    }

    void add_contact(double gap, const laws::Contact& contact) {
        const auto [kind, is_new] = kinds_(contact);
        if (is_new) {
            try {
                chain_.contacts.add_kind(laws::make(contact, law_), contact.mass);
            } catch (const ArgumentError& error) {
                scenario_.origin.fail("law.name", error.what());
            }
        }
        chain_.contacts.add(kind);
        chain_.gap.push_back(gap);
    }

    /// The contact between bead c-1 and bead c.
    laws::Contact inner_contact(std::size_t c) const {
        laws::Contact contact =
            laws::sphere_contact(chain_.radius[c - 1], held_mass(c - 1), elasticity(c - 1),
                                 chain_.radius[c], held_mass(c), elasticity(c));
        if (chain_.is_fixed(c - 1) && chain_.is_fixed(c)) contact.mass = 0.0;
        return contact;
    }

    void add_end_contact(const End& end, std::size_t bead, const char* key) {
        const std::size_t n = chain_.beads();
        if (end.is_wall()) {
            if (chain_.is_fixed(bead)) {
                scenario_.origin.fail(key,
                                      "is a wall beside a bead that the other end holds fixed");
            }
            const laws::Elasticity& own = elasticity(bead);
            const laws::Elasticity& wall =
                end.material ? scenario_.materials.at(*end.material).elasticity : own;
            add_contact(end.gap, laws::sphere_contact(chain_.radius[bead], chain_.mass[bead], own,
                                                      never, never, wall));
            return;
        }
        // A contact that never closes takes its neighbour's parameters: a uniform chain stays
        // uniform.
        const laws::Elasticity& own = elasticity(bead);
        laws::Contact contact = n > 1 ? inner_contact(bead == 0 ? 1 : n - 1)
                                      : laws::sphere_contact(chain_.radius[0], chain_.mass[0], own,
                                                             chain_.radius[0], chain_.mass[0], own);
        contact.mass = 0.0;
        add_contact(never, contact);
    }

    void add_inner_contacts() {
        std::size_t bead = 0;
        for (std::size_t s = 0; s < scenario_.segments.size(); ++s) {
            const double gap = scenario_.segments[s].gap.value_or(0.0);
            for (std::int64_t b = 0; b < scenario_.segments[s].beads; ++b, ++bead) {
                if (bead == 0) continue;
                if (-gap > std::min(chain_.radius[bead - 1], chain_.radius[bead])) {
                    scenario_.origin.fail(
                        fmt::format("segment.{}.gap", s),
                        "beads overlap by more than a radius; expected a far smaller overlap");
                }
                add_contact(gap, inner_contact(bead));
            }
        }
    }

    const Scenario& scenario_;
    laws::Settings law_;
    Chain chain_;
    Numbering<laws::Contact, ContactHash> kinds_;
};

}  // namespace

Chain build_chain(const Scenario& scenario) {
    if (scenario.bead_count() < 1) {
        scenario.origin.fail("segment", "no beads; expected at least one [[segment]] with beads");
    }
    return Builder(scenario).build();
}

}  // namespace beadwave::chain
