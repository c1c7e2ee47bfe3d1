// All keys of scenarios and collision cases, as their readers have them.
#pragma once

#include "io/toml/key.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace beadwave::jobs {

/// A kind of input file, and the tree of its keys.
struct KindOfScenario {
    std::string_view name;   ///< "packing", "collision"
    std::string_view table;  ///< a file with this key is of this kind
    bool timeless = false;   ///< only if it has no [time]
    std::vector<io::Key> keys{};
};
/// The kinds of scenarios of this build.
const std::vector<KindOfScenario>& kinds_of_scenarios();

/// A key with its columns for people.
struct ListedKey {
    std::string path;  ///< "segment.N.radius": N counts from 0; NAME is free
    io::Key key;
    std::string section;  ///< heading
    std::string standard, meaning;
    std::vector<std::string_view> kinds;  ///< of scenarios that have this key
};
/// Every key once; again where kinds of scenarios differ. Without the parameters of laws.
std::vector<ListedKey> listed_keys();

/// The unit of a key, "segment.0.velocity" or "law.stiffness", in the form of H5MD: "m s-1". Empty:
/// it has none, is unknown, or laws have it in different units.
std::string key_unit(const std::string& key);

/// Keys that have got another name, by path.
struct RetiredKey {
    std::string old_key, new_key;
};
std::vector<RetiredKey> retired_keys();

}  // namespace beadwave::jobs
