// Mechanisms from TOML, checked completely: types, ranges, names, unknown keys, and what the
// physics says of them.
#pragma once

#include "beadwave/input_error.hpp"
#include "io/scenario/named_files.hpp"
#include "io/toml/toml_document.hpp"
#include "mechanism/mechanism.hpp"
#include "scenario/common.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace beadwave::io {

struct ReadMechanism {
    mechanism::Mechanism mechanism;
    std::string title;
    std::string laws;  ///< the contacts' laws, each once: "flores, impulse"
    std::string text;  ///< the TOML text as run, overrides applied
    std::map<std::string, std::string> file_texts;  ///< of files that it names, by dotted key
    std::optional<scenario::Checkpoints> checkpoints;
    scenario::Origin origin;  ///< where each key stands, for errors found later
    /// Keys that are right but have no effect here, a sentence each.
    std::vector<std::string> notes;
};

/// Does what may throw an error of physics, and makes an InputError of it: with file, line and key.
template <typename Action>
auto located(const scenario::Origin& origin, const Action& action) {
    try {
        return action();
    } catch (const mechanism::PartError& error) {
        origin.fail(error.key(), error.what());
    } catch (const ArgumentError& error) {
        throw InputError(origin.file() + ": " + error.what());
    }
}

/// Throws InputError: one sentence that says file, line, key, what was found, what is allowed.
ReadMechanism read_mechanism(TomlDocument document, NamedFiles files);

}  // namespace beadwave::io
