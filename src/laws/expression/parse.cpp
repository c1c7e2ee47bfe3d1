#include "laws/expression/parse.hpp"

#include "beadwave/argument_error.hpp"
#include "beadwave/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>

namespace beadwave::laws {
namespace {

using Node = Formula::Node;

struct Function {
    std::string_view name;
    std::size_t arguments;
    Operation operation;
};

constexpr std::array<Function, 12> functions{{{"sqrt", 1, Operation::square_root},
                                              {"exp", 1, Operation::exponential},
                                              {"log", 1, Operation::logarithm},
                                              {"tanh", 1, Operation::tanh},
                                              {"sin", 1, Operation::sine},
                                              {"cos", 1, Operation::cosine},
                                              {"abs", 1, Operation::absolute},
                                              {"sign", 1, Operation::sign},
                                              {"min", 2, Operation::minimum},
                                              {"max", 2, Operation::maximum},
                                              {"pow", 2, Operation::power},
                                              {"if", 3, Operation::choose}}};

/// Operators between two operands, the longer ones of equal beginnings first.
struct Binary {
    std::string_view text;
    int strength;  ///< how strongly it binds
    Operation operation;
    bool swaps = false, negates = false;  ///< a > b is b < a, a != b is !(a == b)
};
constexpr int of_sign = 6, of_power = 7;
constexpr std::array<Binary, 14> operators{{{"||", 1, Operation::maximum},
                                            {"&&", 2, Operation::minimum},
                                            {"<=", 3, Operation::less_equal},
                                            {">=", 3, Operation::less_equal, true},
                                            {"==", 3, Operation::equal},
                                            {"!=", 3, Operation::equal, false, true},
                                            {"<", 3, Operation::less},
                                            {">", 3, Operation::less, true},
                                            {"+", 4, Operation::add},
                                            {"-", 4, Operation::subtract},
                                            {"**", of_power, Operation::power},
                                            {"*", 5, Operation::multiply},
                                            {"/", 5, Operation::divide},
                                            {"^", of_power, Operation::power}}};

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

const Function* function_of(std::string_view name) {
    const auto found = std::ranges::find(functions, name, &Function::name);
    return found == functions.end() ? nullptr : &*found;
}

class Parser {
  public:
    Parser(std::string_view text, Formula& formula, const FormulaNames& names)
        : text_(text), formula_(formula), names_(names) {}

    Node parse() {
        constexpr std::size_t longest = 2000;
        if (text_.size() > longest) fail(longest, "the text is longer than 2000 characters");
        const Node all = operand(0);
        if (at_ < text_.size()) {
            fail(at_,
                 fmt::format("{} is not expected here; an operator or the end is", shown(at_)));
        }
        return all;
    }

  private:
    [[noreturn]] void fail(std::size_t at, const std::string& what) const {
        throw ArgumentError(fmt::format("column {}: {}", at + 1, what));
    }

    std::string shown(std::size_t at) const {
        if (at >= text_.size()) return "the end of the text";
        const char c = text_[at];
        return c > ' ' && c <= '~' ? fmt::format("\"{}\"", c) : "a character that is no ASCII";
    }

    void skip_blanks() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' ||
                                      text_[at_] == '\n' || text_[at_] == '\r'))
            ++at_;
    }

    bool take(std::string_view token) {
        skip_blanks();
        if (!text_.substr(at_).starts_with(token)) return false;
        at_ += token.size();
        return true;
    }

    void need(std::string_view token, const char* where) {
        if (!take(token)) fail(at_, fmt::format("\"{}\" is missing {}", token, where));
    }

    const Binary* next_operator() {
        skip_blanks();
        for (const Binary& each : operators)
            if (text_.substr(at_).starts_with(each.text)) return &each;
        return nullptr;
    }

    /// What stands before the next operator that binds no more strongly than `strength`.
    Node operand(int strength) {
        constexpr int deepest = 100;
        if (++depth_ > deepest) fail(at_, "is nested more than 100 deep");
        Node left = first();
        for (const Binary* each = next_operator(); each != nullptr && each->strength > strength;
             each = next_operator()) {
            at_ += each->text.size();
            // Powers group from the right, and comparisons do not follow one another.
            const bool is_power = each->strength == of_power;
            const Node right = operand(is_power ? of_power - 1 : each->strength);
            left = combined(*each, left, right);
            if (const Binary* next = each->strength == 3 ? next_operator() : nullptr;
                next != nullptr && next->strength == 3)
                fail(at_, "comparisons cannot follow one another; join them with &&");
        }
        --depth_;
        return left;
    }

    Node combined(const Binary& each, Node left, Node right) {
        if (each.strength == of_power) return formula_.power(left, right);
        if (each.strength <= 2) {
            left = condition(left);
            right = condition(right);
        }
        if (each.swaps) std::swap(left, right);
        const Node node = formula_.apply(each.operation, left, right);
        return each.negates ? opposite(node) : node;
    }

    /// 1 where it is not zero, otherwise 0.
    Node condition(Node node) { return opposite(opposite(node)); }
    Node opposite(Node node) {
        return formula_.apply(Operation::equal, node, formula_.literal(0.0));
    }

    Node first() {
        skip_blanks();
        const char next = at_ < text_.size() ? text_[at_] : '\0';
        if (take("(")) {
            const Node inside = operand(0);
            need(")", "here");
            return inside;
        }
        // -a^b is -(a^b), 2*-a is allowed.
        if (take("-")) return negative(operand(of_sign));
        if (take("+")) return operand(of_sign);
        if (next == '!' && take("!")) return opposite(operand(of_sign));
        if (is_digit(next) || next == '.') return number();
        if (is_letter(next)) return name();
        fail(at_, fmt::format("{} is not expected here; a number, a name or \"(\" is", shown(at_)));
    }

    Node negative(Node node) {
        return formula_.apply(Operation::multiply, node, formula_.literal(-1.0));
    }

    Node number() {
        double value = 0.0;
        const char* const begin = text_.data() + at_;
        const char* const end = text_.data() + text_.size();
        const auto [stop, error] = std::from_chars(begin, end, value);
        if (error != std::errc() || !std::isfinite(value)) fail(at_, "is not a number");
        const std::size_t place = at_;
        at_ += static_cast<std::size_t>(stop - begin);
        if (at_ < text_.size() && (is_letter(text_[at_]) || text_[at_] == '.')) {
            fail(place, fmt::format("\"{}\" is not a number; a product needs \"*\"",
                                    shortened(text_.substr(place, at_ + 1 - place))));
        }
        return formula_.literal(value);
    }

    Node name() {
        const std::size_t place = at_;
        while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_])))
            ++at_;
        const std::string word(text_.substr(place, at_ - place));
        skip_blanks();
        const bool called = at_ < text_.size() && text_[at_] == '(';
        const Function* const function = function_of(word);
        if (function != nullptr) {
            if (!called) fail(place, fmt::format("the function {} needs its arguments", word));
            return call(*function, place);
        }
        if (const OwnFunction* const own = own_function(word)) {
            if (!called) fail(place, fmt::format("the function {} needs its arguments", word));
            return formula_.call(*own, arguments(word, own->call.arguments, place));
        }
        const auto node = names_.node(word);
        if (node && !called) return *node;
        if (node) fail(place, fmt::format("\"{}\" is no function; a product needs \"*\"", word));
        std::vector<std::string> known;
        if (!called) known = names_.known;
        for (const Function& each : functions)
            known.emplace_back(each.name);
        for (const OwnFunction* const each : own_functions())
            known.push_back(each->name);
        const std::string hint = did_you_mean(word, known);
        std::string all;
        for (const std::string& each : known)
            all += (all.empty() ? "" : ", ") + each;
        fail(place, fmt::format("\"{}\" is not known{}", shortened(word),
                                !hint.empty() ? hint
                                : called      ? "; there are " + all +
                                               "; compiled functions come from Python: law_function"
                                         : "; there are " + all));
    }

    std::vector<Node> arguments(std::string_view function, std::size_t count, std::size_t place) {
        need("(", "here");
        std::vector<Node> given;
        do
            given.push_back(operand(0));
        while (take(","));
        need(")", "after the arguments");
        if (given.size() != count) {
            fail(place, fmt::format("{} takes {} argument{}, not {}", function, count,
                                    count == 1 ? "" : "s", given.size()));
        }
        return given;
    }

    Node call(const Function& function, std::size_t place) {
        std::vector<Node> given = arguments(function.name, function.arguments, place);
        if (function.operation == Operation::power) return formula_.power(given[0], given[1]);
        if (function.operation == Operation::square_root) return formula_.square_root(given[0]);
        given.resize(3, Formula::none);
        return formula_.apply(function.operation, given[0], given[1], given[2]);
    }

    std::string_view text_;
    Formula& formula_;
    const FormulaNames& names_;
    std::size_t at_ = 0;
    int depth_ = 0;
};

}  // namespace

Formula::Node parse(std::string_view text, Formula& formula, const FormulaNames& names) {
    return Parser(text, formula, names).parse();
}

bool is_formula_name(std::string_view name) {
    return !name.empty() && is_letter(name.front()) && function_of(name) == nullptr &&
           std::ranges::all_of(name, [](char c) { return is_letter(c) || is_digit(c); });
}

}  // namespace beadwave::laws
