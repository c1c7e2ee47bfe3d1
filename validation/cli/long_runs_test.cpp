// Numbers that are absurd but allowed: every run has an answer soon, and one that would take years
// is refused before it starts.

#include "base/long_run.hpp"
#include "jobs/read_job.hpp"
#include "program.hpp"
#include "splitmix.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <toml++/toml.h>

#include <string>
#include <vector>

namespace beadwave::validation::long_runs_test {

namespace {

using Texts = std::vector<std::string>;

const std::string configs = BEADWAVE_SOURCE_DIR "/configs/";

/// Stops a run when it has been asked so often: between blocks of steps of a chain or packing, some
/// times per step of a mechanism.
class Bounded : public jobs::ProgressCallback {
  public:
    explicit Bounded(std::int64_t most) : most_(most) {}
    bool stop() override { return ++asked_ > most_; }

  private:
    std::int64_t most_, asked_ = 0;
};

/// The refusal of a run, "stopped" or "done".
std::string answer(const std::string& config, const Texts& set, std::int64_t most,
                   bool accepts = false) {
    try {
        const auto job = jobs::read_job(configs + config, set);
        Bounded callback(most);
        callback.accepts_long_runs = accepts;
        const jobs::JobResult result = job->run({.threads = 1}, callback);
        if (result.stopped.empty()) return "done";
        if (!accepts) CHECK(job->least_wall_time() <= longest_unasked_run);
        return "stopped";
    } catch (const std::exception& error) {
        return error.what();
    }
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

/// The numbers of a table, by dotted key.
void list_numbers(const toml::node& node, const std::string& key, Texts& all) {
    const auto below = [&](const std::string& name, const toml::node& child) {
        list_numbers(child, key.empty() ? name : key + "." + name, all);
    };
    if (const toml::table* table = node.as_table()) {
        for (const auto& [name, child] : *table)
            below(std::string(name.str()), child);
    } else if (const toml::array* array = node.as_array()) {
        for (std::size_t i = 0; i < array->size(); ++i)
            below(std::to_string(i), *array->get(i));
    } else if (node.is_number()) {
        all.push_back(key);
    }
}

}  // namespace

TEST_CASE("numbers that made a run without end are refused in one sentence, before it starts") {
    constexpr std::int64_t unbounded = 1'000'000'000;
    const auto refused = [](const std::string& config, const std::string& set,
                            const std::string& why) {
        CAPTURE(config);
        CAPTURE(set);
        const std::string said = answer(config, {set}, unbounded);
        CHECK_MESSAGE(contains(said, why), said);
        CHECK(said.find('\n') == std::string::npos);
    };
    refused("driven.toml", "segment.0.velocity=1e30", "meet at 1e+30 m/s, faster than light");
    refused("driven.toml", "boundary.left.amplitude=1e30", "faster than light");
    refused("woodpile.toml", "load.0.amplitude=1e30", "faster than light");
    refused("woodpile.toml", "load.0.frequency=-1e30", "must be a number above 0, in Hz");
    refused("woodpile.toml", "load.0.frequency=1e30", "needs 1.6e+30 steps");
    refused("sticking_spheres.toml", "particles.0.velocity=[1e30,0,0]", "faster than light");
    // Known from the steps, the samples and the periods.
    refused("driven.toml", "time.step=1e-18", "takes at least ");
    refused("pounding.toml", "force.0.frequency=1e30", "takes at least 3.2e+17 years");
    refused("pounding.toml", "time.interval=1e-15", "takes at least 2.9e+02 years");
    // Known from the steps that are taken.
    refused("pounding.toml", "spring.1.damping=1e300", "the last 10000 steps were ");
}

TEST_CASE("a run that takes more than a month at the least needs consent, a shorter one does not") {
    // 0.003 s / 2.6e-18 s = 1.15e15 steps of 300 beads: 1e-8 s + 300 * 2e-12 s each are 142 days.
    const auto job = jobs::read_job(configs + "driven.toml", Texts{"time.step=2.6e-18"});
    CHECK(job->least_wall_time() == doctest::Approx(0.003 / 2.6e-18 * 1.06e-8).epsilon(1e-6));
    const std::string said = answer("driven.toml", {"time.step=2.6e-18"}, 2);
    CHECK_MESSAGE(contains(said, "takes at least 142 days; expected at most 30 days"), said);
    CHECK_MESSAGE(contains(said, "--yes (in Python yes=True) starts it all the same"), said);
    CHECK(answer("driven.toml", {"time.step=2.6e-18"}, 2, true) == "stopped");
    CHECK(answer("driven.toml", {"time.step=2.6e-17"}, 2) == "stopped");  // 14 days
    CHECK(answer("pounding.toml", {"force.0.frequency=1e30"}, 2, true) == "stopped");
}

TEST_CASE("run and compare and sweep refuse years without --yes and so many runs") {
    const Folder folder;
    const std::string scenario = " '" BEADWAVE_SOURCE_DIR "/configs/driven.toml' ";
    const auto refused = [&](const std::string& command) {
        CAPTURE(command);
        const Said said = shell(folder, "beadwave " + command);
        CHECK(said.status == 2);
        CHECK_MESSAGE(contains(said.err, "takes at least "), said.err);
        CHECK(shell(folder, "ls").out.empty());
    };
    refused("run" + scenario + "--set time.step=2.6e-18 --quiet");
    refused("compare" + scenario + "--set time.step=2.6e-18 --laws hertz,power-law");
    // Each of three runs takes less, 14 days, but all of them on one thread 43.
    refused("sweep" + scenario + "--set time.step=2.6e-17 --vary precompression.force=20:21:3" +
            " --threads 1 --quiet");
}

TEST_CASE("each of 200 absurd numbers at random places has an answer within few steps") {
    const Texts files = {"driven.toml",           "woodpile.toml", "chain70.toml",
                         "newtons_cradle.toml",   "pounding.toml", "pendulums.toml",
                         "sticking_spheres.toml", "head_on.toml"};
    const Texts values = {"-1e30", "1e30", "1e300", "1e-300"};
    std::vector<Texts> keys(files.size());
    for (std::size_t i = 0; i < files.size(); ++i)
        list_numbers(toml::parse_file(configs + files[i]), "", keys[i]);
    std::uint64_t seed = 15;
    const auto one_of = [&](const auto& all) -> const auto& {
        seed = mixed(seed);
        return all[seed % all.size()];
    };
    int refused = 0;
    for (int i = 0; i < 200; ++i) {
        seed = mixed(seed);
        const std::size_t file = seed % files.size();
        const std::string set = one_of(keys[file]) + "=" + one_of(values);
        CAPTURE(files[file]);
        CAPTURE(set);
        const std::string said = answer(files[file], {set}, 60);
        CHECK(!said.empty());
        refused += said != "done" && said != "stopped" ? 1 : 0;
    }
    CHECK(refused > 100);
}

}  // namespace beadwave::validation::long_runs_test
