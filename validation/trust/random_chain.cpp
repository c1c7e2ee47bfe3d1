#include "random_scenario.hpp"
#include "random_words.hpp"

#include <fmt/format.h>

#include <cstddef>

namespace beadwave::validation {
namespace {

class Author {
  public:
    explicit Author(std::uint64_t number) : dice_(number) {}

    RandomScenario write() {
        text_ = materials();
        pressed_ = dice_.chance(0.15);
        segments();
        text_ += random_law(dice_, speed_, pressed_);
        boundaries();
        loads();
        text_ += "[time]\nend = END\n[sensors]\nbeads = [";
        for (std::size_t bead = 0; bead < beads_; ++bead)
            text_ += fmt::format("{}{}", bead == 0 ? "" : ", ", bead);
        text_ += "]\n";
        return {.text = text_, .files = files_, .contacts = dice_.decades(0.5, 60.0)};
    }

  private:
    void segments() {
        const std::size_t count = 1 + dice_.below(4);
        const bool mixed = dice_.chance(0.6);
        const bool sizes = dice_.chance(0.6);
        const double largest_ratio = dice_.decades(1.1, 100.0);
        const double radius = dice_.decades(1e-4, 2e-2);
        const std::size_t stuff = dice_.below(material_names().size());
        speed_ = dice_.decades(1e-3, 10.0);
        for (std::size_t s = 0; s < count; ++s) {
            const std::size_t beads = s == 0 && count > 1 ? 1 : 1 + dice_.below(6);
            const bool moves = s == 0 ? !dice_.chance(0.1) : dice_.chance(0.25);
            text_ +=
                fmt::format("[[segment]]\nbeads = {}\nradius = {:.6g}\nmaterial = \"{}\"\n", beads,
                            sizes ? radius / dice_.decades(1.0, largest_ratio) : radius,
                            material_names()[mixed ? dice_.below(material_names().size()) : stuff]);
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

    void press() {
        text_ += "left = { kind = \"driven\", file = \"press.csv\" }\n";
        files_["boundary.left.file"] = random_press(dice_);
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

RandomScenario random_chain(std::uint64_t number) {
    return Author(number).write();
}

}  // namespace beadwave::validation
