// Mechanisms from TOML, checked completely: types, ranges, names, unknown keys, and what the
// physics says of them.
#pragma once

#include "io/scenario/named_files.hpp"
#include "io/toml/toml_document.hpp"
#include "mechanism/mechanism.hpp"

#include <map>
#include <string>
#include <vector>

namespace beadwave::io {

struct ReadMechanism {
    mechanism::Mechanism mechanism;
    std::string title;
    std::string laws;  ///< the contacts' laws, each once: "flores, impulse"
    std::string text;  ///< the TOML text as run, overrides applied
    std::map<std::string, std::string> file_texts;  ///< of files that it names, by dotted key
    std::string file;                               ///< its name, for errors found later
    /// Keys that are right but have no effect here, a sentence each.
    std::vector<std::string> notes;
};

/// Throws InputError: one sentence that says file, line, key, what was found, what is allowed.
ReadMechanism read_mechanism(TomlDocument document, NamedFiles files);

}  // namespace beadwave::io
