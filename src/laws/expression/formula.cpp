#include "laws/expression/formula.hpp"

#include "beadwave/argument_error.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <utility>

namespace beadwave::laws {
namespace {

/// The operation on plain numbers.
double operated(Operation operation, double a, double b, double c) {
    Tape tape;
    tape.instructions = 1;
    tape.code[0] = {operation, 3, 0, 1, 2};
    double numbers[4] = {a, b, c, 0.0};
    run_tape(tape, numbers, 1, 1);
    return numbers[3];
}

}  // namespace

Formula::Node Formula::keep(Entry entry) {
    const std::tuple key{static_cast<int>(entry.kind),
                         entry.kind == Entry::Kind::input ? static_cast<int>(entry.input)
                                                          : static_cast<int>(entry.operation),
                         entry.a,
                         entry.b,
                         entry.c,
                         std::bit_cast<std::uint64_t>(entry.number),
                         entry.name};
    if (entries_.size() == most_entries) throw ArgumentError("is too long");
    const auto [found, is_new] = known_.emplace(key, static_cast<Node>(entries_.size()));
    if (is_new) entries_.push_back(std::move(entry));
    return found->second;
}

Formula::Node Formula::literal(double value) {
    Entry entry{.kind = Entry::Kind::literal};
    entry.number = value;
    entry.fixed = true;
    entry.not_below = value >= 0.0;
    return keep(std::move(entry));
}

Formula::Node Formula::input(Input which) {
    Entry entry{.kind = Entry::Kind::input};
    entry.input = which;
    entry.not_below = which != Input::approach_speed;
    return keep(std::move(entry));
}

Formula::Node Formula::constant(std::string_view name, bool positive) {
    Entry entry{.kind = Entry::Kind::constant};
    entry.name = name;
    entry.fixed = true;
    entry.not_below = positive;
    return keep(std::move(entry));
}

bool Formula::is(Node node, double number) const {
    return (*this)[node].kind == Entry::Kind::literal && (*this)[node].number == number;
}

bool Formula::is(Node node, Operation operation) const {
    return (*this)[node].kind == Entry::Kind::operation && (*this)[node].operation == operation;
}

bool Formula::is_truth(Node node) const {
    return is(node, Operation::less) || is(node, Operation::less_equal) ||
           is(node, Operation::equal);
}

bool Formula::stays_above(Operation operation, Node a, Node b, Node c) const {
    switch (operation) {
        case Operation::multiply:
            return a == b || (not_below(a) && not_below(b));
        case Operation::add:
        case Operation::divide:
        case Operation::ratio:
        case Operation::minimum:
            return not_below(a) && not_below(b);
        case Operation::maximum:
            return not_below(a) || not_below(b);
        case Operation::choose:
            return not_below(b) && not_below(c);
        case Operation::nan_below_zero:
        case Operation::square_root:
        case Operation::root:
        case Operation::power_3_2:
        case Operation::power:
        case Operation::exponential:
        case Operation::absolute:
        case Operation::less:
        case Operation::less_equal:
        case Operation::equal:
            return true;
        case Operation::tanh:
            return not_below(a);
        default:
            return false;
    }
}

Formula::Node Formula::operation(Operation operation, Node a, Node b, Node c) {
    const auto plain = [&](Node node) {
        return node == none || (*this)[node].kind == Entry::Kind::literal;
    };
    if (plain(a) && plain(b) && plain(c)) {
        const auto number = [&](Node node) { return node == none ? 0.0 : (*this)[node].number; };
        return literal(operated(operation, number(a), number(b), number(c)));
    }
    Entry entry{.kind = Entry::Kind::operation};
    entry.operation = operation;
    entry.a = a;
    entry.b = b;
    entry.c = c;
    entry.fixed = fixed(a) && fixed(b) && fixed(c);
    entry.not_below = stays_above(operation, a, b, c);
    return keep(std::move(entry));
}

Formula::Node Formula::apply(Operation which, Node a, Node b, Node c) {
    switch (which) {
        case Operation::add:
            return add(a, b);
        case Operation::subtract:
            if (fixed(b) && !fixed(a)) return add(a, apply(Operation::negate, b));
            return operation(which, a, b, c);
        case Operation::multiply:
            return multiply(a, b);
        case Operation::divide:
            return divide(a, b);
        case Operation::absolute:
            return not_below(a) ? a : operation(which, a, none, none);
        case Operation::minimum:
        case Operation::maximum: {
            // The operation passes on what is no number of the first operand alone.
            const Node least = operation(which, a, b, none);
            if ((*this)[b].kind != Entry::Kind::operation || fixed(b) || is_truth(b)) return least;
            return operation(Operation::choose, operation(Operation::equal, b, b, none), least, b);
        }
        default:
            return operation(which, a, b, c);
    }
}

/// Constants to the right, and together.
Formula::Node Formula::add(Node a, Node b) {
    if (fixed(a) && !fixed(b)) std::swap(a, b);
    if (is(b, 0.0)) return a;
    if (is(a, Operation::add) && fixed(b) && fixed((*this)[a].b) && !fixed(a))
        return add((*this)[a].a, add((*this)[a].b, b));
    return operation(Operation::add, a, b, none);
}

Formula::Node Formula::multiply(Node a, Node b) {
    if (fixed(a) && !fixed(b)) std::swap(a, b);
    if (is(b, 1.0)) return a;
    const auto has_factor = [&](Node node) {
        return is(node, Operation::multiply) && !fixed(node) && fixed((*this)[node].b);
    };
    if (has_factor(a)) {
        const Node inner = (*this)[a].a, factor = (*this)[a].b;
        if (fixed(b)) return multiply(inner, multiply(factor, b));
        return multiply(multiply(inner, b), factor);
    }
    if (has_factor(b)) return multiply(multiply(a, (*this)[b].a), (*this)[b].b);
    return operation(Operation::multiply, a, b, none);
}

Formula::Node Formula::divide(Node a, Node b) {
    if (fixed(b) && !fixed(a)) return multiply(a, divide(literal(1.0), b));
    const auto has_factor = [&](Node node) {
        return is(node, Operation::multiply) && !fixed(node) && fixed((*this)[node].b);
    };
    if (has_factor(a)) return multiply(divide((*this)[a].a, b), (*this)[a].b);
    if (has_factor(b)) return multiply(divide(a, (*this)[b].a), divide(literal(1.0), (*this)[b].b));
    // Impact speeds have a lower limit above zero.
    const bool by_speed =
        (*this)[b].kind == Entry::Kind::input && (*this)[b].input == Input::impact_speed;
    return operation(by_speed ? Operation::ratio : Operation::divide, a, b, none);
}

Formula::Node Formula::guarded(Node base) {
    return not_below(base) ? base : operation(Operation::nan_below_zero, base, none, none);
}

Formula::Node Formula::square_root(Node x) {
    return operation(not_below(x) ? Operation::root : Operation::square_root, x, none, none);
}

Formula::Node Formula::whole_power(Node base, int exponent) {
    if (exponent == 0) return literal(1.0);
    if (exponent < 0) return divide(literal(1.0), whole_power(base, -exponent));
    if (exponent == 1) return base;
    const Node half = whole_power(base, exponent / 2);
    const Node square = multiply(half, half);
    return exponent % 2 == 0 ? square : multiply(square, base);
}

/// Whole powers by products, halves and quarters by roots.
Formula::Node Formula::power(Node base, Node exponent) {
    if ((*this)[exponent].kind != Entry::Kind::literal)
        return operation(Operation::power, guarded(base), exponent, none);
    const double n = (*this)[exponent].number;
    constexpr double most = 16.0, most_whole = 1024.0;
    if (n == std::trunc(n) && std::fabs(n) <= most_whole)
        return whole_power(base, static_cast<int>(n));
    if (n < 0.0) return divide(literal(1.0), power(base, literal(-n)));
    const Node x = guarded(base);
    if (n == 1.5) return operation(Operation::power_3_2, x, none, none);
    const double whole = std::floor(n), rest = n - whole;
    if (whole > most || 4.0 * rest != std::trunc(4.0 * rest))
        return operation(Operation::power, x, exponent, none);
    if (rest == 0.5 && whole >= 1.0) {
        return multiply(whole_power(x, static_cast<int>(whole) - 1),
                        operation(Operation::power_3_2, x, none, none));
    }
    const Node root = square_root(x);
    Node part = rest == 0.5 ? root : square_root(root);
    if (rest == 0.75) part = multiply(root, part);
    return multiply(whole_power(x, static_cast<int>(whole)), part);
}

Formula::Node Formula::call(const OwnFunction& function, std::vector<Node> arguments) {
    Entry entry{.kind = Entry::Kind::operation};
    entry.operation = Operation::call;
    entry.name = function.name + function.identity;
    entry.call = function.call;
    for (std::size_t k = 0; k < arguments.size(); ++k) {
        if (!uses(arguments[k], Input::approach_speed)) continue;
        entry.call.rates |= 1U << k;
        if (uses(arguments[k], Input::overlap)) {
            throw ArgumentError(fmt::format(
                "argument {} of {} mixes delta and delta_dot; give them as two arguments", k + 1,
                function.name));
        }
    }
    arguments.resize(3, none);
    entry.a = arguments[0];
    entry.b = arguments[1];
    entry.c = arguments[2];
    return keep(std::move(entry));
}

bool Formula::uses(Node root, Input which) const {
    std::vector<char> seen(entries_.size());
    std::vector<Node> next{root};
    while (!next.empty()) {
        const Node node = next.back();
        next.pop_back();
        if (node == none || std::exchange(seen[static_cast<std::size_t>(node)], 1) != 0) continue;
        const Entry& entry = (*this)[node];
        if (entry.kind == Entry::Kind::input && entry.input == which) return true;
        next.insert(next.end(), {entry.a, entry.b, entry.c});
    }
    return false;
}

std::vector<double> Formula::values(
    const std::vector<Node>& nodes,
    const std::function<double(const std::string&)>& constant) const {
    std::map<Node, double> known{{none, 0.0}};
    const std::function<double(Node)> value = [&](Node node) {
        if (const auto found = known.find(node); found != known.end()) return found->second;
        const Entry& entry = (*this)[node];
        double number = entry.number;
        if (entry.kind == Entry::Kind::constant) number = constant(entry.name);
        if (entry.kind == Entry::Kind::operation)
            number = operated(entry.operation, value(entry.a), value(entry.b), value(entry.c));
        return known[node] = number;
    };
    std::vector<double> all;
    for (const Node node : nodes)
        all.push_back(value(node));
    return all;
}

}  // namespace beadwave::laws
