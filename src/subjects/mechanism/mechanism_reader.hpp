// Mechanisms from TOML, checked completely: types, ranges, names, unknown keys and physics.
#pragma once

#include "beadwave/input_error.hpp"
#include "beadwave/recording/dissipation.hpp"
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
    std::map<std::string, std::string> file_texts;  ///< texts of the files it names, by dotted key
    std::optional<scenario::Checkpoints> checkpoints;
    recording::DissipationRecords dissipation;
    scenario::Origin origin;  ///< position of each key, for errors found later
    /// Keys that are valid but have no effect, one sentence each.
    std::vector<std::string> warnings;
};

/// Runs an action, and turns its errors of physics into InputErrors with file, line and key.
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

/// Throws InputError: one sentence with file, line, key, the value found and what is allowed.
ReadMechanism read_mechanism(TomlDocument document, NamedFiles files);

/// The keys of a mechanism.
std::vector<Key> mechanism_keys();

}  // namespace beadwave::io
