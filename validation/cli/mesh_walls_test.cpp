// Walls of triangles on the command line: files read and refused, runs resumed, histories, exports.

#include "packing_runs.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace beadwave::validation::mesh_walls_test {

namespace {

const std::string scenario = R"(title = "m"
[material.steel]
youngs_modulus = 1e8
poisson_ratio = 0.3
density = 7970
[[particles]]
position = [0.1, 0.2, 0.0109]
radius = 1e-2
material = "steel"
[[wall]]
shape = "mesh"
mesh_file = "m.stl"
point = [0, 0, 0]
material = "steel"
[gravity]
acceleration = [0, 0, -9.81]
[law]
name = "hertz"
[time]
end = 1e-2
step = 1e-5
)";

const std::string text = R"(solid plate
facet normal 0 0 1
 outer loop
  vertex 0 0 0
  vertex 1 0 0
  vertex 0 1 0
 endloop
endfacet
endsolid plate
)";

std::string binary(std::uint32_t count, const std::vector<float>& corners) {
    std::string bytes(80, '\0');
    bytes.append(reinterpret_cast<const char*>(&count), 4);
    for (std::size_t t = 0; t < corners.size() / 9; ++t) {
        bytes.append(12, '\0');
        bytes.append(reinterpret_cast<const char*>(corners.data() + 9 * t), 36);
        bytes.append(2, '\0');
    }
    return bytes;
}

const std::vector<float> corners{0, 0, 0, 1, 0, 0, 0, 1, 0};

}  // namespace

TEST_CASE(
    "STL files, as text and binary, make the same wall, and bad ones are refused in one sentence") {
    const Folder folder;
    write_file(folder / "s.toml", scenario);
    write_file(folder / "m.stl", text);
    const Said as_text = shell(folder, "beadwave run s.toml -o a.h5 --quiet");
    REQUIRE_MESSAGE(as_text.status == 0, as_text.err);
    write_file(folder / "m.stl", binary(1, corners));
    const Said as_binary = shell(folder, "beadwave run s.toml -o b.h5 --quiet");
    REQUIRE_MESSAGE(as_binary.status == 0, as_binary.err);
    const Said same = shell(folder, python("import h5py\n"
                                           "a, b = h5py.File(\"a.h5\"), h5py.File(\"b.h5\")\n"
                                           "p = \"particles/all/position/value\"\n"
                                           "t = \"parameters/wall_triangles\"\n"
                                           "assert (a[t][:] == b[t][:]).all()\n"
                                           "assert a[t].shape == (1, 3, 3)\n"));
    CHECK_MESSAGE(same.status == 0, same.err);

    const auto refused = [&](const std::string& bytes, const std::string& why) {
        write_file(folder / "m.stl", bytes);
        const Said said = shell(folder, "beadwave run s.toml --overwrite");
        CHECK(said.status == 2);
        CHECK_MESSAGE(said.err.find("wall.0.mesh_file") != std::string::npos, said.err);
        CHECK_MESSAGE(said.err.find(why) != std::string::npos, said.err);
        CHECK_MESSAGE(std::count(said.err.begin(), said.err.end(), '\n') == 1, said.err);
    };
    const auto with = [](const std::string& old, const std::string& other) {
        std::string changed = text;
        return changed.replace(changed.find(old), old.size(), other);
    };
    const std::string whole = binary(1, corners);
    refused("", "is empty; expected an STL file");
    refused("solid", "ends where \"facet normal\" or \"endsolid\" should follow");
    refused("solid\nendsolid\n", "has no triangles");
    refused(binary(0, {}), "has no triangles");
    refused("triangle", "is no STL file: neither a text that begins with \"solid\"");
    refused(whole.substr(0, 100), "counts 1 triangles, which take 134 bytes; the file has 100");
    refused(binary(7, corners), "counts 7 triangles, which take 434 bytes; the file has 134");
    refused(binary(1, {NAN, 0, 0, 1, 0, 0, 0, 1, 0}), "triangle 0 has a corner that is not finite");
    refused(binary(1, {1e38f, 0, 0, 1, 0, 0, 0, 1, 0}), "has a coordinate of");
    refused(binary(1, {0, 0, 0, 1, 1, 0, 2, 2, 0}), "triangle 0 has no area");
    refused(with("vertex 1 0 0", "vertex 1 nan 0"), "line 5: coordinate \"nan\"");
    refused(with("vertex 1 0 0", "vertex 1 1e999 0"), "line 5: coordinate \"1e999\"");
    refused(with("vertex 1 0 0", "vertex 1 0"), "line 5: expected \"vertex\" and 3 numbers");
    refused(with("endloop", "vertex 3 4 5"), "line 7: expected \"endloop\"");
    refused(text + "facet normal 0 0 1\n", "expected \"solid\" or nothing after \"endsolid\"");
    refused(text + text, "triangle 1 has the corners of triangle 0; expected each once");
    std::string twice = text;
    const std::size_t facet = twice.find("facet"), end = twice.find("endsolid");
    twice.insert(facet, twice.substr(facet, end - facet));
    refused(twice, "triangle 1 has the corners of triangle 0; expected each once");
}

TEST_CASE("keywords in upper case and a byte order mark do not make a text another file") {
    const Folder folder;
    write_file(folder / "s.toml", scenario);
    std::string upper = text;
    std::ranges::transform(upper, upper.begin(), [](char c) {
        return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    });
    for (const std::string& other : {upper, "\xEF\xBB\xBF" + text, "\xEF\xBB\xBF" + upper}) {
        write_file(folder / "m.stl", other);
        const Said said = shell(folder, "beadwave run s.toml -o a.h5 --quiet --overwrite");
        CHECK_MESSAGE(said.status == 0, said.err);
        const Said one =
            shell(folder, python("import h5py\n"
                                 "t = h5py.File(\"a.h5\")[\"parameters/wall_triangles\"]\n"
                                 "assert t[()].tolist() == [[[0, 0, 0], [1, 0, 0], "
                                 "[0, 1, 0]]]\n"));
        CHECK_MESSAGE(one.status == 0, one.err);
    }
}

TEST_CASE("triangles without area are left out, and counted in a warning") {
    const Folder folder;
    write_file(folder / "s.toml", scenario);
    // A line, a triangle, a point.
    write_file(folder / "m.stl", binary(3, {0, 0, 0, 1, 1, 0, 2, 2, 0,  //
                                            0, 0, 0, 1, 0, 0, 0, 1, 0,  //
                                            1, 0, 0, 1, 0, 0, 1, 0, 0}));
    const Said said = shell(folder, "beadwave run s.toml -o a.h5 --quiet");
    REQUIRE_MESSAGE(said.status == 0, said.err);
    CHECK_MESSAGE(
        said.err.find("wall.0.mesh_file: 2 of 3 triangles have no area") != std::string::npos,
        said.err);
    const Said one = shell(folder, python("import h5py\n"
                                          "t = h5py.File(\"a.h5\")[\"parameters/wall_triangles\"]\n"
                                          "assert t.shape == (1, 3, 3), t.shape\n"));
    CHECK_MESSAGE(one.status == 0, one.err);
}

TEST_CASE("several solids of one STL file are one wall") {
    const Folder folder;
    write_file(folder / "s.toml", scenario);
    std::string other = text;
    other.replace(other.find("vertex 0 0 0"), 12, "vertex 1 1 0");
    write_file(folder / "m.stl", text + other);
    const Said said = shell(folder, "beadwave run s.toml -o a.h5 --quiet");
    REQUIRE_MESSAGE(said.status == 0, said.err);
    const Said both =
        shell(folder, python("import h5py\n"
                             "t = h5py.File(\"a.h5\")[\"parameters/wall_triangles\"][()]\n"
                             "assert t.shape == (2, 3, 3), t.shape\n"
                             "assert t[1, 0].tolist() == [1, 1, 0], t\n"));
    CHECK_MESSAGE(both.status == 0, both.err);
}

TEST_CASE("meshes resume from the history's text to the bit, and are exported as triangles") {
    const Folder folder;
    std::string turning = scenario;
    turning.replace(turning.find("point = [0, 0, 0]"), 17,
                    "point = [0, 0, 0]\nangular_velocity = 3\nvelocity = [0, 0, 0.1]");
    write_file(folder / "s.toml", turning + "[snapshots]\ninterval = 1e-3\n");
    write_file(folder / "m.stl", binary(1, corners));
    check_interrupted(folder, "s.toml", "500");
    const Said half =
        shell(folder, "beadwave run s.toml --quiet -o half.h5 --set checkpoint.interval=5e-3");
    REQUIRE_MESSAGE(half.status == 0, half.err);
    // Without friction too: triangles that turn push.
    CHECK_MESSAGE(half.err.find("angular_velocity has no effect") == std::string::npos, half.err);
    const Said report = shell(folder, "beadwave report half.h5 --xdmf half.xdmf2");
    REQUIRE_MESSAGE(report.status == 0, report.err);
    // The last corners: turned about z and lifted.
    const Said placed =
        shell(folder, python("import math, numpy as np\n"
                             "from xml.etree import ElementTree\n"
                             "grid = ElementTree.parse(\"half.xdmf2\").getroot().find("
                             "\"Domain/Grid[@Name=\\\"walls\\\"]\")\n"
                             "last = grid.findall(\"Grid\")[-1].find(\"Geometry/DataItem\")\n"
                             "found = np.array(last.text.split(), float).reshape(3, 3)\n"
                             "c, s = math.cos(0.03), math.sin(0.03)\n"
                             "want = [[0, 0, 1e-3], [c, s, 1e-3], [-s, c, 1e-3]]\n"
                             "assert np.abs(found - want).max() < 1e-12, found\n"));
    CHECK_MESSAGE(placed.status == 0, placed.err);
}

TEST_CASE("in a periodic box a plate repeats beyond the side, and one longer than it is refused") {
    const Folder folder;
    write_file(folder / "s.toml", scenario +
                                      "[snapshots]\ninterval = 1e-2\n[box]\nlower = [0, 0, 0]\n"
                                      "upper = [1, 1, 1]\nperiodic = [true, true, false]\n");
    write_file(folder / "m.stl", binary(2, {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0}));
    const std::string across =
        " --set particles.0.position=[0.995,0.2,0.0109] --set "
        "particles.0.velocity=[2,0,0] --set time.end=3e-2";
    const Said ran = shell(folder, "beadwave run s.toml -o a.h5 --quiet" + across);
    REQUIRE_MESSAGE(ran.status == 0, ran.err);
    // Without the plate's image it would have fallen by 4.4 mm.
    const Said read = shell(folder, python("import h5py\n"
                                           "f = h5py.File(\"a.h5\")\n"
                                           "x = f[\"particles/all/position/value\"][-1, 0]\n"
                                           "assert x[0] > 1.05 and x[2] > 0.0095, x\n"
                                           "t = \"parameters/wall_triangles\"\n"
                                           "assert f[t].shape == (2, 3, 3)\n"));
    CHECK_MESSAGE(read.status == 0, read.err);
    const Said refused = shell(folder, "beadwave run s.toml --overwrite --set wall.0.scale=1.5");
    CHECK(refused.status == 2);
    CHECK_MESSAGE(refused.err.find("wall.0: is 1.5 m long along x; expected at most 1 m, the "
                                   "period of the box") != std::string::npos,
                  refused.err);
}

}  // namespace beadwave::validation::mesh_walls_test
