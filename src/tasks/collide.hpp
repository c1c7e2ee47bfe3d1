// One collision of two bodies.
#pragma once

#include "beadwave/laws/collision.hpp"
#include "beadwave/laws/contact_patch.hpp"
#include "beadwave/laws/optimal_damping.hpp"
#include "io/scenario/case_reader.hpp"
#include "jobs/collision_report.hpp"
#include "tasks/impact_results.hpp"

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace beadwave::tasks {

/// The coefficient of restitution that a formula gives for a collision.
struct FormulaResult {
    std::string_view name;
    double restitution;
};

struct CollisionResult {
    io::CollisionCase collided;
    laws::Collision hit;                            ///< not for an impact of rigid bodies
    std::vector<ImpactResult> impacts{};            ///< of rigid bodies, by definition
    std::vector<FormulaResult> formulas;            ///< those whose parameters are all known
    std::vector<laws::CollisionMoment> trajectory;  ///< empty unless asked for
    /// Law "jian": relaxation moduli at closing, at the largest overlap, and at the end.
    struct Moduli {
        double time, shear, bulk;  ///< [s], [Pa], [Pa]
    };
    std::vector<Moduli> moduli;
    std::optional<laws::ContactEllipse> ellipse{};  ///< where they touch; a circle between spheres
    std::optional<laws::ContactStrip> strip{};      ///< of cylinders, at the largest force
    std::optional<laws::OptimalDamping> damping{};  ///< law "poursina-nikravesh"
    std::optional<jobs::CollisionReport> report{};  ///< of a subject: then it is all there is

    const std::vector<std::string>& warnings() const {
        return report ? report->warnings : collided.warnings;
    }

    nlohmann::ordered_json json() const;
};

/// Throws ArgumentError for a law that does not apply to these bodies.
CollisionResult collide(io::CollisionCase collided, bool with_trajectory);

/// The collision of a file, or of text as io::read_case_text() reads it; that of a subject too.
/// Throws InputError.
CollisionResult collide(const std::filesystem::path& file, std::span<const std::string> overrides,
                        bool with_trajectory);
CollisionResult collide_text(std::string text, const std::string& name,
                             const std::optional<std::filesystem::path>& folder,
                             bool with_trajectory);

}  // namespace beadwave::tasks
