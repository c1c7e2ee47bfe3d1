#include "beadwave/laws/hertz.hpp"
#include "beadwave/laws/hysteresis.hpp"
#include "beadwave/laws/ma_liu.hpp"
#include "plain_slider_crank.hpp"
#include "relative.hpp"
#include "sanitised.hpp"

namespace beadwave::validation::slider_crank_test {
namespace {

using validation::PlainImpact;
using validation::SliderCrank;

/// The law of one impact as the program must make it: the contact of a sphere in a socket, with the
/// impact speed of this impact.
template <class Law>
std::vector<PlainImpact> plain_impacts(const SliderCrank& given, std::size_t count,
                                       double tolerance) {
    const double journal = given.bearing_radius - given.clearance;
    const laws::Contact contact =
        laws::socket_contact(journal, 1.0, given.steel, given.bearing_radius,
                             std::numeric_limits<double>::infinity(), given.steel);
    return validation::PlainSliderCrank<Law>(given, tolerance)
        .impacts(count, [&](double impact_speed) {
            laws::Settings own = given.law;
            if (own.values.contains("impact_speed")) own.values["impact_speed"] = impact_speed;
            return laws::make(contact, own).as<Law>();
        });
}

laws::Settings per_contact(const std::string& name, double restitution) {
    laws::Settings law = validation::law_settings(name);
    if (law.values.contains("restitution")) law.values["restitution"] = restitution;
    if (law.values.contains("impact_speed"))
        law.values["impact_speed"] = std::string("per-contact");
    return law;
}

template <class Law>
void compare(const std::string& name) {
    CAPTURE(name);
    constexpr std::size_t count = 12;
    SliderCrank given;
    given.law = per_contact(name, 0.9);
    given.accuracy = 1e-12;
    const auto plain = plain_impacts<Law>(given, count, 1e-13);
    given.end = plain.back().end + 1e-6;
    const auto run = mechanism::simulate(given.mechanism());
    const auto& impacts = run.contact_points.at(0).impacts;
    REQUIRE(impacts.size() >= count);
    for (std::size_t i = 0; i < count; ++i) {
        CAPTURE(i);
        CHECK_ABSOLUTE(impacts[i].start, plain[i].start, 1e-9);
        CHECK_ABSOLUTE(impacts[i].end, plain[i].end, 1e-9);
        CHECK_RELATIVE(impacts[i].impact_speed, plain[i].impact_speed, 1e-5);
        CHECK_RELATIVE(impacts[i].separation_speed, plain[i].separation_speed, 1e-5);
        CHECK_RELATIVE(impacts[i].peak_force, plain[i].peak_force, 1e-5);
    }
}

TEST_CASE("a slider-crank's first twelve impacts are those of Lagrange's equations" *
          doctest::skip(sanitised)) {
    using laws::ImpactSpeed;
    compare<laws::Hertz<double>>("hertz");
    compare<laws::Hysteresis<double, ImpactSpeed::uniform>>("hunt-crossley");
    compare<laws::Hysteresis<double, ImpactSpeed::uniform>>("lankarani-nikravesh");
    compare<laws::Hysteresis<double, ImpactSpeed::uniform>>("flores");
    compare<laws::MaLiu<double>>("ma-liu");
}

}  // namespace
}  // namespace beadwave::validation::slider_crank_test
