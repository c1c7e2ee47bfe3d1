// Measurements made from runs, and fits to them by the program.
#pragma once

#include "program.hpp"
#include "relative.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace beadwave::validation {

inline const std::string source = BEADWAVE_SOURCE_DIR;
inline const std::string scripts = BEADWAVE_PYTHON " '" + source + "/validation/";

inline std::string config(const std::string& name) {
    return "'" + source + "/configs/" + name + ".toml' ";
}

/// Few beads, a short time.
inline const std::string short_chain = config("chain70") +
                                       "--set segment.1.beads=30 --set time.end=250e-6 --set "
                                       "'sensors.beads=[5,10,15,20]' ";

/// Makes lab.csv, a measurement, from a run of `scenario`.
inline void measure(const Folder& folder, const std::string& scenario,
                    const std::string& options = "") {
    const Said run = shell(folder, "beadwave run " + scenario + "--quiet -o lab.h5");
    REQUIRE_MESSAGE(run.status == 0, run.err);
    const Said lab = shell(folder, scripts + "fit/laboratory.py' lab.h5 lab.csv " + options);
    REQUIRE_MESSAGE(lab.status == 0, lab.err);
}

inline nlohmann::json fit(const Folder& folder, const std::string& options) {
    const Said said =
        shell(folder, "beadwave fit --measured lab.csv --json --quiet -o fit.h5 " + options);
    REQUIRE_MESSAGE(said.status == 0, said.err);
    return nlohmann::json::parse(said.out);
}

/// The parameters of the best law are within five standard errors of the true values.
inline void check_found(const nlohmann::json& law, const std::vector<double>& truths) {
    const nlohmann::json& parameters = law.at("parameters");
    REQUIRE(parameters.size() == truths.size());
    for (std::size_t k = 0; k < truths.size(); ++k) {
        CAPTURE(parameters[k].dump());
        const double error = parameters[k].at("standard_error"), value = parameters[k].at("value");
        CHECK(error > 0.0);
        CHECK_ABSOLUTE(value, truths[k], 5.0 * error);
        CHECK(error < 0.05 * truths[k]);
        CHECK(!parameters[k].at("at_bound").get<bool>());
    }
}

}  // namespace beadwave::validation
