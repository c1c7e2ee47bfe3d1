#include "tasks/law_names.hpp"

#include "beadwave/input_error.hpp"
#include "beadwave/laws/catalogue.hpp"
#include "beadwave/laws/line_catalogue.hpp"

#include <fmt/format.h>

#include <sstream>

namespace beadwave::tasks {

std::vector<std::string> separated(const std::string& names) {
    std::vector<std::string> all;
    std::stringstream words(names);
    words.exceptions(std::ios::badbit);  // missing memory is no end of the text
    for (std::string word; std::getline(words, word, ',');)
        all.push_back(word);
    return all;
}

void check_law_name(const std::string& law) {
    // Line laws and "impulse" are for mechanisms; the reader of the scenario refuses them
    // elsewhere.
    if (laws::find(law) != nullptr || laws::find_line(law) != nullptr || law == "impulse") return;
    throw InputError(fmt::format("--laws: there is no law \"{}\"{} (beadwave laws lists all)", law,
                                 did_you_mean(law, laws::known_names())));
}

}  // namespace beadwave::tasks
