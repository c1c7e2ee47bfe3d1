// Contacts of the kind "shapes" in the program. Includes mechanism/mechanism.hpp, so that a build
// without mechanisms leaves this file out.
#include "mechanism/mechanism.hpp"
#include "program.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace beadwave::validation::mechanism_shapes_test {

namespace {

const std::string cam = "'" BEADWAVE_SOURCE_DIR "/configs/cam_follower.toml'";

/// The scenario of the cam with another line for the key `first` or `second` of its contact.
Said run_with(const Folder& folder, const std::string& key, const std::string& line) {
    return shell(folder, "cp '" BEADWAVE_SOURCE_DIR "/configs/cam.csv' .; sed 's/^" + key +
                             " = .*/" + key + " = " + line + "/' " + cam +
                             " >own.toml; beadwave run own.toml --quiet -o own.h5 --overwrite "
                             "--set time.end=1e-3");
}

}  // namespace

TEST_CASE("shapes that a contact cannot have are refused in one sentence with their key") {
    const Folder folder;
    struct Case {
        std::string key, line, message;
    };
    for (const Case& tried :
         {Case{"first", "{ from = [0.0, 0.03], to = [0.1, 0.03] }",
               "contact.0.first.shape: missing; give \"circle\", \"arc\", \"segment\", "
               "\"polygon\", \"ellipse\" or \"closed-curve\""},
          Case{"first", "{ shape = \"segment\", from = [0.0, 0.03], radius = 0.1 }",
               "contact.0.first.radius: unknown key"},
          Case{"first", "{ shape = \"segment\", from = [0.0, 0.03] }",
               "contact.0.first.to: missing; give [x, y], in m"},
          Case{"first", "[0.0, 0.03]", "contact.0.first = [0.0, 0.03]: must be a table"},
          Case{"first", "{ shape = \"polygon\", corners = [[0.0, 0.0], 1.0], corner_radius = 0.1 }",
               "contact.0.first.corners[1] = 1.0: must be [x, y], in m"},
          Case{"first", "{ shape = \"circle\", centre = [0.0, 0.0], radius = 0.0 }",
               "contact.0.first.radius = 0.0: must be a number above 0, in m"},
          Case{"first", "{ shape = \"ellipse\", centre = [0.0, 0.0], semi_axes = [0.1] }",
               "contact.0.first.semi_axes = [0.1]: must be two semi-axes, each a number above 0, "
               "in m"},
          Case{"first",
               "{ shape = \"arc\", centre = [0.0, 0.0], radius = 0.1, from_angle = 1.0, to_angle = "
               "0.0 }",
               "to_angle must be above from_angle, by 2 pi at most; it is -1 rad above it"},
          Case{"first",
               "{ shape = \"arc\", centre = [0.0, 0.0], radius = 0.01, from_angle = 0.0, to_angle "
               "= 3.0, side = \"inside\" }",
               "the other shape does not fit into the arc"},
          Case{"second", "{ shape = \"closed-curve\", file = \"none.csv\" }",
               "contact.0.second.file"},
          Case{"second", "{ shape = \"closed-curve\" }",
               "contact.0.second.file: missing; give the path of a CSV file with columns x_m and "
               "y_m"}}) {
        CAPTURE(tried.line);
        const Said said = run_with(folder, tried.key, tried.line);
        CHECK(said.status == 2);
        CHECK_MESSAGE(said.err.find(tried.message) != std::string::npos, said.err);
        CHECK(said.err.find('\n') == said.err.size() - 1);
    }
}

TEST_CASE("contact points of shapes have the names of their corners") {
    const Folder folder;
    const Said said =
        shell(folder,
              "sed 's/^second = .*/second = { shape = \"polygon\", corners = [[-0.03, -0.03], "
              "[0.03, -0.03], [0.0, 0.028]], corner_radius = 0.002 }/' " +
                  cam + " >own.toml; beadwave run own.toml --json -o own.h5 --set time.end=1e-3");
    REQUIRE_MESSAGE(said.status == 0, said.err);
    const auto contacts = nlohmann::json::parse(said.out).at("contacts");
    REQUIRE(contacts.size() == 5);
    CHECK(contacts[0].at("name") == "lift, corner 0 of follower");
    CHECK(contacts[4].at("name") == "lift, corner 2 of cam");
}

}  // namespace beadwave::validation::mechanism_shapes_test
