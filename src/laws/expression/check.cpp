// Checks of the numbers of an expression, on a net of overlaps and speeds.

#include "beadwave/laws/any_law.hpp"
#include "beadwave/laws/expression/settings.hpp"
#include "laws/expression/program.hpp"
#include "laws/law_slopes.hpp"

#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace beadwave::laws {
namespace {

constexpr std::array speeds = {1e-3, 0.1, 1.0, 10.0};  // [m/s]
constexpr double largest_part = 0.1;                   ///< of the effective radius
constexpr int halvings = 30;                           ///< from the largest overlap down

class Check {
  public:
    Check(const ExpressionProgram& program, const Contact& contact, const Settings& settings)
        : law_(expression_law(program, contact, settings)),
          stated_(program.energy.has_value()),
          pulls_(settings.is("separation", "gap")),
          uses_speed_(program.kind != ExpressionKind::elastic) {
        double largest = largest_part * contact.radius;
        if (!std::isfinite(largest) || !(largest > 0.0))
            largest = hertz_largest_overlap(contact.stiffness, contact.mass, speeds.back());
        for (int k = 0; k <= halvings; ++k)
            overlaps_.push_back(std::ldexp(largest, -k));
        // A contact that remembers its impact speed remembers one.
        if (program.kind == ExpressionKind::remembering) memory_[0] = 1.0;
    }

    void run() const {
        zero_at_closing();
        for (const double x : overlaps_) {
            finite(x);
            pulls(x);
            if (uses_speed_) gains(x);
        }
        energy();
    }

  private:
    [[noreturn]] static void fail(const char* key, const std::string& what) {
        throw ExpressionError(key, what);
    }
    double force(double overlap, double speed) const {
        return law_.respond(overlap, speed, memory_).force;
    }

    /// The value at zero overlap, as the law itself is zero there.
    void zero_at_closing() const {
        const double least = 1e-12 * overlaps_.back();
        const double there = force(least, 0.0), at_ease = force(overlaps_.back(), 0.0);
        if (!std::isfinite(there))
            fail("force", fmt::format("is {} at zero overlap and rate; it must be zero", there));
        if (std::fabs(there) > 0.1 * std::fabs(at_ease) && there != 0.0) {
            fail("force",
                 fmt::format("is {:.3g} N at zero overlap and rate; it must be zero there, or "
                             "contacts would close with a blow",
                             there));
        }
    }

    void finite(double x) const {
        std::vector<double> all{0.0};
        for (const double v : speeds)
            all.insert(all.end(), {v, -v});
        for (const double v : all) {
            if (!uses_speed_ && v != 0.0) continue;
            const double f = force(x, v);
            const Slopes<double> slopes = exact_slopes(law_, x, v, memory_);
            if (std::isfinite(f) && std::isfinite(slopes.stiffness + slopes.damping)) continue;
            fail("force", fmt::format("{} is not finite at delta = {:.3g} m, delta_dot = {:g} m/s",
                                      std::isfinite(f) ? "has a slope that" : "the force", x, v));
        }
    }

    void pulls(double x) const {
        const double f = force(x, 0.0);
        if (!(f < 0.0) && !(raw(x) < 0.0)) return;
        if (pulls_) return;
        fail("force",
             fmt::format("pulls with {:.3g} N at delta = {:.3g} m and rate 0; if it should, "
                         "separation = \"gap\" lets contacts last to zero overlap",
                         -std::min(f, raw(x)), x));
    }

    /// The force without its limit at zero.
    double raw(double x) const {
        AnyLaw unlimited = law_;
        unlimited.numbers().back() = -std::numeric_limits<double>::infinity();
        return unlimited.respond(x, 0.0, memory_).force;
    }

    /// A dashpot pushes no less when contact closes and no more when it opens.
    void gains(double x) const {
        const double still = force(x, 0.0), tolerance = 1e-9 * std::fabs(still);
        for (const double v : speeds) {
            const double closing = force(x, v), opening = force(x, -v);
            if (closing >= still - tolerance && opening <= still + tolerance) continue;
            fail("force",
                 fmt::format("makes energy: at delta = {:.3g} m it is {:.4g} N at rest, but "
                             "{:.4g} N when {} at {:g} m/s (delta_dot > 0 closes)",
                             x, still, closing < still ? closing : opening,
                             closing < still - tolerance ? "closing" : "opening", v));
        }
    }

    void energy() const {
        const double largest = overlaps_.front();
        if (stated_) {
            const double closed = law_.stored_energy(1e-12 * overlaps_.back(), memory_);
            const double all = law_.stored_energy(largest, memory_);
            if (!std::isfinite(all) || std::fabs(closed) > 1e-9 * std::fabs(all))
                fail("energy", fmt::format("is {:.3g} J at zero overlap; it must be zero", closed));
        }
        constexpr std::array parts = {1.0, 0.3, 0.03, 1e-3, 1e-5};
        for (const double part : parts)
            integral(part * largest);
    }

    /// Whether the stored energy is the integral of the force at rest.
    void integral(double x) const {
        using boost::math::quadrature::gauss_kronrod;
        double error = 0.0, size = 0.0;
        const auto at_rest = [&](double s) { return raw(x * s * s * s * s) * 4.0 * s * s * s; };
        const double exact =
            x * gauss_kronrod<double, 15>::integrate(at_rest, 0.0, 1.0, 14, 1e-13, &error, &size);
        const double given = law_.stored_energy(x, memory_);
        constexpr double tolerance = 1e-9;
        if (std::fabs(given - exact) <= tolerance * x * size) return;
        if (stated_) {
            fail("energy", fmt::format("is {:.6g} J at delta = {:.3g} m, but the force does "
                                       "{:.6g} J of work at rate 0 up to there",
                                       given, x, exact));
        }
        fail("energy",
             fmt::format("is missing: the force bends too sharply for its integral to be computed "
                         "in each contact (error {:.1e} at delta = {:.3g} m); state the stored "
                         "energy as a formula",
                         std::fabs(given - exact) / (x * size), x));
    }

    AnyLaw law_;
    bool stated_, pulls_, uses_speed_;
    std::vector<double> overlaps_;
    AnyMemory memory_{};
};

}  // namespace

void check_expression_numbers(const ExpressionProgram& program, const Contact& contact,
                              const Settings& s) {
    if (!(contact.mass > 0.0)) return;  // both bodies are fixed
    // Contacts of a disordered chain differ little, and so do impacts in a mechanism: one of each
    // kind is checked, always the same.
    const auto round_down = [](double& x) {
        if (x > 0.0 && std::isfinite(x)) x = std::exp2(std::floor(4.0 * std::log2(x)) / 4.0);
    };
    Contact c = contact;
    for (double* const x : {&c.radius, &c.modulus, &c.mass, &c.stiffness})
        round_down(*x);
    std::vector<double> key{program.number, c.radius,    c.modulus,
                            c.mass,         c.stiffness, s.is("separation", "gap") ? 1.0 : 0.0};
    for (const auto& [name, value] : s.values) {
        const double* const number = std::get_if<double>(&value);
        if (number == nullptr) continue;
        key.push_back(*number);
        if (name == "impact_speed") round_down(key.back());
    }
    static thread_local std::set<std::vector<double>> known;
    if (known.contains(key)) return;
    Settings checked = s;
    if (auto* const speed = std::get_if<double>(&checked.values.at("impact_speed")))
        round_down(*speed);
    Check(program, c, checked).run();
    constexpr std::size_t most = 10'000;  // of a long fit; then they are forgotten
    if (known.size() >= most) known.clear();
    known.insert(std::move(key));
}

}  // namespace beadwave::laws
