// Reads and checks scenarios of packings, [[particles]], from TOML; see scenario_reader.hpp.
#pragma once

#include "io/scenario/named_files.hpp"
#include "io/toml/toml_document.hpp"
#include "packing/build/scenario.hpp"

#include <string>
#include <vector>

namespace beadwave::io {

struct ReadPacking {
    packing::Scenario scenario;
    std::vector<std::string> warnings;  ///< one sentence for each key that has no effect here
};

/// Throws InputError. A variant's `text` is empty: see variant_of().
ReadPacking read_packing(TomlDocument document, NamedFiles files);

/// Reads a packing from text; errors call it `name`. No file is read.
ReadPacking read_packing_text(std::string text, const std::string& name,
                              std::map<std::string, std::string> file_texts = {});

/// The keys of a packing.
std::vector<Key> packing_keys();

}  // namespace beadwave::io
