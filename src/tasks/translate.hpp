// A law in the parameters of another program: `beadwave laws NAME --for PROGRAM`.
#pragma once

#include "beadwave/laws/contact.hpp"
#include "beadwave/laws/settings.hpp"
#include "translation/translate.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace beadwave::tasks {

struct TranslateRequest {
    std::string law;
    std::string program;                   ///< a name of translation::programs()
    std::string collision{};               ///< file of a collision case; empty: two steel spheres
    std::vector<std::string> overrides{};  ///< of the case, KEY=VALUE
    std::string
        speeds{};  ///< LOW:HIGH [m/s]; empty: from a tenth to ten times the speed of the case
    std::string masses{};  ///< LOW:HIGH, effective [kg]; empty: from half to twice that of the case
};

struct LawTranslation {
    const translation::Program* program;
    laws::Settings law;
    laws::Contact contact;
    translation::Range speeds, masses;  ///< [m/s], effective [kg]
    translation::Translated found;
    std::vector<std::string> warnings{};

    nlohmann::ordered_json json() const;
    std::string text() const;
};

/// "a, b or c": what request.program may be.
std::string program_names();

/// Throws InputError.
LawTranslation translate(const TranslateRequest& request);

}  // namespace beadwave::tasks
