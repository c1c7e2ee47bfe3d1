#include "cli/retired_options.hpp"

#include "cli/command_line.hpp"

#include <fmt/format.h>

#include <iterator>
#include <string_view>
#include <vector>

namespace beadwave::cli {
namespace {

constexpr RetiredOption retired_options[] = {
    {"run", "--force", "--overwrite or --ignore-disk-space"},
    {"resume", "--force", "--overwrite or --ignore-disk-space"},
    {"watch", "--every", "--interval"},
    {"collide", "--curve", "--trajectory"},
    {"collide", "--force", "--overwrite"},
    {"sweep", "--force", "--overwrite"},
    {"report", "--force", "--overwrite"},
};

}  // namespace

std::string retired_option(int argc, const char* const* argv) {
    std::vector<RetiredOption> all(std::begin(retired_options), std::end(retired_options));
    for (const SubjectCommand& command : subject_commands())
        all.insert(all.end(), command.retired.begin(), command.retired.end());
    for (int i = 2; i < argc; ++i) {
        const std::string_view word = argv[i];
        if (word == "--") break;  // the other words are names of files
        const std::string_view option = word.substr(0, word.find('='));
        for (const RetiredOption& retired : all) {
            if (retired.command != argv[1] || retired.option != option) continue;
            return fmt::format("beadwave {}: {} is now called {}", retired.command, option,
                               retired.now);
        }
    }
    return {};
}

}  // namespace beadwave::cli
