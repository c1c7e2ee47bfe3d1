// A formula as a graph: each subexpression once, constants folded, what depends on the contact
// alone kept apart. parse.hpp builds it from text, tapes_of.cpp makes tapes of it.
#pragma once

#include "beadwave/laws/expression/tape.hpp"
#include "laws/expression/own_functions.hpp"

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace beadwave::laws {

class Formula {
  public:
    using Node = int;  ///< its number
    static constexpr Node none = -1;

    enum class Input { overlap, approach_speed, impact_speed };

    Node literal(double value);
    Node input(Input);
    /// A number of the contact or a parameter; `positive`: it is never below zero.
    Node constant(std::string_view name, bool positive);
    /// The operation, or something simpler of the same value up to rounding.
    Node apply(Operation, Node a, Node b = none, Node c = none);
    Node power(Node base, Node exponent);
    Node square_root(Node);
    /// A function of one's own. Throws ArgumentError if an argument mixes overlap and rate.
    Node call(const OwnFunction&, std::vector<Node> arguments);

    bool uses(Node root, Input) const;
    /// The values of nodes that depend on constants alone; constant(name) is that of a constant.
    std::vector<double> values(const std::vector<Node>&,
                               const std::function<double(const std::string&)>& constant) const;

    struct Entry {
        enum class Kind { literal, input, constant, operation } kind;
        Operation operation{};
        Node a = none, b = none, c = none;
        double number = 0.0;     ///< of a literal
        Input input{};           ///< of an input
        std::string name{};      ///< of a constant, or of a function with its identity
        FunctionCall call{};     ///< of an own function
        bool fixed = false;      ///< depends on constants alone
        bool not_below = false;  ///< is never below zero
    };
    const Entry& operator[](Node node) const { return entries_[static_cast<std::size_t>(node)]; }

  private:
    Node keep(Entry);
    Node operation(Operation, Node a, Node b, Node c);
    Node add(Node a, Node b);
    Node multiply(Node a, Node b);
    Node divide(Node a, Node b);
    Node whole_power(Node base, int exponent);
    Node guarded(Node base);
    bool is(Node node, double number) const;
    bool is(Node node, Operation) const;
    /// Whether it is the result of a comparison.
    bool is_truth(Node node) const;
    bool fixed(Node node) const { return node == none || (*this)[node].fixed; }
    bool not_below(Node node) const { return (*this)[node].not_below; }
    bool stays_above(Operation, Node a, Node b, Node c) const;

    static constexpr std::size_t most_entries = 2000;
    std::vector<Entry> entries_;
    std::map<std::tuple<int, int, Node, Node, Node, std::uint64_t, std::string>, Node> known_;
};

/// The tapes of several results of a formula, which share their slots.
struct Compiled {
    std::vector<Tape> tapes;           ///< one per result
    std::vector<Formula::Node> slots;  ///< what each slot has
};

/// Throws ArgumentError if a result is too long.
Compiled tapes_of(const Formula&, const std::vector<Formula::Node>& results);

}  // namespace beadwave::laws
