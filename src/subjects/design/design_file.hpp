// DESIGN.toml: what of a chain may change, what must stay, what is to become small or large, and in
// which runs.
#pragma once

#include "design/search.hpp"
#include "design/space.hpp"
#include "io/toml/toml_document.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace beadwave::io {

/// [design]
struct DesignHead {
    std::string scenario{};  ///< FILE.toml, relative to the file of the design
    bool maximise = false;
    std::int64_t evaluations = 200;  ///< the search ends after so many runs
    double tolerance = 1e-6;         ///< or where the value changes by a smaller part
    design::Method method = design::Method::slsqp;
    std::size_t starts = 1;  ///< of the search: the scenario's numbers, then random ones
    std::uint64_t seed = 0;  ///< of these
};

/// [[run]]: the scenario with other values of some keys.
struct DesignRun {
    std::vector<std::string> settings{};  ///< "dotted.key=value"
    double weight = 1.0;                  ///< of its objectives in the value
    std::string name{};                   ///< where it is, for messages
};

struct DesignTables {
    std::vector<design::Variable> variables;
    std::vector<design::Constraint> constraints;
    std::vector<DesignRun> runs{};  ///< none: the scenario as it is
};

/// Throws InputError: one sentence with file, line, key, what was found and what is allowed.
DesignHead read_design_head(const TomlDocument& document);

/// The rest but the objectives, for a chain with these numbers. Throws the same.
DesignTables read_design_tables(const TomlDocument& document, const design::Numbers& start);

}  // namespace beadwave::io
