#include "fit/setting.hpp"

#include <fmt/format.h>

namespace beadwave::fit {

std::string setting(const std::string& key, double value) {
    std::string text = fmt::format("{}", value);
    if (text.find_first_of(".en") == std::string::npos) text += ".0";
    return key + "=" + text;
}

}  // namespace beadwave::fit
