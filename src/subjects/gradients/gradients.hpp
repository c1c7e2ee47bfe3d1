// The gradient of a scenario's run: a chain, objectives and inputs.
#pragma once

#include "gradients/gradient.hpp"
#include "io/toml/toml_document.hpp"
#include "jobs/job.hpp"

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <string>
#include <vector>

namespace beadwave::tasks {

struct GradientRequest {
    std::string scenario{};
    std::string objective{};  ///< FILE.toml
    std::string inputs{};     ///< "mass,radius,law.restitution"
    std::vector<std::string> overrides{};
    bool check = false;  ///< compare with central differences
    gradients::Stop stop{};
};

/// The result: a few lines of text, or one JSON object.
struct GradientResult {
    gradients::Gradient gradient;
    std::vector<std::string> warnings;

    std::string text() const;
    nlohmann::ordered_json json() const;
};

/// Throws InputError, running::RunError.
GradientResult gradient_of(const GradientRequest& request);

/// Objectives for a chain of so many beads and a run up to `end` [s].
using MakeObjectives =
    std::function<std::vector<gradients::Objective>(std::size_t beads, double end)>;

/// The same for a job and objectives, in place of the request's scenario and files; errors call it
/// `name`.
GradientResult gradient_of(const jobs::Job& job, const std::string& name,
                           const MakeObjectives& objectives, const GradientRequest& request);

}  // namespace beadwave::tasks
