// Scenarios and histories of earlier versions, whose names have changed, are refused with the new
// names.

#include "jobs/keys.hpp"
#include "program.hpp"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace beadwave::validation::earlier_versions_test {

namespace {

const std::string configs = BEADWAVE_SOURCE_DIR "/configs/";

/// A scenario of configs with a retired key: the line `text` is added after the first line that
/// begins with `heading`, or at the end after the line `heading`. `key` is its dotted key.
struct Retired {
    std::string form, config, heading, text, key, new_key;
};

const std::vector<Retired> cases = {
    {"particles.N.spin", "hexagonal_crystal.toml", "[[particles]]", "spin = 10.0",
     "particles.0.spin", "particles.0.angular_velocity"},
    {"body.N.spin", "slider_crank.toml", "[[body]]", "spin = 10.0", "body.0.spin",
     "body.0.angular_velocity"},
    {"rolling.twisting", "hexagonal_crystal.toml", "[rolling]", "twisting = 0.01",
     "rolling.twisting", "twisting.coefficient"},
    {"checkpoint.every", "chain70.toml", "[checkpoint]", "every = \"10 min\"", "checkpoint.every",
     "checkpoint.wall_interval"},
    {"contact.N.hole", "slider_crank.toml", "[[contact]]", "hole = [0.17, 0.0]", "contact.0.hole",
     "contact.0.bearing_centre"},
    {"contact.N.memory", "slider_crank.toml", "[[contact]]", "memory = \"kept\"",
     "contact.0.memory", "contact.0.history"},
    {"contact.N.friction.v0", "slider_crank.toml", "[[contact]]", "friction.v0 = 1e-3",
     "contact.0.friction.v0", "contact.0.friction.slip_tolerance"},
    {"contact.N.friction.v1", "slider_crank.toml", "[[contact]]", "friction.v1 = 1e-2",
     "contact.0.friction.v1", "contact.0.friction.full_slip_speed"},
    {"law.impact_speed_floor", "chain70.toml", "[law]", "impact_speed_floor = 1e-3",
     "law.impact_speed_floor", "law.min_impact_speed"},
    {"contact.N.law.impact_speed_floor", "pendulums.toml", "[[contact]]",
     "law.impact_speed_floor = 1e-3", "contact.0.law.impact_speed_floor",
     "contact.0.law.min_impact_speed"},
};

/// The text with the line added, and the number of that line.
std::pair<std::string, int> with_line(std::string text, const Retired& retired) {
    std::size_t place = text.find("\n" + retired.heading);
    if (place == std::string::npos) {
        text += "\n" + retired.heading + "\n";
        place = text.rfind("\n" + retired.heading);
    }
    const std::size_t end = text.find('\n', place + 1) + 1;
    const auto lines =
        std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end), '\n');
    text.insert(end, retired.text + "\n");
    return {text, static_cast<int>(lines) + 1};
}

void alter(const Folder& folder, const std::string& name, const std::string& python) {
    const Said said = shell(folder, BEADWAVE_PYTHON " -c \"import h5py; f = h5py.File('" + name +
                                        "', 'r+'); " + python + "\"");
    REQUIRE_MESSAGE(said.status == 0, said.err);
}

}  // namespace

TEST_CASE("a retired key of a scenario is refused with its new name, in a file and with --set") {
    const auto retired_keys = beadwave::jobs::retired_keys();
    CHECK(retired_keys.size() == cases.size());
    for (const beadwave::jobs::RetiredKey& each : retired_keys) {
        const auto found = std::ranges::find_if(
            cases, [&](const Retired& tried) { return tried.form == each.old_key; });
        CAPTURE(std::string(each.old_key));
        REQUIRE(found != cases.end());
        const Folder folder;
        const std::string config = read_file(configs + found->config);
        const auto [text, line] = with_line(config, *found);
        const std::string sentence = found->key + ": is now called " + found->new_key + "\n";
        write_file(folder / "old.toml", text);
        const Said in_file = shell(folder, "beadwave run old.toml -o x.h5");
        CHECK(in_file.status == 2);
        CHECK(in_file.err == "beadwave: old.toml:" + std::to_string(line) + ": " + sentence);

        write_file(folder / "new.toml", config);
        const std::string value = found->text.substr(found->text.find('=') + 2);
        const Said in_setting =
            shell(folder, "beadwave run new.toml -o x.h5 --set '" + found->key + "=" + value + "'");
        CHECK(in_setting.status == 2);
        CHECK(in_setting.err == "beadwave: --set " + sentence);
        CHECK(!std::filesystem::exists(folder / "x.h5"));
    }
}

TEST_CASE("a history of another version of the format is refused in one sentence") {
    const Folder folder;
    REQUIRE(shell(folder, "beadwave run '" + configs +
                              "chain70.toml' --quiet -o new.h5 --set time.end=2e-5")
                .status == 0);
    REQUIRE(shell(folder, "cp new.h5 old.h5; cp new.h5 newer.h5; cp new.h5 bare.h5").status == 0);
    alter(folder, "old.h5",
          "del f['parameters/format_version']; "
          "f.move('observables/relative_energy_error', 'observables/residual'); "
          "f.move('observables/external_work', 'observables/work')");
    alter(folder, "newer.h5", "f['parameters/format_version'][()] = 4");
    alter(folder, "bare.h5", "f['parameters/format_version'][()] = 1");
    const std::vector<std::pair<std::string, std::string>> refused = {
        {"old.h5",
         "was written by an earlier version, whose names have changed (residual is now "
         "energy_error and "
         "relative_energy_error, work is now external_work); run the scenario again"},
        {"bare.h5",
         "was written by an earlier version, whose names have changed; run the scenario again"},
        {"newer.h5",
         "was written by a newer version of beadwave (format 4, this version reads format 3)"}};
    for (const auto& [name, why] : refused) {
        CAPTURE(name);
        for (const std::string command : {"watch", "watch --json", "report"}) {
            CAPTURE(command);
            const Said said = shell(folder, "beadwave " + command + " " + name);
            CHECK(said.status == 2);
            CHECK(said.out.empty());
            CHECK(said.err == "beadwave: " + name + ": " + why + "\n");
        }
    }
    for (const std::string command : {"watch", "report"})
        CHECK(shell(folder, "beadwave " + command + " new.h5").status == 0);
    // A new run may replace it: it is a history of beadwave.
    CHECK(shell(folder,
                "beadwave run '" + configs + "chain70.toml' --quiet -o old.h5 --set time.end=2e-5")
              .status == 0);
}

TEST_CASE("a fit of an earlier version of the format is refused in one sentence") {
    const Folder folder;
    const Said made = shell(folder, BEADWAVE_PYTHON
                            " -c \"import h5py; f = h5py.File('fit.h5', 'w', libver='latest'); "
                            "f['fit/measured'] = [[1.0]]; "
                            "f['parameters/version'] = '0.1.0'\"");
    REQUIRE_MESSAGE(made.status == 0, made.err);
    const Said said = shell(folder, "beadwave report fit.h5");
    CHECK(said.status == 2);
    CHECK(said.err ==
          "beadwave: fit.h5: was written by an earlier version, whose names have changed; run the "
          "scenario again\n");
}

}  // namespace beadwave::validation::earlier_versions_test
