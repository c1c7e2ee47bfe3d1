// From a formula to tapes: the operations in order, a register for each result that is still
// needed.

#include "beadwave/argument_error.hpp"
#include "laws/expression/formula.hpp"

#include <algorithm>
#include <set>

namespace beadwave::laws {
namespace {

using Node = Formula::Node;

class Compiler {
  public:
    Compiler(const Formula& formula, std::vector<Node>& slots) : formula_(formula), slots_(slots) {}

    Tape compile(Node result) {
        visit(result);
        fuse();
        for (const Node node : needed_)
            place_leaf(node);
        tape_.slots = static_cast<std::uint8_t>(slots_.size());
        assign_leaves();
        count_uses(result);
        for (const Node node : needed_) {
            if (!is_leaf(node) && !fused_.contains(node)) emit(node);
        }
        tape_.result = register_of(result);
        return tape_;
    }

  private:
    const Formula::Entry& at(Node node) const { return formula_[node]; }
    bool is_leaf(Node node) const {
        return at(node).fixed || at(node).kind != Formula::Entry::Kind::operation;
    }

    /// Nodes ascend, so operands come before what uses them.
    void visit(Node node) {
        if (node == Formula::none || !needed_.insert(node).second || is_leaf(node)) return;
        for (const Node operand : {at(node).a, at(node).b, at(node).c})
            visit(operand);
    }

    /// Products that are used once, by a sum or another product.
    void fuse() {
        std::map<Node, int> uses;
        for (const Node node : needed_) {
            if (is_leaf(node)) continue;
            for (const Node operand : {at(node).a, at(node).b, at(node).c})
                if (operand != Formula::none) ++uses[operand];
        }
        // From the result on: a product that is a part of another has no part of its own.
        for (auto it = needed_.rbegin(); it != needed_.rend(); ++it) {
            const Node node = *it;
            if (is_leaf(node) || fused_.contains(node)) continue;
            if (at(node).operation != Operation::add && at(node).operation != Operation::multiply)
                continue;
            for (const Node operand : {at(node).a, at(node).b}) {
                if (is_leaf(operand) || at(operand).operation != Operation::multiply ||
                    uses[operand] != 1 || product_of_.contains(operand))
                    continue;
                fused_.insert(operand);
                product_of_[node] = operand;
                break;
            }
        }
    }

    void place_leaf(Node node) {
        if (!is_leaf(node)) return;
        const Formula::Entry& entry = at(node);
        if (entry.kind == Formula::Entry::Kind::input) return;
        if (entry.kind == Formula::Entry::Kind::literal) {
            if (tape_.literals == Tape::most_literals)
                throw ArgumentError("has more different numbers than the 16 that are possible");
            tape_.literal[tape_.literals++] = entry.number;
            literals_.push_back(node);
        } else if (std::ranges::find(slots_, node) == slots_.end()) {
            if (slots_.size() == Tape::most_slots) {
                throw ArgumentError(
                    "needs more than 8 constants per contact; write what depends on constants "
                    "alone together, such as 4/3*E*sqrt(R)");
            }
            slots_.push_back(node);
        }
    }

    void assign_leaves() {
        for (const Node node : needed_) {
            const Formula::Entry& entry = at(node);
            if (!is_leaf(node) || entry.kind != Formula::Entry::Kind::input) continue;
            place_[node] = static_cast<std::uint8_t>(entry.input);
        }
        for (std::size_t k = 0; k < slots_.size(); ++k)
            place_[slots_[k]] = static_cast<std::uint8_t>(Tape::first_slot + k);
        for (std::size_t k = 0; k < literals_.size(); ++k)
            place_[literals_[k]] = static_cast<std::uint8_t>(tape_.first_literal() + k);
        const std::size_t first = tape_.first_literal() + tape_.literals;
        for (std::size_t k = Tape::most_registers; k > first; --k)
            free_.push_back(static_cast<std::uint8_t>(k - 1));
    }

    std::vector<Node> operands_of(Node node) const {
        const auto product = product_of_.find(node);
        if (product == product_of_.end()) return {at(node).a, at(node).b, at(node).c};
        const Node other = at(node).a == product->second ? at(node).b : at(node).a;
        return {at(product->second).a, at(product->second).b, other};
    }

    void count_uses(Node result) {
        for (const Node node : needed_) {
            if (is_leaf(node) || fused_.contains(node)) continue;
            for (const Node operand : operands_of(node))
                if (operand != Formula::none) ++left_[operand];
        }
        ++left_[result];
    }

    std::uint8_t register_of(Node node) const {
        return node == Formula::none ? 0 : place_.at(node);
    }

    std::uint8_t function_of(const FunctionCall& call) {
        if (functions_ == Tape::most_functions)
            throw ArgumentError("calls functions of your own more than 4 times");
        tape_.function[functions_] = call;
        return static_cast<std::uint8_t>(functions_++);
    }

    void emit(Node node) {
        const std::vector<Node> operands = operands_of(node);
        const bool adds = at(node).operation == Operation::add;
        Instruction each{.operation = !product_of_.contains(node) ? at(node).operation
                                      : adds                      ? Operation::multiply_add
                                                                  : Operation::product,
                         .out = 0,
                         .a = register_of(operands[0]),
                         .b = register_of(operands[1]),
                         .c = register_of(operands[2])};
        for (const Node operand : operands) {
            if (operand == Formula::none || is_leaf(operand) || --left_[operand] > 0) continue;
            free_.push_back(place_[operand]);
        }
        if (free_.empty() || tape_.instructions == Tape::most_instructions)
            throw ArgumentError("has more than the 96 operations that are possible");
        if (each.operation == Operation::call) each.function = function_of(at(node).call);
        // The operands may be overwritten: each number is read before its result is written.
        each.out = place_[node] = free_.back();
        free_.pop_back();
        tape_.code[tape_.instructions++] = each;
    }

    const Formula& formula_;
    std::vector<Node>& slots_;
    Tape tape_;
    std::size_t functions_ = 0;
    std::set<Node> needed_, fused_;
    std::vector<Node> literals_;
    std::map<Node, Node> product_of_;  // of a sum
    std::map<Node, std::uint8_t> place_;
    std::map<Node, int> left_;  // uses that are still to come
    std::vector<std::uint8_t> free_;
};

}  // namespace

Compiled tapes_of(const Formula& formula, const std::vector<Node>& results) {
    Compiled compiled;
    for (const Node result : results)
        compiled.tapes.push_back(Compiler(formula, compiled.slots).compile(result));
    return compiled;
}

}  // namespace beadwave::laws
