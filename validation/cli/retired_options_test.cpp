// Options that have a new name: one sentence with the new name, and status 2.

#include "program.hpp"

#include <string>
#include <vector>

namespace beadwave::validation::retired_options_test {

namespace {

struct Retired {
    std::string command, option, now;
};

const std::vector<Retired> all = {
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

TEST_CASE("an option with a new name is refused with that name") {
    const Folder folder;
    for (const Retired& retired : all) {
        const std::string sentence = "beadwave " + retired.command + ": " + retired.option +
                                     " is now called " + retired.now + "\n";
        for (const std::string& words :
             {retired.option, "file " + retired.option + " law.psi=2:4 --json",
              "file --json " + retired.option + "=3"}) {
            CAPTURE(words);
            const Said said = shell(folder, "beadwave " + retired.command + " " + words);
            CHECK(said.status == 2);
            CHECK(said.out.empty());
            CHECK(said.err == sentence);
        }
    }
}

TEST_CASE("the new names are options of their commands") {
    const Folder folder;
    for (const Retired& retired : all) {
        CAPTURE(retired.command);
        const Said help = shell(folder, "beadwave " + retired.command + " --help");
        CHECK(help.status == 0);
        const std::string first = retired.now.substr(0, retired.now.find(' '));
        CHECK(help.out.find(first) != std::string::npos);
        CHECK(help.out.find(retired.option + " ") == std::string::npos);
    }
}

TEST_CASE("--vary of a sweep and names of files after -- are not refused") {
    const Folder folder;
    const Said sweep = shell(folder, "beadwave sweep missing.toml --vary law.psi=2,3");
    CHECK(sweep.status == 2);
    CHECK(sweep.err.find("is now called") == std::string::npos);
    const Said file = shell(folder, "beadwave watch -- --every");
    CHECK(file.status == 2);
    CHECK(file.err.find("is now called") == std::string::npos);
}

}  // namespace beadwave::validation::retired_options_test
