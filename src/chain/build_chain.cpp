#include "chain/build_chain.hpp"

#include "beadwave/argument_error.hpp"
#include "beadwave/chain/chain.hpp"
#include "beadwave/laws/catalogue.hpp"
#include "beadwave/laws/expression/settings.hpp"
#include "beadwave/laws/line_catalogue.hpp"
#include "chain/bead_places.hpp"
#include "chain/bead_shape.hpp"
#include "chain/beads.hpp"
#include "chain/build_elements.hpp"
#include "chain/equilibrium.hpp"
#include "chain/impact_speed.hpp"
#include "chain/initial_state.hpp"
#include "chain/numbering.hpp"
#include "chain/pair_equilibrium.hpp"
#include "laws/neck.hpp"
#include "ranks/collective.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace beadwave::chain {
namespace {

using ranks::collective;

constexpr double never = std::numeric_limits<double>::infinity();
constexpr const char* parallel_cylinders =
    "two cylinders side by side touch along a line, and other beads in points: one law cannot have "
    "both; expected an angle above 0";

/// A contact in a point, or along a line: then the point only has its mass.
struct Touch {
    laws::Contact point{};
    std::optional<laws::LineContact> line{};

    bool operator==(const Touch&) const = default;
};

struct TouchHash {
    std::size_t operator()(const Touch& touch) const {
        const laws::Contact& c = touch.point;
        return touch.line ? BitHash::of(touch.line->radius, touch.line->modulus, c.mass,
                                        touch.line->length)
                          : BitHash::of(c.radius, c.modulus, c.mass, c.yield_stress);
    }
};

class Builder {
  public:
    Builder(const Scenario& scenario, const std::optional<Partition>& partition)
        : scenario_(scenario), places_(scenario) {
        chain_.partition = partition;
    }

    Chain build() {
        balance();
        collective(chain_.ranks(), [&] { add_bonds(scenario_, chain_); });
        add_absorbing_ends(scenario_, chain_);
        place_beads(scenario_, chain_);
        // By bead, so that ranks add up their works in the same order.
        std::ranges::stable_sort(chain_.loads, {}, &Load::bead);
        if (chain_.partition)
            chain_.elements.anywhere = chain_.partition->ranks->any(!chain_.elements.empty());
        return std::move(chain_);
    }

  private:
    /// Beads and contacts, at rest where the scenario wants it.
    void balance() {
        collective(chain_.ranks(), [&] {
            build_beads(scenario_, chain_);
            add_elements(scenario_, chain_);
            hold_ends();
        });
        give_velocities(scenario_, chain_);
        resolve_impact_speed();
        collective(chain_.ranks(), [&] { join(); });
        if (!chain_.partition || chain_.elements.pair_forces.empty())
            return solve_static_equilibrium(scenario_, chain_);
        if (!pair_equilibrium_wanted(scenario_)) return;
        // One equation has all beads: every rank solves it for the whole chain.
        collective(chain_.ranks(), [&] {
            Builder all(scenario_, std::nullopt);
            all.balance();
            take_start_of(all.chain_);
        });
    }

    /// Gaps and loads of the beads here.
    void take_start_of(const Chain& whole) {
        const std::size_t first = chain_.first(), n = chain_.beads();
        for (std::size_t c = holds_left_end() ? 0 : 1; c < n + (holds_right_end() ? 1 : 0); ++c)
            chain_.gap[c] = whole.gap[first + c];
        chain_.loads.clear();
        for (const Load& load : whole.loads) {
            if (load.bead >= first && load.bead < first + n)
                chain_.loads.push_back({load.bead - first, load.force});
        }
    }

    // Whether an end of the whole chain is on this process.
    bool holds_left_end() const { return chain_.first() == 0; }
    bool holds_right_end() const { return chain_.first() + chain_.beads() == chain_.total(); }

    void resolve_impact_speed() {
        law_ = scenario_.law;
        if (!law_.is("impact_speed", "initial")) return;
        double fastest =
            fastest_approach(scenario_, chain_, holds_left_end(), holds_right_end()).speed;
        if (chain_.partition) chain_.partition->ranks->largest({&fastest, 1});
        if (scenario_.has_line_contacts()) {
            if (!(fastest > 0.0) && laws::line_depends_on_impact_speed(law_))
                scenario_.origin.fail("law.impact_speed", no_impact_speed);
            law_.values.insert_or_assign("impact_speed", fastest > 0.0 ? fastest : 1.0);
            return;
        }
        if (!chain::resolve_impact_speed(law_, fastest))
            scenario_.origin.fail("law.impact_speed", no_impact_speed);
    }

    void hold_ends() {
        chain_.left_drive = scenario_.left.drive;
        chain_.right_drive = scenario_.right.drive;
        if (holds_left_end()) {
            chain_.left_fixed = scenario_.left.kind == EndKind::fixed;
            refuse_moving(chain_.left_fixed, 0, "boundary.left");
        }
        if (holds_right_end()) {
            chain_.right_fixed = scenario_.right.kind == EndKind::fixed;
            refuse_moving(chain_.right_fixed, chain_.beads() - 1, "boundary.right");
        }
    }

    /// Joins the beads: ends and contacts.
    void join() {
        const std::size_t n = chain_.beads();
        check_sleep(scenario_);
        if (scenario_.gravity) chain_.gravity = scenario_.gravity->acceleration;
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
        return chain_.is_held(bead) ? never : chain_.mass[bead];
    }

    void add_contact(double gap, const Touch& touch) {
        const auto [kind, is_new] = kinds_(touch);
        if (is_new) {
            try {
                chain_.contacts.add_kind(touch.line ? laws::make_line_force(*touch.line, law_)
                                                    : laws::make(touch.point, law_),
                                         touch.point.mass);
            } catch (const laws::ExpressionError& error) {
                scenario_.origin.fail("law." + error.key, error.fault);
            } catch (const ArgumentError& error) {
                scenario_.origin.fail("law.name", error.what());
            }
        }
        chain_.contacts.add(kind);
        chain_.gap.push_back(gap);
    }

    /// The contact between bead c-1 and bead c.
    Touch inner_contact(std::size_t c) const {
        Touch touch = touch_of(c - 1, held_mass(c - 1), c, held_mass(c));
        if (chain_.is_fixed(c - 1) && chain_.is_fixed(c)) touch.point.mass = 0.0;
        return touch;
    }

    const Segment& segment_of(std::size_t bead) const {
        return places_.segment(chain_.first() + bead);
    }

    BeadSurface surface(std::size_t bead, double mass) const {
        return {.radius = chain_.radius[bead],
                .shape = places_.shape(chain_.first() + bead),
                .mass = mass,
                .material = elasticity(bead)};
    }

    /// The contact of two beads, of which b follows a.
    Touch touch_of(std::size_t a, double mass_a, std::size_t b, double mass_b) const {
        if (places_.all_spheres()) {
            return {laws::sphere_contact(chain_.radius[a], mass_a, elasticity(a), chain_.radius[b],
                                         mass_b, elasticity(b))};
        }
        if (scenario_.has_line_contacts()) {
            return along_line(laws::external_line_contact(
                {chain_.radius[a], *segment_of(a).length, mass_a, elasticity(a)},
                {chain_.radius[b], *segment_of(b).length, mass_b, elasticity(b)}));
        }
        try {
            return {bead_contact(surface(a, mass_a), surface(b, mass_b),
                                 places_.angle(chain_.first() + b))};
        } catch (const ArgumentError& error) {
            const std::size_t bead = chain_.first() + b;
            scenario_.origin.fail(
                fmt::format("segment.{}", places_.place(bead).segment),
                fmt::format("bead {} and the one before it: {}", bead,
                            segment_of(a).length && segment_of(b).length ? parallel_cylinders
                                                                         : error.what()));
        }
    }

    static Touch along_line(const laws::LineContact& line) {
        Touch touch{.point = {}, .line = line};
        touch.point.mass = line.mass;
        return touch;
    }

    void add_end_contact(const End& end, std::size_t bead, const char* key) {
        if (!end.is_wall()) return add_open_end(bead);
        if (chain_.is_fixed(bead)) {
            scenario_.origin.fail(key, "is a wall next to a bead that the other end fixes");
        }
        const laws::Elasticity& own = elasticity(bead);
        const laws::Elasticity& wall =
            end.material ? scenario_.materials.at(*end.material).elasticity : own;
        if (scenario_.has_line_contacts()) {
            const double length = *segment_of(bead).length;
            add_contact(end.gap, along_line(laws::external_line_contact(
                                     {chain_.radius[bead], length, chain_.mass[bead], own},
                                     {never, length, never, wall})));
            return;
        }
        if (segment_of(bead).length) {
            scenario_.origin.fail(key,
                                  "a flat wall touches a cylinder along a line, and cylinders that "
                                  "cross touch in points: one law cannot have both");
        }
        add_contact(end.gap, {wall_contact(surface(bead, chain_.mass[bead]), wall)});
    }

    /// A contact that never closes gets the parameters of its neighbour, so that a uniform chain
    /// stays uniform.
    void add_open_end(std::size_t bead) {
        const std::size_t n = chain_.beads();
        Touch touch = n > 1 ? inner_contact(bead == 0 ? 1 : n - 1)
                            : touch_of(0, chain_.mass[0], 0, chain_.mass[0]);
        touch.point.mass = 0.0;
        add_contact(never, touch);
    }

    void add_inner_contacts() {
        const std::size_t first = chain_.first(), last = first + chain_.beads();
        std::size_t segment_begin = 0;
        for (std::size_t s = 0; s < scenario_.segments.size(); ++s) {
            const Segment& segment = scenario_.segments[s];
            const std::size_t segment_end = segment_begin + static_cast<std::size_t>(segment.beads);
            for (std::size_t number = std::max(segment_begin, first + 1);
                 number < std::min(segment_end, last); ++number) {
                const std::size_t bead = number - first, of_segment = number - segment_begin;
                const auto listed =
                    segment.listed.empty() ? segment.gap : segment.listed[of_segment].gap;
                const double gap = listed.value_or(segment.gap.value_or(0.0));
                if (-gap > places_.most_overlap(chain_, bead)) {
                    scenario_.origin.fail(
                        fmt::format("segment.{}.gap", s),
                        places_.all_spheres()
                            ? "beads overlap by more than a radius; expected a far smaller overlap"
                            : "beads overlap by more than a radius of curvature where they touch; "
                              "expected a far smaller overlap");
                }
                add_contact(gap, inner_contact(bead));
            }
            segment_begin = segment_end;
        }
    }

    const Scenario& scenario_;
    BeadPlaces places_;
    laws::Settings law_;
    Chain chain_;
    Numbering<Touch, TouchHash> kinds_;
};

}  // namespace

void check_sleep(const Scenario& scenario) {
    if (scenario.time.sleep_speed > 0.0 && laws::is_adhesive(scenario.law.name)) {
        scenario.origin.fail(
            "time.sleep_speed",
            fmt::format("cannot be used with law \"{}\": a slow bead in an adhesive contact may "
                        "become faster by itself; expected 0",
                        scenario.law.name));
    }
}

Chain build_chain(const Scenario& scenario, const std::optional<Partition>& partition) {
    if (scenario.bead_count() < 1) {
        scenario.origin.fail("segment", "no beads; expected at least one [[segment]] with beads");
    }
    return Builder(scenario, partition).build();
}

}  // namespace beadwave::chain
