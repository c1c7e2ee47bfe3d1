// Wrong input: exit status 2, one line on standard error that tells how to correct it, and no file
// changed.

#include "bad_collisions.hpp"
#include "bad_scenarios.hpp"
#include "program.hpp"

#include <unistd.h>

#include <algorithm>
#include <iterator>

namespace beadwave::validation::bad_input_test {

namespace {

std::string with_overrides(std::string command, const BadInput& input) {
    for (const std::string& setting : input.sets)
        command += " --set '" + setting + "'";
    return command;
}

std::ptrdiff_t files_in(const Folder& folder) {
    return std::distance(std::filesystem::directory_iterator(folder.path()), {});
}

/// Status 2, nothing on standard output, and on standard error one line: the message. FILE in the
/// expected message means `file`.
void check_refused(const Said& said, std::string_view expected, const std::string& file) {
    CHECK(said.status == 2);
    CHECK(said.out.empty());
    const bool one_line = std::ranges::count(said.err, '\n') == 1 && said.err.ends_with('\n');
    REQUIRE_MESSAGE(one_line, said.err);
    const std::string line = without_path(said.err.substr(0, said.err.size() - 1), file);
    CHECK_MESSAGE(matches(line, "beadwave: " + std::string(expected)), line, "\nexpected ",
                  expected);
}

/// A history that beadwave wrote; the same for all tests of this file.
const std::string& earlier_history() {
    static const std::string history = [] {
        const Folder folder;
        write_file(folder / "chain.toml", std::string(right_scenario));
        const Said said = shell(folder, "beadwave run chain.toml --quiet -o out.h5");
        REQUIRE_MESSAGE(said.status == 0, said.err);
        return read_file(folder / "out.h5");
    }();
    return history;
}

void check_run_refuses(const BadInput& input) {
    CAPTURE(input.name);
    const Folder folder;
    write_file(folder / "chain.toml", spoiled(right_scenario, input));
    const std::string command = with_overrides("beadwave run chain.toml -o out.h5", input);
    check_refused(shell(folder, command), input.message, "chain.toml");
    CHECK(files_in(folder) == 3);  // the scenario and what shell() captured

    write_file(folder / "out.h5", earlier_history());
    check_refused(shell(folder, command), input.message, "chain.toml");
    CHECK(read_file(folder / "out.h5") == earlier_history());
    CHECK(files_in(folder) == 4);
}

/// `beadwave run SCENARIO -o OUTPUT` in a folder with a correct scenario "chain.toml".
void check_files_refused(const std::string& scenario, const std::string& output,
                         std::string_view expected) {
    CAPTURE(scenario);
    CAPTURE(output);
    const Folder folder;
    write_file(folder / "chain.toml", std::string(right_scenario));
    write_file(folder / "notes.txt", "not to be lost");
    std::filesystem::create_directory(folder / "results");
    check_refused(shell(folder, "beadwave run '" + scenario + "' -o '" + output + "'"), expected,
                  "no path");
    CHECK(read_file(folder / "chain.toml") == right_scenario);
    CHECK(read_file(folder / "notes.txt") == "not to be lost");
    CHECK(std::filesystem::is_empty(folder / "results"));
    CHECK(files_in(folder) == 5);
}

}  // namespace

TEST_CASE("run refuses every wrong scenario and changes no file") {
    for (const BadInput& input : bad_scenarios())
        check_run_refuses(input);
}

TEST_CASE("run refuses every scenario from which no chain can be built or run") {
    for (const BadInput& input : impossible_scenarios())
        check_run_refuses(input);
}

TEST_CASE("collide refuses every wrong case") {
    const auto check = [](std::string_view right, const std::vector<BadInput>& inputs) {
        for (const BadInput& input : inputs) {
            CAPTURE(input.name);
            const Folder folder;
            write_file(folder / "case.toml", spoiled(right, input));
            check_refused(shell(folder, with_overrides("beadwave collide case.toml", input)),
                          input.message, "case.toml");
        }
    };
    check(right_collision, bad_collisions());
    check(right_contact, bad_contacts());
}

TEST_CASE("a scenario that cannot be read is refused") {
    check_files_refused("missing.toml", "out.h5", "missing.toml: no such file");
    check_files_refused("results", "out.h5", "results: is a folder, not a file");
    check_files_refused("notes.txt/chain.toml", "out.h5",
                        "notes.txt/chain.toml: cannot be read: Not a directory");
}

TEST_CASE("files named in a scenario are read from its folder, and refused with their line") {
    const Folder folder;
    std::filesystem::create_directory(folder / "sub");
    const auto refused = [&](const std::string& file, const std::string& why) {
        write_file(
            folder / "sub/chain.toml",
            spoiled(right_scenario, {.name = {},
                                     .right = "left = \"free\"",
                                     .wrong = "left = { kind = \"driven\", file = \"piston.csv\" }",
                                     .sets = {},
                                     .message = {}}));
        if (!file.empty()) write_file(folder / "sub/piston.csv", file);
        check_refused(shell(folder, "beadwave run sub/chain.toml -o out.h5"), why,
                      "sub/chain.toml");
        CHECK(!std::filesystem::exists(folder / "out.h5"));
    };
    write_file(folder / "piston.csv",
               "time_s,displacement_m\n0,0\n1,0\n2,0\n3,0\n");  // in another folder
    refused("", R"(FILE:30: boundary.left.file = "piston.csv": sub/piston.csv: no such file)");
    refused("time_s,displacement_m\n0,0\n1,0\n2,0\n",
            "sub/piston.csv: 3 rows; expected at least 4");
    refused("time_s,displacement_m\n0,0\n1,0\n1,0\n3,0\n",
            "sub/piston.csv, line 4: time_s is 1 after 1; expected rising times");
    refused(
        std::string("time_s\0", 7),
        R"(FILE:30: boundary.left.file = "piston.csv": sub/piston.csv: is a binary file, not CSV)");
}

TEST_CASE("an output that cannot be written is refused") {
    check_files_refused("chain.toml", "missing/out.h5",
                        "missing/out.h5: the folder missing does not exist");
    check_files_refused("chain.toml", "results", "results: is a folder, not a file");
    check_files_refused("chain.toml", "notes.txt/out.h5",
                        "notes.txt/out.h5: notes.txt is not a folder");
    // No user, not even root, can create a file in /proc.
    check_files_refused("chain.toml", "/proc/out.h5",
                        "/proc/out.h5: the folder /proc is not writable*");
}

TEST_CASE("an output that is not a history is not overwritten") {
    const std::string why =
        ": exists and is not a history that beadwave wrote; refusing to overwrite it without "
        "--overwrite";
    check_files_refused("chain.toml", "chain.toml", "chain.toml" + why);
    check_files_refused("chain.toml", "notes.txt", "notes.txt" + why);
}

TEST_CASE("quoted text cannot break the line of a message") {
    const Folder folder;
    write_file(folder / "chain.toml",
               spoiled(right_scenario, {.name = {},
                                        .right = "[material.rubber]",
                                        .wrong = "[material.\"a\\u001b[31m\\nb\"]",
                                        .sets = {},
                                        .message = {}}));
    for (const std::string command :
         {"beadwave run chain.toml -o out.h5", "beadwave run 'a\nb\r.toml'"}) {
        const Said said = shell(folder, command);
        CHECK(said.status == 2);
        CHECK(std::ranges::count(said.err, '\n') == 1);
        CHECK(said.err.find_first_of("\r\x1b") == std::string::npos);
    }
}

TEST_CASE("a chain that does not fit into the memory of this machine is refused" *
          doctest::skip(static_cast<double>(sysconf(_SC_PHYS_PAGES)) *
                            static_cast<double>(sysconf(_SC_PAGESIZE)) >
                        1.1e11)) {
    const Folder folder;
    write_file(folder / "chain.toml", std::string(right_scenario));
    check_refused(
        shell(folder, "beadwave run chain.toml --set segment.1.beads=999999999"),
        "FILE:13: segment: 1000000000 beads need 113 GB of memory or more; this machine has *",
        "chain.toml");
}

TEST_CASE("a file without permission is refused" *
          doctest::skip(geteuid() == 0)) {  // root may do everything
    using std::filesystem::perms;
    const Folder folder;
    write_file(folder / "chain.toml", std::string(right_scenario));
    std::filesystem::permissions(folder / "chain.toml", perms::none);
    check_refused(shell(folder, "beadwave run chain.toml -o out.h5"),
                  "FILE: cannot be read: Permission denied", "chain.toml");
    std::filesystem::permissions(folder / "chain.toml", perms::owner_read);
    std::filesystem::create_directory(folder / "locked");
    std::filesystem::permissions(folder / "locked", perms::owner_read | perms::owner_exec);
    check_refused(shell(folder, "beadwave run chain.toml -o locked/out.h5"),
                  "locked/out.h5: the folder locked is not writable*", "chain.toml");
}

TEST_CASE("invalid commands, options and numbers are named, with the valid ones") {
    const Folder folder;
    const struct {
        const char *arguments, *words;
    } wrong[] = {
        {"nope", "there is no command \"nope\"; the commands are run, resume, "},
        {"swep", "there is no command \"swep\"; did you mean \"sweep\"? (beadwave --help"},
        {"", "no command is given; the commands are run, resume, "},
        {"--nope", "there is no option \"--nope\"; the commands are run, "},
        {"watch chain.toml --interval nan", "--interval nan: must be from 0.1 to 86400 s"},
        {"run chain.toml --set law.name=HERTZ", "no such law; did you mean \"hertz\"?"},
        {"run chain.toml --outptu x.h5",
         "run: there is no option \"--outptu\"; did you mean \"--output\"? (beadwave run"},
        {"report x.h5 --png", "--png: its value is missing (beadwave report --help shows what is"},
        {"fit chain.toml", " is missing (beadwave fit --help shows what is allowed)"},
        {"sweep chain.toml --members 2.5",
         "--members = 2.5: is not what this option takes (beadwave sw"},
        {"laws MA-LIU", "there is no law \"MA-LIU\"; did you mean \"ma-liu\"?"},
    };
    write_file(folder / "chain.toml", std::string(right_scenario));
    for (const auto& one : wrong) {
        CAPTURE(one.words);
        const Said said = shell(folder, std::string("beadwave ") + one.arguments);
        CHECK(said.status == 2);
        CHECK_MESSAGE(said.err.find(one.words) != std::string::npos, said.err);
        CHECK(std::ranges::count(said.err, '\n') == 1);
    }
}

TEST_CASE("what is not TOML, and a law of another program, say what was probably meant") {
    const Folder folder;
    const std::string right(right_scenario);
    const auto refused = [&](const std::string& old, const std::string& other) {
        std::string changed = right;
        for (std::size_t at = 0; (at = changed.find(old, at)) != std::string::npos;) {
            changed.replace(at, old.size(), other);
            at += other.size();
        }
        REQUIRE(changed != right);
        write_file(folder / "chain.toml", changed);
        const Said said = shell(folder, "beadwave run chain.toml -o x.h5");
        CHECK(said.status == 2);
        CHECK_MESSAGE(std::ranges::count(said.err, '\n') == 1, said.err);
        return said.err;
    };
    const auto holds = [](const std::string& message, const std::string& words) {
        CHECK_MESSAGE(message.find(words) != std::string::npos, message);
    };
    holds(refused("name = \"ma-liu\"", "name = hertz"),
          "; did you mean name = \"hertz\"? A text has quotes");
    holds(refused("[[segment]]", "[segment]"), "; did you mean [[segment]]?");
    holds(refused("name = \"ma-liu\"", "name = \"ma-liu"),
          "; did you mean to end the text with a quote?");
    holds(refused("velocity = 1.77", "velocity = 1,77"),
          "; did you mean velocity = 1.77? Numbers have a point");
    holds(refused("velocity = 1.77", "velocity = 1.77 m/s"),
          "; numbers have no unit; expected velocity in SI units, as a number alone");
    holds(refused("velocity = 1.77", "velocity = 0, 0, 1"),
          "; did you mean velocity = [ ... ]? A list has brackets");
    holds(refused("velocity = 1.77", "velocity = True"), "; did you mean velocity = true?");
    holds(refused("[law]", "[time]\nend = 1e-3\n[law]"), "; the first one is in line ");
    for (const char* name : {"hertz-mindlin", "Hertz_Mindlin", "mindlin"}) {
        holds(refused("\"ma-liu\"", '"' + std::string(name) + '"'),
              "no such law; the law of Hertz and Mindlin is law.name = \"hertz\" and, in packings, "
              "friction.law = \"mindlin\"");
    }
}

TEST_CASE("a message is short even if the quoted text is long, and names the line of any key") {
    const Folder folder;
    const std::string endless(100000, 'k');
    const auto refused = [&](const std::string& text, const std::string& options) {
        write_file(folder / "chain.toml", text);
        const Said said = shell(folder, "beadwave run chain.toml -o x.h5" + options);
        CHECK(said.status == 2);
        CHECK(said.err.size() < 1000);
        return said.err;
    };
    const std::string right(right_scenario);
    CHECK(refused(endless + " = 1\n" + right, "").starts_with("beadwave: chain.toml:1: kkkk"));
    refused("[material." + endless + "]\nyoung = 1\n" + right, "");
    refused(right, " --set law." + endless.substr(0, 50000) + "=1");
    refused(right, " --set law.name=" + endless.substr(0, 50000));
    CHECK(
        refused("\"\" = 1\n" + right, "").starts_with("beadwave: chain.toml:1: \"\": unknown key"));
    CHECK(refused("\n\n\"a.b\" = 1\n" + right, "")
              .starts_with("beadwave: chain.toml:3: \"a.b\": unknown key"));
}

TEST_CASE("a radius whose mass is beyond the range of numbers is refused") {
    const Folder folder;
    write_file(folder / "chain.toml", std::string(right_scenario));
    const Said said =
        shell(folder, "beadwave run chain.toml -o x.h5 --set segment.1.radius=1e-308");
    CHECK(said.status == 2);
    CHECK_MESSAGE(
        said.err.find("segment.1.radius = 1e-308: makes beads of 1e-308 m") != std::string::npos,
        said.err);
}

}  // namespace beadwave::validation::bad_input_test
