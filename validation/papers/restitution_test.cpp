// The restitution that each hysteresis law returns, compared with an independent integration
// (described in restitution_exact.csv).

#include "beadwave/laws/catalogue.hpp"
#include "beadwave/laws/collision.hpp"
#include "relative.hpp"
#include "scenarios.hpp"
#include "table.hpp"

namespace beadwave::validation::restitution_test {

TEST_CASE("hysteresis laws return the independently integrated restitution") {
    int compared = 0;
    for (const Row& row : table("papers/restitution_exact.csv")) {
        if (laws::find(row.at("law")) == nullptr) continue;
        for (const char* input : {"0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9"}) {
            CAPTURE(row.at("law"));
            CAPTURE(input);
            const double speed = 1.77;
            const auto settings = law_settings(
                row.at("law"), {{"restitution", std::stod(input)}, {"impact_speed", speed}});
            const laws::Contact contact{
                .radius = 1e-3, .modulus = 1e11, .mass = 2e-4, .stiffness = 4e9};
            const auto hit = laws::collide(laws::make(contact, settings), contact.mass, speed);
            CHECK_ABSOLUTE(hit.restitution, number(row, input), 0.0006);  // three digits are given
            ++compared;
        }
    }
    CHECK(compared == 81);
}

}  // namespace beadwave::validation::restitution_test
