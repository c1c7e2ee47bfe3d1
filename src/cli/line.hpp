// The part of a command on the command line: its arguments, options and flags. The library that
// reads them, CLI11, is behind it: it costs every file that includes it three seconds.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace beadwave::cli {

/// An option that was added. Each function refines it.
class Option {
  public:
    explicit Option(CLI::Option* option) : option_(option) {}

    Option required();
    /// Sets the name of its value in the help: "SECONDS".
    Option type_name(const std::string& name);
    /// The value must be in this range.
    Option range(int lowest, int highest);
    Option range(double lowest, double highest);
    Option range(std::uint64_t lowest, std::uint64_t highest);
    /// The value is a list, separated by this.
    Option delimiter(char separator);
    /// Each one of several values is one more element.
    Option take_all();
    /// Not both may be given.
    Option excludes(const Option& other);

  private:
    CLI::Option* option_;
};

/// The value that it holds is set when the command line has been read.
class Line {
  public:
    /// Adds a command. `app` must outlive it.
    Line(CLI::App& app, const std::string& name, const std::string& help);

    /// An option ("-o,--output") or, without a dash, an argument ("SCENARIO").
    Option add_option(const std::string& name, std::string& value, const std::string& help);
    Option add_option(const std::string& name, int& value, const std::string& help);
    Option add_option(const std::string& name, std::int64_t& value, const std::string& help);
    Option add_option(const std::string& name, std::uint64_t& value, const std::string& help);
    Option add_option(const std::string& name, double& value, const std::string& help);
    Option add_option(const std::string& name, std::optional<double>& value,
                      const std::string& help);
    Option add_option(const std::string& name, std::optional<std::int64_t>& value,
                      const std::string& help);
    Option add_option(const std::string& name, std::optional<std::string>& value,
                      const std::string& help);
    Option add_option(const std::string& name, std::vector<std::string>& value,
                      const std::string& help);
    Option add_flag(const std::string& name, bool& value, const std::string& help);

    /// Whether this command was given.
    bool parsed() const;

  private:
    CLI::App* app_;
};

}  // namespace beadwave::cli
