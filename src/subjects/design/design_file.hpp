// DESIGN.toml: what of a chain may change, what must stay, and what is to become small or large.
#pragma once

#include "design/search.hpp"
#include "design/space.hpp"
#include "gradients/objective.hpp"
#include "io/toml/toml_document.hpp"

#include <cstdint>
#include <filesystem>
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
};

struct DesignTables {
    std::vector<design::Variable> variables;
    std::vector<design::Constraint> constraints;
    std::vector<gradients::Objective> objectives;
};

/// Throws InputError: one sentence with file, line, key, what was found and what is allowed.
DesignHead read_design_head(const TomlDocument& document);

/// The rest, for a chain with these numbers and a run up to `end` [s]. `folder`: where target files
/// are. Throws the same.
DesignTables read_design_tables(const TomlDocument& document, const std::filesystem::path& folder,
                                const design::Numbers& start, double end);

}  // namespace beadwave::io
