#include "subjects/design/design_file.hpp"

#include "io/toml/toml_table.hpp"
#include "io/toml/toml_text.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <tuple>
#include <utility>

namespace beadwave::io {
namespace {

using design::Constraint;
using design::Numbers;
using design::Variable;
using Input = gradients::Input;

/// The words of "input", in the order of Input::Kind.
const Key input_key =
    named("input", words({"mass", "radius", "youngs_modulus", "gap", "velocity"}).needed());
const Key density_key = named("density", words({"kept", "free"}));
const Key sum_key = named("sum", words({"mass", "radius", "gap"}).needed());

/// "beads", or "contacts" of gaps.
const char* bodies_of(Input::Kind kind) {
    return kind == Input::Kind::gap ? "contacts" : "beads";
}

/// A table of settings as "dotted.key=value"; keys of tables in it follow those of the table.
void add_settings(const toml::table& table, const std::string& key,
                  std::vector<std::string>& settings) {
    for (const auto& [name, value] : table) {
        const std::string own = dotted(key, name.str());
        if (const toml::table* const below = value.as_table())
            add_settings(*below, own, settings);
        else
            settings.push_back(fmt::format("{}={}", own, to_text(value)));
    }
}

class DesignReader {
  public:
    DesignReader(const TomlDocument& document, const Numbers& start)
        : document_(document), start_(start) {}

    DesignTables read() {
        const TomlTable root = document_.root();
        DesignTables result;
        const auto tables = root.tables("variable");
        if (!tables || tables->empty()) {
            root.fail("variable",
                      "missing; give at least one [[variable]] with an input and a range");
        }
        for (const TomlTable& table : *tables) {
            result.variables.push_back(variable(table));
            check_once(table, result.variables);
        }
        if (const auto constraints = root.tables("constraint")) {
            const design::Space space(result.variables, start_);
            for (const TomlTable& table : *constraints)
                result.constraints.push_back(constraint(table, space));
        }
        if (const auto runs = root.tables("run")) {
            for (std::size_t k = 0; k < runs->size(); ++k)
                result.runs.push_back(run((*runs)[k], k));
        }
        return result;
    }

  private:
    /// The beads of a table, [first, last]; all without the key.
    std::pair<std::size_t, std::size_t> beads_of(const TomlTable& table, Input::Kind kind) const {
        const std::size_t all = start_.of(kind).size();
        if (!table.has("beads")) return {0, all - 1};
        const auto beads =
            *table.wholes(named("beads", whole(0, static_cast<std::int64_t>(all) - 1)));
        if (beads.size() != 2 || beads[0] > beads[1]) {
            table.fail("beads", fmt::format("must be [first, last], {} from 0 to {}",
                                            bodies_of(kind), all - 1));
        }
        return {static_cast<std::size_t>(beads[0]), static_cast<std::size_t>(beads[1])};
    }

    Variable variable(const TomlTable& table) const {
        Variable own;
        own.name = document_.origin.of(table.key(""));
        own.kind = static_cast<Input::Kind>(table.need(table.word(input_key), input_key));
        own.input = input_key.words[static_cast<std::size_t>(own.kind)];
        std::vector<std::string> known{"input",     "beads", "range",
                                       "symmetric", "equal", "available"};
        if (own.kind == Input::Kind::radius) known.emplace_back("density");
        table.allow_only(known);
        std::tie(own.first, own.last) = beads_of(table, own.kind);
        own.symmetric = table.flag(plain("symmetric", io::Kind::flag)).value_or(false);
        own.equal = table.flag(plain("equal", io::Kind::flag)).value_or(false);
        if (own.symmetric && own.equal)
            table.fail("symmetric", "has no effect beside equal = true; expected one of the two");
        if (own.kind == Input::Kind::radius)
            own.density_kept = table.word(density_key).value_or(0) == 0;
        read_range(table, own);
        check_start(table, own);
        read_sizes(table, own);
        return own;
    }

    void read_range(const TomlTable& table, Variable& own) const {
        const std::string unit(unit_of(own.kind));
        const Key key = named("range", any_number(unit).needed());
        if (!table.has("range")) {
            table.fail("range", fmt::format("missing; give the lower and the upper {}, [lower, "
                                            "upper], in {}",
                                            own.input, unit));
        }
        const std::vector<double> range = *table.numbers(key, 2, 2);
        own.low = range[0];
        own.high = range[1];
        if (!(own.low < own.high))
            table.fail("range",
                       fmt::format("must be [lower, upper] with lower below upper, in {}", unit));
        const bool positive = own.kind == Input::Kind::mass || own.kind == Input::Kind::radius ||
                              own.kind == Input::Kind::youngs_modulus;
        if (positive && !(own.low > 0.0))
            table.fail("range", fmt::format("must be above 0, in {}", unit));
    }

    static void read_sizes(const TomlTable& table, Variable& own) {
        const std::string unit(unit_of(own.kind));
        const Key key = named("available", any_number(unit));
        constexpr std::size_t most = 10'000;
        if (const auto sizes = table.numbers(key, 1, most)) own.available = *sizes;
        for (const double size : own.available) {
            if (size < own.low || size > own.high) {
                table.fail("available", fmt::format("holds {} {}, which is outside of range, {} to "
                                                    "{} {}",
                                                    size, unit, own.low, own.high, unit));
            }
        }
        std::ranges::sort(own.available);
    }

    void check_start(const TomlTable& table, const Variable& own) const {
        const std::string unit(unit_of(own.kind));
        const std::vector<double>& numbers = start_.of(own.kind);
        for (std::size_t i = own.first; i <= own.last; ++i) {
            const double value = numbers[i];
            const char* const body = own.kind == Input::Kind::gap ? "contact" : "bead";
            if (!std::isfinite(value)) {
                table.fail("beads", fmt::format("contact {} is that of a free end, which has no "
                                                "gap",
                                                i));
            }
            if (value < own.low || value > own.high) {
                table.fail("range", fmt::format("excludes the start: the {} of {} {} is {} {}",
                                                own.input, body, i, value, unit));
            }
            const std::size_t tied = own.equal       ? own.first
                                     : own.symmetric ? own.first + own.last - i
                                                     : i;
            if (std::fabs(numbers[tied] - value) > 1e-12 * std::fabs(value)) {
                table.fail(
                    own.equal ? "equal" : "symmetric",
                    fmt::format("ties {}s {} and {}, whose {} differs at the start: {} and "
                                "{} {}; expected a scenario where they are equal",
                                body, std::min(i, tied), std::max(i, tied), own.input,
                                numbers[std::min(i, tied)], numbers[std::max(i, tied)], unit));
            }
        }
        if (own.kind == Input::Kind::gap) check_gaps(table, own);
    }

    /// Checks gaps as scenarios allow them: walls do not overlap, and beads by less than a radius.
    void check_gaps(const TomlTable& table, const Variable& own) const {
        const std::vector<double>& radius = start_.of(Input::Kind::radius);
        for (std::size_t c = own.first; c <= own.last; ++c) {
            const bool wall = c == 0 || c == radius.size();
            const double least = wall ? 0.0 : -std::min(radius[c - 1], radius[c]);
            if (own.low < least) {
                table.fail("range",
                           fmt::format("goes below the least gap of contact {}, {} m", c, least));
            }
        }
    }

    /// Checks the last variable: no bead has the same number twice.
    void check_once(const TomlTable& table, const std::vector<Variable>& all) const {
        const Variable& own = all.back();
        for (std::size_t k = 0; k + 1 < all.size(); ++k) {
            const Variable& other = all[k];
            if (other.first > own.last || own.first > other.last) continue;
            const std::size_t bead = std::max(own.first, other.first);
            if (own.kind == other.kind) {
                table.fail("beads", fmt::format("{} {} of {} is already in variable.{}",
                                                own.kind == Input::Kind::gap ? "contact" : "bead",
                                                bead, own.input, k));
            }
            const bool follows = (own.density_kept && other.kind == Input::Kind::mass) ||
                                 (other.density_kept && own.kind == Input::Kind::mass);
            if (follows) {
                table.fail("beads",
                           fmt::format("the mass of bead {} follows its radius and is a variable "
                                       "too, here and in variable.{}; with density = \"free\" the "
                                       "radius leaves it alone",
                                       bead, k));
            }
        }
    }

    Constraint constraint(const TomlTable& table, const design::Space& space) const {
        table.allow_only({"sum", "beads", "equals"});
        Constraint own;
        own.name = document_.origin.of(table.key(""));
        const std::size_t word = table.need(table.word(sum_key), sum_key);
        own.input = sum_key.words[word];
        own.kind = std::array{Input::Kind::mass, Input::Kind::radius, Input::Kind::gap}[word];
        std::tie(own.first, own.last) = beads_of(table, own.kind);
        if (!space.changes(own.kind, own.first, own.last)) {
            table.fail("sum", fmt::format("no variable changes the {} of these {}; expected a "
                                          "[[variable]] that does",
                                          own.input, bodies_of(own.kind)));
        }
        const std::string unit(unit_of(own.kind));
        const double start = design::Space::sum(own, start_);
        if (!std::isfinite(start))
            table.fail("beads", "a free end has no gap; expected contacts that can close");
        if (table.has_text("equals")) {
            const Key key = named("equals", words({"start"}));
            static_cast<void>(table.word(key));
            own.sum = start;
        } else if (table.has("equals")) {
            own.sum = *table.number(named("equals", any_number(unit)));
        } else {
            table.fail("equals", fmt::format("missing; give \"start\" or a number, in {}", unit));
        }
        const std::vector<double> none(space.size(), 0.0), all(space.size(), 1.0);
        const double least = design::Space::sum(own, space.at(none)),
                     most = design::Space::sum(own, space.at(all));
        if (!(least <= own.sum && own.sum <= most)) {
            table.fail("equals", fmt::format("the ranges allow sums from {:.6g} to {:.6g} {}",
                                             least, most, unit));
        }
        return own;
    }

    DesignRun run(const TomlTable& table, std::size_t index) const {
        table.allow_only({"set", "weight"});
        DesignRun own;
        own.name = document_.origin.of(fmt::format("run.{}", index));
        if (const auto weight = table.number(named("weight", any_number("-"))))
            own.weight = *weight;
        // Checks that it is a table.
        if (table.table("set")) {
            const toml::node_view<const toml::node> all = (*document_.table)["run"];
            add_settings(*all[index]["set"].as_table(), "", own.settings);
        }
        return own;
    }

    const TomlDocument& document_;
    const Numbers& start_;
};

}  // namespace

DesignHead read_design_head(const TomlDocument& document) {
    const TomlTable root = document.root();
    root.allow_only({"design", "variable", "constraint", "run", "objective"});
    const auto table = root.table("design");
    if (!table) root.fail("design", "missing; give [design] with scenario = \"FILE.toml\"");
    table->allow_only(
        {"scenario", "maximise", "evaluations", "tolerance", "method", "starts", "seed"});
    DesignHead head;
    const Key scenario =
        plain("scenario", io::Kind::text).needed("the path of a scenario of a chain");
    head.scenario = table->need(table->text(scenario), scenario);
    if (const auto maximise = table->flag(plain("maximise", io::Kind::flag)))
        head.maximise = *maximise;
    if (const auto most = table->whole(named("evaluations", whole(1, 1'000'000))))
        head.evaluations = *most;
    if (const auto part = table->number(named("tolerance", between(1e-14, 0.1))))
        head.tolerance = *part;
    if (const auto method = table->word(named("method", words({"slsqp", "mma"}))))
        head.method = static_cast<design::Method>(*method);
    if (const auto starts = table->whole(named("starts", whole(1, 10'000))))
        head.starts = static_cast<std::size_t>(*starts);
    if (const auto seed = table->whole(named("seed", whole(0, 1'000'000'000))))
        head.seed = static_cast<std::uint64_t>(*seed);
    return head;
}

DesignTables read_design_tables(const TomlDocument& document, const Numbers& start) {
    return DesignReader(document, start).read();
}

}  // namespace beadwave::io
