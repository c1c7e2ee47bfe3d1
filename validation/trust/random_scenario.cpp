#include "random_scenario.hpp"

#include "beadwave/laws/catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace beadwave::validation {
namespace {

/// SplitMix64: simple, and the same everywhere.
class Dice {
  public:
    /// Streams of different seeds have nothing in common: a seed is mixed before it is a state.
    explicit Dice(std::uint64_t seed) : state_(seed) { state_ = next() ^ (next() << 1); }

    double part() { return static_cast<double>(next() >> 11) * 0x1p-53; }  ///< in [0, 1)
    double between(double low, double high) { return low + (high - low) * part(); }
    double decades(double low, double high) { return low * std::pow(high / low, part()); }
    bool chance(double probability) { return part() < probability; }
    std::size_t below(std::size_t count) {
        return std::min(count - 1, static_cast<std::size_t>(part() * static_cast<double>(count)));
    }

  private:
    std::uint64_t next() {
        std::uint64_t z = (state_ += 0x9E3779B97F4A7C15ULL);
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
        return z ^ (z >> 31);
    }

    std::uint64_t state_;
};

struct Stuff {
    const char* name;
    double modulus, poisson, yield, density;
};

constexpr std::array stuffs = {
    Stuff{"steel", 193e9, 0.3, 9e8, 7850},    Stuff{"brass", 103e9, 0.34, 2e8, 8500},
    Stuff{"glass", 62e9, 0.2, 2e9, 2500},     Stuff{"ptfe", 0.5e9, 0.46, 2e7, 2170},
    Stuff{"rubber", 1e7, 0.48, 1e6, 1100},    Stuff{"lead", 16e9, 0.44, 1e7, 11340},
    Stuff{"carbide", 600e9, 0.22, 5e9, 15600}};

class Author {
  public:
    explicit Author(std::uint64_t number) : dice_(number) {}

    RandomScenario write() {
        materials();
        pressed_ = dice_.chance(0.15);
        segments();
        law();
        boundaries();
        loads();
        text_ += "[time]\nend = END\n[sensors]\nbeads = [";
        for (std::size_t bead = 0; bead < beads_; ++bead)
            text_ += fmt::format("{}{}", bead == 0 ? "" : ", ", bead);
        text_ += "]\n";
        return {.text = text_, .files = files_, .contacts = dice_.decades(0.5, 60.0)};
    }

  private:
    void materials() {
        for (const Stuff& stuff : stuffs) {
            text_ += fmt::format(
                "[material.{}]\nyoungs_modulus = {}\npoisson_ratio = {}\nyield_stress = {}\n"
                "density = {}\n",
                stuff.name, stuff.modulus, stuff.poisson, stuff.yield, stuff.density);
        }
    }

    void segments() {
        const std::size_t count = 1 + dice_.below(4);
        const bool mixed = dice_.chance(0.6);
        const bool sizes = dice_.chance(0.6);
        const double largest_ratio = dice_.decades(1.1, 100.0);
        const double radius = dice_.decades(1e-4, 2e-2);
        const std::size_t stuff = dice_.below(stuffs.size());
        speed_ = dice_.decades(1e-3, 10.0);
        for (std::size_t s = 0; s < count; ++s) {
            const std::size_t beads = s == 0 && count > 1 ? 1 : 1 + dice_.below(6);
            const bool moves = s == 0 ? !dice_.chance(0.1) : dice_.chance(0.25);
            text_ += fmt::format("[[segment]]\nbeads = {}\nradius = {:.6g}\nmaterial = \"{}\"\n",
                                 beads, sizes ? radius / dice_.decades(1.0, largest_ratio) : radius,
                                 stuffs[mixed ? dice_.below(stuffs.size()) : stuff].name);
            if (moves && !pressed_) {
                text_ += fmt::format("velocity = {:.6g}\n",
                                     speed_ * dice_.between(s == 0 ? 0.5 : -1.0, 1.0));
            }
            if (!pressed_ && dice_.chance(0.25)) {
                text_ += fmt::format("gap = {:.6g}\n", radius * dice_.decades(1e-6, 1e-2));
            } else if (!pressed_ && dice_.chance(0.1)) {
                text_ += fmt::format("gap = {:.6g}\n", -radius * dice_.decades(1e-7, 1e-5));
            }
            beads_ += beads;
        }
    }

    void law() {
        const auto all = laws::catalogue();
        const laws::Entry* entry = nullptr;
        while (entry == nullptr || entry->make == nullptr || needs_file(*entry))
            entry = &all[dice_.below(all.size())];
        text_ += fmt::format("[law]\nname = \"{}\"\n", entry->name);
        for (const laws::Parameter& p : entry->parameters)
            parameter(p);
    }

    static bool needs_file(const laws::Entry& entry) {
        return std::ranges::any_of(entry.parameters,
                                   [](const laws::Parameter& p) { return p.is_file; });
    }

    void parameter(const laws::Parameter& p) {
        if (p.name == "restitution") {
            number(p, dice_.between(0.02, 1.0));
        } else if (p.name == "impact_speed") {
            const bool own = pressed_ || dice_.chance(0.4);
            if (own && p.accepts("per-contact") && dice_.chance(0.7)) {
                text_ += "impact_speed = \"per-contact\"\n";
            } else if (own) {
                number(p, speed_ * dice_.decades(0.1, 10.0));
            }
        } else if (p.name == "impact_speed_floor") {
            number(p, speed_ * dice_.decades(1e-3, 1.0));
        } else if (p.required() && p.number_allowed) {
            const double usual = p.example.value_or(1.0);
            const double wanted = usual * dice_.decades(0.03, 30.0);
            number(p, p.accepts(wanted) ? wanted : usual);
        } else if (!p.words.empty() && dice_.chance(0.3)) {
            const auto word = p.words[dice_.below(p.words.size())];
            if (word != "initial" && word != "per-contact")
                text_ += fmt::format("{} = \"{}\"\n", p.name, word);
        }
    }

    void number(const laws::Parameter& p, double value) {
        if (p.accepts(value)) text_ += fmt::format("{} = {:.6g}\n", p.name, value);
    }

    void boundaries() {
        text_ += "[boundary]\n";
        if (pressed_) {
            press();
        } else if (dice_.chance(0.2)) {
            const double frequency = dice_.decades(200.0, 1e5);
            const double amplitude = speed_ / (6.28 * frequency);
            text_ += fmt::format(
                "left = {{ kind = \"driven\", frequency = {:.6g}, amplitude = {:.6g} }}\n",
                frequency, amplitude);
        } else {
            text_ += fmt::format("left = \"{}\"\n", dice_.chance(0.4) ? "wall" : "free");
        }
        walled_ = pressed_ || dice_.chance(0.5);
        text_ += fmt::format("right = \"{}\"\n", walled_ ? "wall" : "free");
    }

    /// A smooth push, from slow to fast.
    void press() {
        const double depth = dice_.decades(1e-7, 3e-5), time = dice_.decades(3e-5, 3e-3);
        std::string csv = "time_s,displacement_m\n";
        constexpr int rows = 40;
        for (int row = 0; row <= rows; ++row) {
            const double t = static_cast<double>(row) / rows;
            csv += fmt::format("{:.9g},{:.9g}\n", time * t, depth * t * t * (3.0 - 2.0 * t));
        }
        text_ += "left = { kind = \"driven\", file = \"press.csv\" }\n";
        files_["boundary.left.file"] = csv;
    }

    void loads() {
        if (walled_ && dice_.chance(0.1))
            text_ += fmt::format("[gravity]\nacceleration = 9.81\nequilibrium = {}\n",
                                 dice_.chance(0.5) ? "true" : "false");
        if (!pressed_ && dice_.chance(0.1))
            text_ += fmt::format("[precompression]\nforce = {:.6g}\n", dice_.decades(1e-3, 1e2));
    }

    Dice dice_;
    std::string text_;
    std::map<std::string, std::string> files_;
    std::size_t beads_ = 0;
    double speed_ = 1.0;
    bool pressed_ = false, walled_ = false;
};

}  // namespace

RandomScenario random_scenario(std::uint64_t number) {
    return Author(number).write();
}

}  // namespace beadwave::validation
