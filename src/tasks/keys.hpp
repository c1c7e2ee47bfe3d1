// The keys of scenarios, for people, programs and editors.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace beadwave::tasks {

// `name` selects keys: a key ("time.end"), a table ("segment"), or a kind of scenario ("chain");
// empty: all. Throws InputError if there is nothing of that name.

/// One entry per key, with its kind of value, unit, range, default and meaning.
std::string keys_text(const std::string& name);
nlohmann::ordered_json keys_json(const std::string& name);

/// The tables of docs/SCENARIO*.md. Before each is a comment with the kind of scenario and the
/// heading.
std::string keys_markdown();

/// A JSON schema for editors, of all kinds of scenarios.
nlohmann::ordered_json keys_schema();

}  // namespace beadwave::tasks
