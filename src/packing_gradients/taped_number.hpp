// A number that notes how it was computed, for the reverse sweep through the code of one pair. Each
// operation adds a node with its derivatives by at most two numbers; going back through the nodes
// multiplies and adds these. Values are those of the same code on doubles, to the bit; conditions
// use the value only. Derivatives at places where a root has none are 0, as in
// laws/dual_number.hpp.
#pragma once

#include "beadwave/laws/number.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace beadwave::packing_gradients {

/// The nodes of a thread, in the order of their operations.
class Tape {
  public:
    static constexpr std::int32_t constant = -1;  ///< the place of a number without derivatives

    /// The one that numbers of this thread are on, since begin().
    static Tape& own() { return *own_; }
    /// Empties the tape of this thread.
    static Tape& begin() {
        static thread_local Tape tape;
        tape.size_ = 0;
        own_ = &tape;
        return tape;
    }

    std::size_t size() const { return size_; }

    std::int32_t note(std::int32_t first, double by_first, std::int32_t second = constant,
                      double by_second = 0.0) {
        if (first == constant && second == constant) return constant;
        return add_node({first, second, by_first, by_second});
    }
    std::int32_t note_input() { return add_node({constant, constant, 0.0, 0.0}); }

    /// All derivatives become 0.
    void begin_sweep() { bars_.assign(size_, 0.0); }
    void add(std::int32_t place, double bar) {
        if (place != constant) bars_[static_cast<std::size_t>(place)] += bar;
    }
    double bar(std::int32_t place) const {
        return place == constant ? 0.0 : bars_[static_cast<std::size_t>(place)];
    }
    /// Goes back from node `end` (without it) to node `begin`, which is the last to spread its
    /// derivative.
    void sweep(std::size_t end, std::size_t begin) {
        for (std::size_t k = end; k-- > begin;) {
            if (bars_[k] == 0.0) continue;
            const Node& node = nodes_[k];
            add(node.first, bars_[k] * node.by_first);
            add(node.second, bars_[k] * node.by_second);
        }
    }

  private:
    struct Node {
        std::int32_t first, second;
        double by_first, by_second;
    };
    std::int32_t add_node(const Node& node) {
        if (size_ == nodes_.size()) nodes_.resize(2 * size_);
        nodes_[size_] = node;
        return static_cast<std::int32_t>(size_++);
    }

    // Constant at the start, so that no operation asks whether it exists.
    static inline constinit thread_local Tape* own_ = nullptr;
    std::vector<Node> nodes_ = std::vector<Node>(1024);
    std::size_t size_ = 0;
    std::vector<double> bars_;
};

struct TapedNumber {
    double value = 0.0;
    std::int32_t place = Tape::constant;

    TapedNumber() = default;
    TapedNumber(double number) : value(number) {}  // NOLINT: laws mix both
    TapedNumber(double number, std::int32_t at) : value(number), place(at) {}

    static TapedNumber input(double number) { return {number, Tape::own().note_input()}; }

    static TapedNumber made(double value, const TapedNumber& x, double slope) {
        return {value, Tape::own().note(x.place, slope)};
    }
    static TapedNumber made(double value, const TapedNumber& x, double by_x, const TapedNumber& y,
                            double by_y) {
        return {value, Tape::own().note(x.place, by_x, y.place, by_y)};
    }

    friend TapedNumber operator+(const TapedNumber& a, const TapedNumber& b) {
        return made(a.value + b.value, a, 1.0, b, 1.0);
    }
    friend TapedNumber operator-(const TapedNumber& a, const TapedNumber& b) {
        return made(a.value - b.value, a, 1.0, b, -1.0);
    }
    friend TapedNumber operator*(const TapedNumber& a, const TapedNumber& b) {
        return made(a.value * b.value, a, b.value, b, a.value);
    }
    friend TapedNumber operator/(const TapedNumber& a, const TapedNumber& b) {
        const double quotient = a.value / b.value;
        return made(quotient, a, 1.0 / b.value, b, -quotient / b.value);
    }
    friend TapedNumber operator-(const TapedNumber& a) { return made(-a.value, a, -1.0); }

    friend bool operator<(const TapedNumber& a, const TapedNumber& b) { return a.value < b.value; }
    friend bool operator>(const TapedNumber& a, const TapedNumber& b) { return a.value > b.value; }
    friend bool operator<=(const TapedNumber& a, const TapedNumber& b) {
        return a.value <= b.value;
    }

    // Found by argument-dependent lookup, also where one argument is a plain number.

    friend TapedNumber select(bool condition, const TapedNumber& yes, const TapedNumber& no) {
        return condition ? yes : no;
    }
    friend TapedNumber max(const TapedNumber& x, const TapedNumber& low) {
        return x < low ? low : x;
    }
    friend TapedNumber sqrt(const TapedNumber& x) {
        const double root = std::sqrt(x.value);
        return made(root, x, root > 0.0 ? 0.5 / root : 0.0);
    }
    friend TapedNumber exp(const TapedNumber& x) {
        const double power = std::exp(x.value);
        return made(power, x, power);
    }
    /// x^y for x >= 0; at x = 0 with slopes of 0.
    friend TapedNumber pow(const TapedNumber& x, const TapedNumber& y) {
        const double power = std::pow(x.value, y.value);
        if (!(x.value > 0.0)) return {power};
        return made(power, x, y.value * power / x.value, y, power * std::log(x.value));
    }
    friend TapedNumber root(const TapedNumber& x) { return sqrt(x); }
    friend TapedNumber inverse_sqrt(const TapedNumber& x) {
        const double y = 1.0 / std::sqrt(x.value);
        return made(y, x, -0.5 * y * y * y);
    }
};

}  // namespace beadwave::packing_gradients
