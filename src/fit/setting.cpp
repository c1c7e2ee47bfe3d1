#include "fit/setting.hpp"

#include <fmt/format.h>

#include <string_view>

namespace beadwave::fit {

std::string setting(const std::string& key, double value) {
    std::string text = fmt::format("{}", value);
    if (text.find_first_of(".en") == std::string::npos) text += ".0";
    return key + "=" + text;
}

std::string naming_bounds(const std::string& error) {
    constexpr std::string_view varied = "--vary ";
    return error.starts_with(varied) ? "--bounds " + error.substr(varied.size()) : error;
}

}  // namespace beadwave::fit
