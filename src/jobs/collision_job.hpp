// A collision case as a job, for sweeps.
#pragma once

#include "beadwave/laws/collision.hpp"
#include "beadwave/laws/elliptic_contact.hpp"
#include "io/scenario/case_reader.hpp"
#include "jobs/job.hpp"

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

namespace beadwave::jobs {

/// The collision. `watch`, if given, is called for every accepted step. Throws ArgumentError for a
/// law that does not apply to these bodies; std::runtime_error if they do not separate.
laws::Collision collision_of(const io::CollisionCase& collision,
                             const std::function<void(const laws::CollisionMoment&)>& watch = {});

/// The ellipse on which the bodies touch, a circle between spheres; nothing between cylinders, for
/// a contact without radius or modulus, and under laws that yield or adhere, whose pressure is
/// another one.
std::optional<laws::ContactEllipse> ellipse_of(const io::CollisionCase& collision);

/// All warnings of the case: those of its reader, then those of the collision itself, such as a
/// contact ellipse that is longer than the cylinders.
std::vector<std::string> warnings_of(const io::CollisionCase& collision,
                                     const laws::Collision& hit);

/// An impact of rigid bodies under one definition of restitution.
struct ImpactResult {
    std::string_view definition;  ///< newton, poisson, stronge
    laws::RigidImpact impact;
};

/// The results at this approach speed [m/s], one per definition.
std::vector<ImpactResult> impact_results(const io::ImpactCase&, double speed);

class CollisionJob : public Job {
  public:
    /// Throws InputError if the law does not apply to these bodies; the error names `origin`.
    CollisionJob(io::CollisionCase collision, const scenario::Origin& origin);

    std::vector<std::string> warnings() const override { return collision_.warnings; }
    double time_step() const override { return 0.0; }
    double memory() const override { return 0.0; }
    double least_wall_time() const override { return 0.0; }
    io::Columns columns() const override;
    const std::string& scenario_text() const override { return no_text_; }
    const std::map<std::string, std::string>& file_texts() const override {
        return collision_.file_texts;
    }
    /// Records nothing.
    JobResult run(const RunRequest& request, ProgressCallback& callback) const override;

  private:
    io::CollisionCase collision_;
    std::string no_text_{};  ///< a case is no scenario
};

}  // namespace beadwave::jobs
