#include "subjects/design/design_chain.hpp"

#include "beadwave/input_error.hpp"
#include "jobs/read_job.hpp"
#include "subjects/gradients/gradients.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace beadwave::tasks {
namespace {

using design::Kind;

const jobs::ChainJob& chain_in(const jobs::Job& job, const std::string& name) {
    gradients::check_chain(ready_chain(job, name));
    return dynamic_cast<const jobs::ChainJob&>(job);
}

/// The numbers of the beads of a variable are those of the scenario.
void check_same(const io::DesignRun& run, const design::Numbers& numbers,
                const design::Space& space, std::size_t index, Kind kind,
                const std::string& input) {
    const design::Variable& variable = space.variables()[index];
    const design::Numbers& start = space.start();
    for (std::size_t i = variable.first; i <= variable.last; ++i) {
        const double before = start.of(kind)[i], now = numbers.of(kind)[i];
        if (now == before) continue;
        throw InputError(fmt::format(
            "{}: changes the {} of {} {} from {} to {} {}, which variable.{} varies; expected "
            "settings that leave it",
            run.name, input, kind == Kind::gap ? "contact" : "bead", i, before, now, unit_of(kind),
            index));
    }
}

}  // namespace

io::TomlDocument ScenarioSource::document(std::span<const std::string> settings) const {
    return text ? io::parse_toml(*text, file.string(), settings) : io::load_toml(file, settings);
}

std::unique_ptr<jobs::Job> ScenarioSource::job(std::span<const std::string> settings) const {
    return text ? jobs::read_job_text(*text, file.filename().string(), file.parent_path(), settings)
                : jobs::read_job(file, settings);
}

DesignChain::DesignChain(const ScenarioSource& source, std::span<const std::string> settings)
    : file_(source.file),
      document_(source.document(settings)),
      job_(source.job(settings)),
      chain_(chain_in(*job_, file_.string())),
      step_(*job_->chosen_step()),
      numbers_(numbers_of(chain_)),
      beads_(document_, chain_) {}

std::unique_ptr<jobs::Job> DesignChain::job_with(const design::Numbers& numbers,
                                                 bool with_step) const {
    return jobs::read_job_text(beads_.text(numbers, {}, with_step), file_.filename().string(),
                               file_.parent_path());
}

std::unique_ptr<DesignChain> variant_chain(const ScenarioSource& source, const io::DesignRun& run,
                                           const design::Space& space) {
    std::unique_ptr<DesignChain> variant;
    try {
        variant = std::make_unique<DesignChain>(source, run.settings);
    } catch (const InputError& error) {
        std::string_view why = error.what();
        constexpr std::string_view option = "--set ";
        if (why.starts_with(option)) why.remove_prefix(option.size());
        throw InputError(fmt::format("{}: {}", run.name, why));
    }
    const design::Numbers& numbers = variant->numbers();
    const std::size_t beads = numbers.of(Kind::mass).size(),
                      wanted = space.start().of(Kind::mass).size();
    if (beads != wanted) {
        throw InputError(fmt::format(
            "{}: makes {} beads of the {} of the scenario; expected settings that leave their "
            "number",
            run.name, beads, wanted));
    }
    for (std::size_t k = 0; k < space.variables().size(); ++k) {
        const design::Variable& each = space.variables()[k];
        check_same(run, numbers, space, k, each.kind, each.input);
        if (each.density_kept) check_same(run, numbers, space, k, Kind::mass, "mass");
    }
    return variant;
}

}  // namespace beadwave::tasks
