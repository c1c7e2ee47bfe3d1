#include "cli/retired_options.hpp"

#include <fmt/format.h>

#include <string_view>

namespace beadwave::cli {
namespace {

struct RetiredOption {
    std::string_view command, option, now;
};

constexpr RetiredOption retired_options[] = {
    {"run", "--force", "--overwrite or --ignore-disk-space"},
    {"resume", "--force", "--overwrite or --ignore-disk-space"},
    {"watch", "--every", "--interval"},
    {"collide", "--curve", "--trajectory"},
    {"collide", "--force", "--overwrite"},
    {"sweep", "--force", "--overwrite"},
    {"fit", "--vary", "--bounds"},
    {"fit", "--of", "--target"},
    {"fit", "--starts", "--multistart"},
    {"fit", "--profile", "--profile-likelihood"},
    {"fit", "--force", "--overwrite"},
    {"report", "--force", "--overwrite"},
};

}  // namespace

std::string retired_option(int argc, const char* const* argv) {
    for (int i = 2; i < argc; ++i) {
        const std::string_view word = argv[i];
        if (word == "--") break;  // the other words are names of files
        const std::string_view option = word.substr(0, word.find('='));
        for (const RetiredOption& retired : retired_options) {
            if (retired.command != argv[1] || retired.option != option) continue;
            return fmt::format("beadwave {}: {} is now called {}", retired.command, option,
                               retired.now);
        }
    }
    return {};
}

}  // namespace beadwave::cli
