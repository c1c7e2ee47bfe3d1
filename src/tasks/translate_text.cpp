// A translation as JSON and as text.
#include "tasks/translate.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <sstream>
#include <variant>

namespace beadwave::tasks {
namespace {

using nlohmann::ordered_json;
using translation::Point;
using translation::Translation;

ordered_json as_json(const Translation& t, const std::vector<Point>& points) {
    ordered_json json{{"model", t.model->name},
                      {"formula", t.model->formula},
                      {"source", t.model->source},
                      {"parameters", ordered_json::array()},
                      {"input", t.model->input(t.numbers, t.touch)},
                      {"largest_error", t.largest_error},
                      {"rms_error", t.rms_error},
                      {"largest_duration_error", t.largest_duration_error},
                      {"cannot", t.cannot},
                      {"remark", t.model->remark},
                      {"restitution", ordered_json::array()}};
    for (const translation::Key& key : t.model->keys(t.numbers, t.touch)) {
        json["parameters"].push_back(
            {{"key", key.key}, {"value", key.value}, {"unit", key.unit}, {"meaning", key.meaning}});
    }
    for (std::size_t i = 0; i < points.size(); ++i) {
        ordered_json row{{"speed", points[i].speed}, {"mass", points[i].mass}};
        if (points[i].parts) {
            row["law"] = points[i].restitution;
        } else {
            row["law"] = nullptr;  // the bodies do not part
        }
        row["program"] = t.restitution[i];
        row["duration"] = t.duration[i];  // of the program; infinite is null
        json["restitution"].push_back(row);
    }
    return json;
}

std::string indented(const std::string& lines) {
    std::string text;
    std::istringstream all(lines);
    for (std::string line; std::getline(all, line);)
        text += "    " + line + "\n";
    return text;
}

std::string value_text(const laws::Value& value) {
    if (const double* number = std::get_if<double>(&value)) return fmt::format("{:g}", *number);
    return std::get<std::string>(value);
}

/// The restitution over speed of the law and of the first models, at the middle mass.
std::string table(const translation::Translated& found) {
    constexpr std::size_t most = 3;
    const std::size_t models = std::min(found.models.size(), most);
    std::string text = fmt::format("  restitution\n    {:>12}{:>10}", "speed [m/s]", "law");
    for (std::size_t m = 0; m < models; ++m)
        text += fmt::format("{:>10}", fmt::format("model {}", m + 1));
    text += "\n";
    std::size_t first = 0;
    for (const Point& p : found.points)
        if (p.mass < found.points[found.points.size() / 2].mass) ++first;
    for (std::size_t i = first;
         i < found.points.size() && found.points[i].mass == found.points[first].mass; ++i) {
        const Point& p = found.points[i];
        text += fmt::format("    {:>12.4g}{:>10}", p.speed,
                            p.parts ? fmt::format("{:.5f}", p.restitution) : "stick");
        for (std::size_t m = 0; m < models; ++m)
            text += fmt::format("{:>10.5f}", found.models[m].restitution[i]);
        text += "\n";
    }
    return text;
}

}  // namespace

ordered_json LawTranslation::json() const {
    ordered_json json{{"law", law.name},
                      {"program", program->name},
                      {"law_parameters", ordered_json::object()},
                      {"contact",
                       {{"effective_radius", contact.radius},
                        {"effective_modulus", contact.modulus},
                        {"effective_mass", contact.mass},
                        {"stiffness", contact.stiffness}}},
                      {"speeds", {speeds.low, speeds.high}},
                      {"masses", {masses.low, masses.high}}};
    for (const auto& [name, value] : law.values) {
        if (const double* number = std::get_if<double>(&value)) {
            json["law_parameters"][name] = *number;
        } else {
            json["law_parameters"][name] = std::get<std::string>(value);
        }
    }
    if (found.models.empty()) {
        json["cannot"] = found.cannot;
        json["parameters"] = ordered_json::array();
        json["restitution"] = ordered_json::array();
        json["other_models"] = ordered_json::array();
    } else {
        json.update(as_json(found.models.front(), found.points));
        json["other_models"] = ordered_json::array();
        for (std::size_t m = 1; m < found.models.size(); ++m)
            json["other_models"].push_back(as_json(found.models[m], found.points));
    }
    json["warnings"] = warnings;
    return json;
}

std::string LawTranslation::text() const {
    std::string text = fmt::format("{} in {}\n", law.name, program->title);
    if (found.models.empty()) return text + "\n  " + found.cannot + "\n";
    std::string given;
    for (const auto& [name, value] : law.values)
        given += fmt::format("{}{} {}", given.empty() ? "" : ", ", name, value_text(value));
    if (!given.empty()) text += fmt::format("  law           {}\n", given);
    text += fmt::format(
        "  contact       effective radius {:g} m, modulus {:.6g} Pa\n"
        "  range         {:g} to {:g} m/s, effective mass {:.4g} to {:.4g} kg\n",
        contact.radius, contact.modulus, speeds.low, speeds.high, masses.low, masses.high);
    int number = 0;
    for (const Translation& t : found.models) {
        text += fmt::format("\n{}. {}\n  formula       {}\n", ++number, t.model->name,
                            t.model->formula);
        for (const translation::Key& key : t.model->keys(t.numbers, t.touch)) {
            text += fmt::format("  {:<32}{:>14.8g} {:<10} {}\n", key.key, key.value, key.unit,
                                key.meaning);
        }
        text += indented(t.model->input(t.numbers, t.touch));
        text += fmt::format(
            "  error         restitution {:.2g} at most, {:.2g} rms; duration {:.3g} %\n",
            t.largest_error, t.rms_error, 100.0 * t.largest_duration_error);
        if (!t.cannot.empty()) text += fmt::format("  {}\n", t.cannot);
        if (!t.model->remark.empty()) text += fmt::format("  {}\n", t.model->remark);
    }
    return text + "\n" + table(found);
}

}  // namespace beadwave::tasks
