#include "subjects/design/designs.hpp"

#include "beadwave/input_error.hpp"
#include "beadwave/running/run_error.hpp"
#include "gradients/gradient.hpp"
#include "io/durable/checksum.hpp"
#include "io/files/error_message.hpp"
#include "jobs/read_job.hpp"
#include "subjects/design/bead_scenario.hpp"
#include "subjects/design/design_files.hpp"
#include "subjects/design/design_search.hpp"
#include "subjects/gradients/gradients.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <span>
#include <utility>

namespace beadwave::tasks {
namespace {

namespace fs = std::filesystem;
using design::Kind;

const jobs::ChainJob& chain_of(const jobs::Job& job, const std::string& name) {
    gradients::check_chain(ready_chain(job, name));
    return dynamic_cast<const jobs::ChainJob&>(job);
}

/// A design that is read: all that its evaluations need.
struct ReadDesign {
    explicit ReadDesign(const std::string& design)
        : document(io::load_toml(design, {})),
          head(io::read_design_head(document)),
          scenario_file(fs::path(design).parent_path() / head.scenario),
          scenario(io::load_toml(scenario_file, {})),
          job(jobs::read_job(scenario_file)),
          chain(chain_of(*job, scenario_file.string())),
          start(*job->chosen_step()),
          tables(io::read_design_tables(document, fs::path(design).parent_path(), numbers_of(chain),
                                        chain.settings().end)),
          measure(tables.objectives, start),
          space(tables.variables, numbers_of(chain)),
          beads(scenario, chain) {}

    std::unique_ptr<jobs::Job> job_at(const std::string& text) const {
        return jobs::read_job_text(text, scenario_file.filename().string(),
                                   scenario_file.parent_path());
    }

    /// Of all that determines an evaluation.
    std::uint64_t checksum() const {
        std::uint64_t sum = io::checksum(document.text);
        sum = io::checksum(beads.text(space.start()), sum);
        for (const auto& [key, text] : job->file_texts())
            sum = io::checksum(text, io::checksum(key, sum));
        for (const gradients::Objective& each : tables.objectives) {
            for (std::size_t i = 0; i < each.target.size(); ++i)
                sum = io::checksum(fmt::format("{},{},", each.target_time[i], each.target[i]), sum);
        }
        return sum;
    }

    io::TomlDocument document;
    io::DesignHead head;
    fs::path scenario_file;
    io::TomlDocument scenario;
    std::unique_ptr<jobs::Job> job;
    const jobs::ChainJob& chain;
    stepping::TimeStep start;
    io::DesignTables tables;
    gradients::Measure measure;
    design::Space space;
    BeadScenario beads;
};

/// The inputs by which an evaluation is differentiated.
std::vector<gradients::Input> inputs_of(const ReadDesign& read) {
    std::vector<gradients::Input> inputs;
    const auto add = [&](gradients::Input input) {
        if (std::ranges::find(inputs, input) == inputs.end()) inputs.push_back(std::move(input));
    };
    for (const design::Variable& each : read.tables.variables) {
        add({.kind = each.kind, .name = each.input});
        if (each.density_kept) add({.kind = Kind::mass, .name = "mass"});
    }
    return inputs;
}

/// All runs have the time step of the start; that of the other designs may have to be shorter.
void warn_of_time_step(const ReadDesign& read, std::vector<std::string>& warnings) {
    if (read.start.given) return;
    double shortest = read.start.step;
    for (const double x : {0.0, 1.0}) {
        const std::vector<double> corner(read.space.size(), x);
        const auto job = read.job_at(read.beads.text(read.space.at(corner), {}, false));
        shortest = std::min(shortest, job->time_step());
    }
    if (shortest < 0.5 * read.start.step) {
        warnings.push_back(fmt::format(
            "all runs have the time step of the start, {:.3g} s, and an end of the ranges would "
            "have {:.3g} s; time.step in the scenario gives another one",
            read.start.step, shortest));
    }
}

DesignPoint point_of(const ReadDesign& read, const Evaluation& evaluation) {
    DesignPoint point{.value = evaluation.value, .numbers = read.space.at(evaluation.x)};
    for (const design::Constraint& each : read.tables.constraints)
        point.sums.push_back(design::Space::sum(each, point.numbers));
    return point;
}

}  // namespace

DesignResult design(const DesignRequest& request, jobs::ProgressCallback& callback) {
    design::check_search();
    const ReadDesign read(request.design);
    DesignResult result{.head = read.head,
                        .tables = read.tables,
                        .start_numbers = read.space.start(),
                        .time_step = read.start.step,
                        .steps = read.start.count,
                        .design_text = read.document.text,
                        .warnings = read.job->warnings()};
    warn_of_time_step(read, result.warnings);

    const io::Output output(request.output, request.overwrite);
    std::optional<DesignFiles> files;
    std::optional<DesignJournal> journal;
    if (!request.output.empty()) {
        files.emplace(output, std::vector<fs::path>{request.design, read.scenario_file});
        journal.emplace(output, read.space.size(), read.checksum());
        result.resumed = journal->left();
    }

    callback.begin(read.start.count, read.start.step, read.chain.system().beads());
    const auto begin = std::chrono::steady_clock::now();
    const auto seconds = [&] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    };
    const std::vector<gradients::Input> inputs = inputs_of(read);
    DesignSearch search(read.space, read.tables.constraints, read.head);
    const auto evaluate = [&](std::span<const double> x) -> std::optional<Evaluation> {
        if (callback.stop()) return std::nullopt;
        std::optional<Evaluation> evaluation;
        if (journal) evaluation = journal->take(x);
        if (!evaluation) {
            const design::Numbers numbers = read.space.at(x);
            const auto job = read.job_at(read.beads.text(numbers));
            gradients::Gradient found;
            try {
                found = gradients::gradient_of(ready_chain(*job, read.scenario_file.string()),
                                               read.measure, inputs, false,
                                               [&] { return callback.stop(); });
            } catch (const running::RunError&) {
                if (callback.stop()) return std::nullopt;
                throw;
            }
            design::Numbers by;
            for (std::size_t k = 0; k < inputs.size(); ++k)
                by.of(inputs[k].kind) = found.by_input[k];
            evaluation = Evaluation{.x = {x.begin(), x.end()},
                                    .value = found.value,
                                    .gradient = read.space.gradient(numbers, by)};
            if (journal) journal->add(*evaluation);
        }
        const std::size_t done = search.evaluations().size() + 1;
        if (request.evaluated) {
            request.evaluated(
                {.evaluations = done,
                 .limit = static_cast<std::size_t>(read.head.evaluations),
                 .value = evaluation->value,
                 .best = search.evaluations().empty() ? evaluation->value : search.best().value});
        }
        callback.progress(static_cast<std::int64_t>(done), seconds());
        return evaluation;
    };
    try {
        search.run(evaluate);
        if (search.evaluations().empty())
            throw running::RunError("interrupted before the first evaluation ended");
    } catch (...) {
        if (journal && search.evaluations().empty()) journal->remove();
        throw;
    }
    result.seconds = seconds();
    result.evaluations = search.evaluations();
    result.stopped = search.stopped();
    result.start = point_of(read, result.evaluations.front());
    result.best = point_of(read, search.best());
    if (read.space.has_sizes() && result.stopped != "interrupted") {
        if (const auto rounded = evaluate(read.space.rounded(search.best().x))) {
            result.relaxed = std::move(result.best);
            result.best = point_of(read, *rounded);
            result.evaluations.push_back(*rounded);
        } else {
            result.stopped = "interrupted";
        }
    }
    if (!search.failure().empty()) {
        result.warnings.push_back(
            fmt::format("the search ended where an evaluation has no value: {}", search.failure()));
    }
    if (!search.feasible()) {
        result.warnings.push_back(
            "no evaluation meets all constraints; the best is the one that misses them least");
    }
    result.scenario_text =
        read.beads.text(result.best.numbers, files ? io::folder_of(files->scenario()) : fs::path());
    if (files) {
        if (!journal->write_error().empty()) {
            result.warnings.push_back(
                fmt::format("evaluations could not be stored while the search ran: {}",
                            journal->write_error()));
        }
        files->write(result);
        result.hdf5 = files->hdf5().string();
        result.scenario = files->scenario().string();
        if (result.stopped != "interrupted") journal->remove();
    }
    return result;
}

}  // namespace beadwave::tasks
