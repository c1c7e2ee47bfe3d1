#include "subjects/design/designs.hpp"

#include "beadwave/input_error.hpp"
#include "beadwave/running/run_error.hpp"
#include "gradients/gradient.hpp"
#include "io/durable/checksum.hpp"
#include "io/files/error_message.hpp"
#include "subjects/design/design_chain.hpp"
#include "subjects/design/design_files.hpp"
#include "subjects/gradients/gradients.hpp"
#include "subjects/gradients/objective_file.hpp"

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

/// One of the runs of every evaluation.
struct ReadRun {
    std::unique_ptr<DesignChain> variant;  ///< null: the scenario as it is
    const DesignChain& chain;
    double weight;
    gradients::Measure measure;
};

/// A design that is read: all that its evaluations need.
struct ReadDesign {
    explicit ReadDesign(const DesignRequest& request)
        : document(request.text ? io::parse_toml(*request.text, request.design, request.overrides)
                                : io::load_toml(request.design, request.overrides)),
          head(io::read_design_head(document)),
          folder(request.text ? fs::path() : fs::path(request.design).parent_path()),
          source{.file = folder / head.scenario, .text = request.scenario},
          scenario(source),
          tables(io::read_design_tables(document, scenario.numbers())),
          space(tables.variables, scenario.numbers()) {
        refuse_balanced_gaps();
        if (tables.runs.empty()) add_run(nullptr, 1.0);
        for (const io::DesignRun& each : tables.runs)
            add_run(variant_chain(source, each, space), each.weight);
    }

    /// Gaps that follow from a static equilibrium are no variables.
    void refuse_balanced_gaps() const {
        const auto loads = scenario.chain().static_loads();
        for (std::size_t k = 0; loads && k < tables.variables.size(); ++k) {
            const design::Variable& each = tables.variables[k];
            const std::size_t contact = std::max(each.first, loads->first_contact);
            if (each.kind != Kind::gap || contact > std::min(each.last, loads->last_contact))
                continue;
            document.origin.fail(
                fmt::format("variable.{}.beads", k),
                fmt::format(
                    "the gap of contact {} follows from static equilibrium and cannot vary; "
                    "expected other contacts, or another input",
                    contact));
        }
    }

    void add_run(std::unique_ptr<DesignChain> variant, double weight) {
        const DesignChain& chain = variant ? *variant : scenario;
        const std::vector<gradients::Objective> objectives = io::read_objective_tables(
            document, folder,
            {chain.numbers().of(Kind::mass).size(), chain.chain().settings().end});
        // The targets come from the same files for every run.
        targets.clear();
        for (const gradients::Objective& each : objectives) {
            for (std::size_t i = 0; i < each.target.size(); ++i)
                targets += fmt::format("{},{},", each.target_time[i], each.target[i]);
        }
        runs.push_back({.variant = std::move(variant),
                        .chain = chain,
                        .weight = weight,
                        .measure = gradients::Measure(objectives, chain.step())});
    }

    /// The checksum of all that determines an evaluation.
    std::uint64_t checksum() const {
        std::uint64_t sum = io::checksum(document.text);
        const auto add = [&](const DesignChain& chain) {
            sum = io::checksum(chain.text(chain.numbers()), sum);
            for (const auto& [key, text] : chain.job().file_texts())
                sum = io::checksum(text, io::checksum(key, sum));
        };
        add(scenario);
        for (const ReadRun& each : runs) {
            if (each.variant) add(each.chain);
        }
        return io::checksum(targets, sum);
    }

    std::size_t limit() const { return static_cast<std::size_t>(head.evaluations) * head.starts; }

    io::TomlDocument document;
    io::DesignHead head;
    fs::path folder;
    ScenarioSource source;
    DesignChain scenario;
    io::DesignTables tables;
    design::Space space;
    std::vector<ReadRun> runs{};
    std::string targets{};
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
    for (const ReadRun& each : read.runs) {
        const stepping::TimeStep& start = each.chain.step();
        if (start.given) continue;
        double shortest = start.step;
        for (const double x : {0.0, 1.0}) {
            const std::vector<double> corner(read.space.size(), x);
            const auto job =
                each.chain.job_with(read.space.at(corner, each.chain.numbers()), false);
            shortest = std::min(shortest, job->time_step());
        }
        if (shortest < 0.5 * start.step) {
            warnings.push_back(fmt::format(
                "all runs have the time step of the start, {:.3g} s, and an end of the ranges "
                "would have {:.3g} s; time.step in the scenario gives another one",
                start.step, shortest));
            return;
        }
    }
}

DesignPoint point_of(const ReadDesign& read, const Evaluation& evaluation) {
    DesignPoint point{
        .value = evaluation.value, .numbers = read.space.at(evaluation.x), .runs = evaluation.runs};
    for (const design::Constraint& each : read.tables.constraints)
        point.sums.push_back(design::Space::sum(each, point.numbers));
    return point;
}

/// One evaluation: all runs, each with its reverse sweep. Throws running::RunError, also where
/// `stop` ends it.
Evaluation evaluate_at(const ReadDesign& read, const std::vector<gradients::Input>& inputs,
                       std::span<const double> x, const gradients::Stop& stop) {
    Evaluation evaluation{.x = {x.begin(), x.end()}};
    design::Numbers by;
    for (const ReadRun& each : read.runs) {
        const auto job = each.chain.job_with(read.space.at(x, each.chain.numbers()));
        const gradients::Gradient found = gradients::gradient_of(
            ready_chain(*job, each.chain.name()), each.measure, inputs, false, stop);
        evaluation.value += each.weight * found.value;
        if (each.variant) evaluation.runs.push_back(found.value);
        for (std::size_t k = 0; k < inputs.size(); ++k) {
            std::vector<double>& sum = by.of(inputs[k].kind);
            sum.resize(found.by_input[k].size(), 0.0);
            for (std::size_t i = 0; i < sum.size(); ++i)
                sum[i] += each.weight * found.by_input[k][i];
        }
    }
    evaluation.gradient = read.space.gradient(read.space.at(x), by);
    return evaluation;
}

}  // namespace

DesignResult design(const DesignRequest& request, jobs::ProgressCallback& callback) {
    design::check_search();
    const ReadDesign read(request);
    DesignResult result{.head = read.head,
                        .tables = read.tables,
                        .start_numbers = read.space.start(),
                        .design_text = read.document.text,
                        .warnings = read.scenario.job().warnings()};
    for (const ReadRun& each : read.runs) {
        result.steps.push_back({.step = each.chain.step().step, .count = each.chain.step().count});
        for (const std::string& warning : each.chain.job().warnings()) {
            if (std::ranges::find(result.warnings, warning) == result.warnings.end())
                result.warnings.push_back(warning);
        }
    }
    warn_of_time_step(read, result.warnings);

    const io::Output output(request.output, request.overwrite);
    std::optional<DesignFiles> files;
    std::optional<DesignJournal> journal;
    if (!request.output.empty()) {
        files.emplace(output, std::vector<fs::path>{request.design, read.source.file});
        journal.emplace(output, read.space.size(), read.tables.runs.size(), read.checksum());
        result.resumed = journal->left();
    }

    const DesignSteps& steps = result.steps.front();
    callback.begin(steps.count, steps.step, read.scenario.chain().system().beads());
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
            try {
                evaluation = evaluate_at(read, inputs, x, [&] { return callback.stop(); });
            } catch (const running::RunError&) {
                if (callback.stop()) return std::nullopt;
                throw;
            }
            if (journal) journal->add(*evaluation);
        }
        const std::size_t done = search.evaluations().size() + 1;
        if (request.evaluated) {
            request.evaluated(
                {.evaluations = done,
                 .limit = read.limit(),
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
    result.starts = search.starts();
    result.stopped = search.decisive().stopped;
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
    if (const std::string& failure = search.decisive().failure; !failure.empty()) {
        result.warnings.push_back(
            fmt::format("the search ended where an evaluation has no value: {}", failure));
    }
    if (!search.feasible()) {
        result.warnings.push_back(
            "no evaluation meets all constraints; the best is the one that misses them least");
    }
    result.folder = files ? io::folder_of(files->scenario()) : read.source.file.parent_path();
    result.scenario_text =
        read.scenario.text(result.best.numbers, files ? result.folder : fs::path());
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
