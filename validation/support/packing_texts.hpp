// Packings built from the text of a scenario.
#pragma once

#include "beadwave/input_error.hpp"
#include "packing/build/scenario.hpp"
#include "subjects/packing/packing_reader.hpp"

#include <doctest/doctest.h>

#include <string>

namespace beadwave::validation {

inline packing::Packing built(const std::string& text) {
    return packing::build_packing(io::read_packing_text(text, "packing.toml", {}).scenario);
}

/// Checks that building is refused with an error that contains `what`.
inline void check_refused(const std::string& text, const std::string& what) {
    std::string said = "none";
    try {
        built(text);
    } catch (const InputError& error) {
        said = error.what();
    }
    CHECK_MESSAGE(said.find(what) != std::string::npos, said);
}

}  // namespace beadwave::validation
