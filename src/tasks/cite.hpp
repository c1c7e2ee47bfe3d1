// What to cite for the laws that a work used: the papers that the catalogue names, and beadwave.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <span>
#include <string>
#include <vector>

namespace beadwave::laws {
struct Reference;
}

namespace beadwave::tasks {

/// One law that is cited.
struct CitedLaw {
    std::string name;
    std::string source;  ///< paper keys and equations, as in the catalogue
};

struct Citations {
    std::vector<CitedLaw> laws;                    ///< in the order of the request
    std::vector<const laws::Reference*> papers{};  ///< each once

    std::string text() const;    ///< for people
    std::string bibtex() const;  ///< one entry per paper, and one for beadwave (UTF-8)
    nlohmann::ordered_json json() const;
};

/// `names`: scenarios or collision cases (files that end in .toml), laws, line laws, restitution
/// formulas and friction laws. Empty: beadwave alone. Throws InputError for a file that is not
/// valid and, with the nearest name, for an unknown law.
Citations cite(std::span<const std::string> names);

}  // namespace beadwave::tasks
