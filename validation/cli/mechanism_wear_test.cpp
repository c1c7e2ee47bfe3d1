// The table [wear] of mechanisms: what the history, `--json` and a sweep hold, also after an
// interruption, and what is refused. Includes mechanism/mechanism.hpp, so that a build without
// mechanisms leaves this file out.
#include "held_run.hpp"
#include "mechanism/mechanism.hpp"
#include "program.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <string>

namespace beadwave::validation::mechanism_wear_cli_test {
namespace {

const std::string crank =
    "'" + std::string(BEADWAVE_SOURCE_DIR) + "/configs/worn_slider_crank.toml' --quiet ";

/// The command ends with status 2, and this sentence.
void refused(const Folder& folder, const std::string& sets, const std::string& sentence) {
    CAPTURE(sets);
    const Said said = shell(folder, "beadwave run " + crank + "--set time.end=1e-4 " + sets);
    CHECK(said.status == 2);
    CHECK_MESSAGE(said.err.find(sentence) != std::string::npos, said.err);
}

}  // namespace

TEST_CASE("the history of a mechanism has the wear of its contacts, as --json has it") {
    const Folder folder;
    const Said said =
        shell(folder, "beadwave run " + crank +
                          "--set time.end=0.01 --json -o m.h5 > m.json && beadwave run " + crank +
                          "--set time.end=0.01 --set contact.0.wear.hardness=1.2e9 "
                          "--set contact.0.wear.width=0.005 --json > own.json");
    REQUIRE_MESSAGE(said.status == 0, said.err);
    write_file(folder / "check.py", R"(
import json, h5py
import numpy as np
run, own, f = json.load(open("m.json")), json.load(open("own.json")), h5py.File("m.h5")["observables"]
worn, depth = f["contact_wear/value"][:], f["wear_depth/value"][:]
assert f["contact_wear/value"].attrs["unit"] == "m3" and f["wear_depth/value"].attrs["unit"] == "m"
assert worn.shape == (201, 1) and depth.shape == (201, 1, 72)
assert worn[0] == 0.0 and worn[-1] > 1e-16 and np.all(np.diff(worn[:, 0]) >= 0.0)
assert run["contact_wear"] == list(worn[-1]) and run["wear_depth"] == [list(row) for row in depth[-1]]
area = 2.0 * np.pi / 72 * 0.010 * 0.02
assert np.all(abs(depth[:, 0].sum(axis=1) * area - worn[:, 0]) <= 1e-12 * worn[-1])
assert np.all(abs(f["wear_angle"][:] - np.radians(2.5 + 5.0 * np.arange(72))) < 1e-12)
assert [name.decode() for name in f["worn_journals"][:]] == run["worn_journals"] == ["pin"]
# Twice the hardness: half the volume; a quarter of the width: twice the depth.
assert abs(own["contact_wear"][0] / run["contact_wear"][0] - 0.5) < 1e-12
assert np.allclose(own["wear_depth"], 2.0 * np.array(run["wear_depth"]), rtol=1e-12, atol=0.0)
)");
    const Said checked = shell(folder, BEADWAVE_PYTHON " check.py");
    CHECK_MESSAGE(checked.status == 0, checked.err);
}

TEST_CASE("an interrupted mechanism goes on with what its contacts had worn off") {
    const Folder folder;
    const std::string run = "run " + crank + "--set time.end=0.02 --set checkpoint.interval=1e-3 ";
    REQUIRE(shell(folder, "beadwave " + run + "-o whole.h5").status == 0);
    REQUIRE(run_until(folder, run + "-o cut.h5", "200", SIGTERM).status == 1);
    const Said resumed = shell(folder, "beadwave resume cut.h5.checkpoint.h5 --quiet");
    REQUIRE_MESSAGE(resumed.status == 0, resumed.err);
    check_same_histories(folder);
}

TEST_CASE("a sweep of a mechanism has its worn volume") {
    const Folder folder;
    const Said said =
        shell(folder, "beadwave sweep " + crank +
                          "--set time.end=5e-3 --vary wear.hardness=1e9,2e9 -o s.h5 --csv s.csv");
    REQUIRE_MESSAGE(said.status == 0, said.err);
    write_file(folder / "check.py", R"(
import csv
rows = list(csv.DictReader(line for line in open("s.csv") if not line.startswith("#")))
worn = [float(row["worn_m3"]) for row in rows]
assert len(worn) == 2 and worn[0] > 1e-17 and abs(worn[0] / worn[1] - 2.0) < 1e-9, worn
)");
    const Said checked = shell(folder, BEADWAVE_PYTHON " check.py");
    CHECK_MESSAGE(checked.status == 0, checked.err);
}

TEST_CASE("a wear of a mechanism that makes no sense is refused") {
    const Folder folder;
    refused(folder, "--set wear.hardness=0", "wear.hardness");
    refused(folder, "--set wear.law=fast", "must be \"archard\"");
    refused(folder, "--set wear.bins=0", "wear.bins");
    refused(folder, "--set wear.speed=1", "unknown key");
    refused(folder, "--set contact.0.wear.depth=1", "unknown key");
    refused(folder, "--set contact.0.wear.hardness=-1", "contact.0.wear.hardness");
    write_file(
        folder / "bare.toml",
        "[[body]]\nname=\"a\"\nmass=1.0\ninertia=1.0\ncentre=[0.0, 0.0]\n"
        "[gravity]\nacceleration=[0.0, -9.81]\n[time]\nend=0.1\n"
        "[[contact]]\nkind=\"point-line\"\nbodies=[\"a\", \"ground\"]\npoint=[0.0, 0.0]\n"
        "line_point=[0.0, -1.0]\nnormal=[0.0, 1.0]\nlaw={name=\"impulse\", restitution=0.5}\n");
    const std::string bare = "beadwave run bare.toml --quiet ";
    const Said alone = shell(folder, bare + "--set contact.0.wear.hardness=1e9");
    CHECK(alone.status == 2);
    CHECK_MESSAGE(alone.err.find("contact.0.wear.coefficient: missing; give it here, or to all "
                                 "contacts in [wear]") != std::string::npos,
                  alone.err);
    const std::string given =
        "--set wear.law=archard --set wear.coefficient=1e-4 --set wear.hardness=1e9 ";
    const Said bins = shell(folder, bare + given + "--set wear.bins=36");
    CHECK(bins.status == 0);
    CHECK_MESSAGE(
        bins.err.find("wear.bins has no effect: no contact is a journal") != std::string::npos,
        bins.err);
    const Said width = shell(folder, bare + given + "--set contact.0.wear.width=0.1");
    CHECK(width.status == 2);
    CHECK_MESSAGE(width.err.find("only a journal has a width") != std::string::npos, width.err);
}

}  // namespace beadwave::validation::mechanism_wear_cli_test
