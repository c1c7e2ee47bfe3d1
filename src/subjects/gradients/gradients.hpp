// The gradient of a scenario's run: a chain or a packing, objectives and inputs.
#pragma once

#include "gradients/gradient.hpp"
#include "io/toml/toml_document.hpp"
#include "jobs/job.hpp"
#include "subjects/gradients/objective_file.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace beadwave::tasks {

struct GradientRequest {
    std::string scenario{};
    std::string objective{};  ///< FILE.toml
    std::string inputs{};     ///< "mass,radius,law.restitution"
    std::vector<std::string> overrides{};
    bool check = false;      ///< compare with central differences
    std::size_t states = 0;  ///< most states stored at the same time; 0: 2 sqrt(steps)
    int threads = 1;         ///< one gradient uses at most two
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

/// The chain of a job, ready to run; errors call it `name`. Valid as long as the job. Throws
/// InputError for another kind of job.
gradients::ReadyChain ready_chain(const jobs::Job& job, const std::string& name);

/// What objectives read of a job, and its steps.
struct Measured {
    io::Observed of;
    stepping::TimeStep time_step;
    std::string name;  ///< of the job, for messages
};
using MakeMeasure = std::function<gradients::Measure(const Measured& measured)>;

/// The gradient of a measure of a job's run, in place of the request's scenario and objectives;
/// errors call the job `name`.
GradientResult gradient_of(const jobs::Job& job, const std::string& name,
                           const MakeMeasure& measure, const GradientRequest& request);

}  // namespace beadwave::tasks
