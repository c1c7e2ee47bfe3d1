#include "cli/line.hpp"

#include <CLI/CLI.hpp>

namespace beadwave::cli {

Option Option::required() {
    option_->required();
    return *this;
}

Option Option::type_name(const std::string& name) {
    option_->type_name(name);
    return *this;
}

Option Option::range(int lowest, int highest) {
    option_->check(CLI::Range(lowest, highest));
    return *this;
}

Option Option::range(double lowest, double highest) {
    option_->check(CLI::Range(lowest, highest));
    return *this;
}

Option Option::range(std::uint64_t lowest, std::uint64_t highest) {
    option_->check(CLI::Range(lowest, highest));
    return *this;
}

Option Option::delimiter(char separator) {
    option_->delimiter(separator);
    return *this;
}

Option Option::take_all() {
    option_->take_all()->expected(1);
    return *this;
}

Option Option::excludes(const Option& other) {
    option_->excludes(other.option_);
    return *this;
}

Line::Line(CLI::App& app, const std::string& name, const std::string& help)
    : app_(app.add_subcommand(name, help)) {}

Option Line::add_option(const std::string& name, std::string& value, const std::string& help) {
    return Option(app_->add_option(name, value, help));
}

Option Line::add_option(const std::string& name, int& value, const std::string& help) {
    return Option(app_->add_option(name, value, help));
}

Option Line::add_option(const std::string& name, std::int64_t& value, const std::string& help) {
    return Option(app_->add_option(name, value, help));
}

Option Line::add_option(const std::string& name, std::uint64_t& value, const std::string& help) {
    return Option(app_->add_option(name, value, help));
}

Option Line::add_option(const std::string& name, double& value, const std::string& help) {
    return Option(app_->add_option(name, value, help));
}

Option Line::add_option(const std::string& name, std::optional<double>& value,
                        const std::string& help) {
    return Option(app_->add_option(name, value, help));
}

Option Line::add_option(const std::string& name, std::optional<std::int64_t>& value,
                        const std::string& help) {
    return Option(app_->add_option(name, value, help));
}

Option Line::add_option(const std::string& name, std::optional<std::string>& value,
                        const std::string& help) {
    return Option(app_->add_option(name, value, help));
}

Option Line::add_option(const std::string& name, std::vector<std::string>& value,
                        const std::string& help) {
    return Option(app_->add_option(name, value, help));
}

Option Line::add_flag(const std::string& name, bool& value, const std::string& help) {
    return Option(app_->add_flag(name, value, help));
}

bool Line::parsed() const {
    return app_->parsed();
}

}  // namespace beadwave::cli
