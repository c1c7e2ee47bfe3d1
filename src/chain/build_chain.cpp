#include "chain/build_chain.hpp"

#include "beadwave/argument_error.hpp"
#include "beadwave/chain/chain.hpp"
#include "beadwave/laws/catalogue.hpp"
#include "chain/beads.hpp"
#include "chain/equilibrium.hpp"
#include "chain/impact_speed.hpp"
#include "chain/numbering.hpp"
#include "ranks/collective.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace beadwave::chain {
namespace {

using ranks::collective;

constexpr double never = std::numeric_limits<double>::infinity();

struct ContactHash {
    std::size_t operator()(const laws::Contact& c) const {
        return BitHash::of(c.radius, c.modulus, c.mass, c.yield_stress);
    }
};

class Builder {
  public:
    Builder(const Scenario& scenario, const std::optional<Partition>& partition)
        : scenario_(scenario) {
        chain_.partition = partition;
    }

    Chain build() {
        collective(chain_.ranks(), [&] { build_beads(scenario_, chain_); });
        resolve_impact_speed();
        collective(chain_.ranks(), [&] { join(); });
        solve_static_equilibrium(scenario_, chain_);
        return std::move(chain_);
    }

  private:
    // Whether an end of the whole chain is on this process.
    bool holds_left_end() const { return chain_.first() == 0; }
    bool holds_right_end() const { return chain_.first() + chain_.beads() == chain_.total(); }

    void resolve_impact_speed() {
        law_ = scenario_.law;
        if (!law_.is("impact_speed", "initial")) return;
        const auto start = [](const End& end) {
            return end.drive ? end.drive->velocity(0.0) : 0.0;
        };
        double fastest = 0.0;
        if (scenario_.left.is_wall() && holds_left_end())
            fastest = start(scenario_.left) - chain_.velocity.front();
        if (scenario_.right.is_wall() && holds_right_end())
            fastest = std::max(fastest, chain_.velocity.back() - start(scenario_.right));
        for (std::size_t i = 1; i < chain_.beads(); ++i) {
            fastest = std::max(fastest, chain_.velocity[i - 1] - chain_.velocity[i]);
        }
        if (chain_.partition) chain_.partition->ranks->largest({&fastest, 1});
        if (!chain::resolve_impact_speed(law_, fastest))
            scenario_.origin.fail("law.impact_speed", no_impact_speed);
    }

    /// Ends and contacts.
    void join() {
        const std::size_t n = chain_.beads();
        if (scenario_.gravity) chain_.gravity = scenario_.gravity->acceleration;
        chain_.left_drive = scenario_.left.drive;
        chain_.right_drive = scenario_.right.drive;
        if (holds_left_end()) {
            chain_.left_fixed = scenario_.left.kind == EndKind::fixed;
            refuse_moving(chain_.left_fixed, 0, "boundary.left");
        }
        if (holds_right_end()) {
            chain_.right_fixed = scenario_.right.kind == EndKind::fixed;
            refuse_moving(chain_.right_fixed, n - 1, "boundary.right");
        }
        chain_.gap.reserve(n + 1);
        chain_.contacts.reserve(n + 1);
        holds_left_end() ? add_end_contact(scenario_.left, 0, "boundary.left") : add_open_end(0);
        add_inner_contacts();
        holds_right_end() ? add_end_contact(scenario_.right, n - 1, "boundary.right")
                          : add_open_end(n - 1);
    }

    void refuse_moving(bool fixed, std::size_t bead, const char* key) {
        if (fixed && chain_.velocity[bead] != 0.0) {
            scenario_.origin.fail(
                key, fmt::format("fixes bead {}, which moves at {:g} m/s; expected a bead at rest",
                                 chain_.first() + bead, chain_.velocity[bead]));
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
        if (!end.is_wall()) return add_open_end(bead);
        if (chain_.is_fixed(bead)) {
            scenario_.origin.fail(key, "is a wall next to a bead that the other end fixes");
        }
        const laws::Elasticity& own = elasticity(bead);
        const laws::Elasticity& wall =
            end.material ? scenario_.materials.at(*end.material).elasticity : own;
        add_contact(end.gap, laws::sphere_contact(chain_.radius[bead], chain_.mass[bead], own,
                                                  never, never, wall));
    }

    /// A contact that never closes gets the parameters of its neighbour, so that a uniform chain
    /// stays uniform.
    void add_open_end(std::size_t bead) {
        const std::size_t n = chain_.beads();
        const laws::Elasticity& own = elasticity(bead);
        laws::Contact contact = n > 1 ? inner_contact(bead == 0 ? 1 : n - 1)
                                      : laws::sphere_contact(chain_.radius[0], chain_.mass[0], own,
                                                             chain_.radius[0], chain_.mass[0], own);
        contact.mass = 0.0;
        add_contact(never, contact);
    }

    void add_inner_contacts() {
        const std::size_t first = chain_.first(), last = first + chain_.beads();
        std::size_t segment_begin = 0;
        for (std::size_t s = 0; s < scenario_.segments.size(); ++s) {
            const Segment& segment = scenario_.segments[s];
            const double gap = segment.gap.value_or(0.0);
            const std::size_t segment_end = segment_begin + static_cast<std::size_t>(segment.beads);
            for (std::size_t number = std::max(segment_begin, first + 1);
                 number < std::min(segment_end, last); ++number) {
                const std::size_t bead = number - first;
                if (-gap > std::min(chain_.radius[bead - 1], chain_.radius[bead])) {
                    scenario_.origin.fail(
                        fmt::format("segment.{}.gap", s),
                        "beads overlap by more than a radius; expected a far smaller overlap");
                }
                add_contact(gap, inner_contact(bead));
            }
            segment_begin = segment_end;
        }
    }

    const Scenario& scenario_;
    laws::Settings law_;
    Chain chain_;
    Numbering<laws::Contact, ContactHash> kinds_;
};

}  // namespace

Chain build_chain(const Scenario& scenario, const std::optional<Partition>& partition) {
    if (scenario.bead_count() < 1) {
        scenario.origin.fail("segment", "no beads; expected at least one [[segment]] with beads");
    }
    return Builder(scenario, partition).build();
}

}  // namespace beadwave::chain
