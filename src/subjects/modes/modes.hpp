// The linear modes of a scenario about its static equilibrium.
#pragma once

#include "jobs/job.hpp"
#include "linear/chain_operator.hpp"
#include "linear/packing_operator.hpp"
#include "modes/interruptible.hpp"
#include "modes/modes_file.hpp"

#include <nlohmann/json_fwd.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace beadwave::tasks {

/// A system linearised about its static equilibrium.
struct LinearSystem {
    std::variant<linear::ChainOperator, linear::PackingOperator> linear;
    std::vector<std::int64_t> body;               ///< numbers of the bodies that move
    std::vector<std::array<double, 3>> position;  ///< of these [m]
    std::vector<std::string> warnings;
};

/// Throws InputError that starts with `name`.
LinearSystem linearise(const jobs::Job& job, const std::string& name);

struct ModesRequest {
    std::string scenario{};
    std::vector<std::string> overrides{};
    std::string output{};    ///< MODES.h5; empty: no file is written
    std::string transfer{};  ///< "low:high:count" [Hz]; empty: no transfer function
    std::string input{};     ///< see modes::TransferRequest; empty: the driven wall
    std::string path{};      ///< "a,b,c:a,b,c:...", corners of wave vectors in units of the
                             ///< reciprocal vectors; empty: see modes::dispersion()
    std::string grid{};      ///< "n" or "n,n,n", points of a grid of wave vectors; empty: none
    std::size_t lowest = 0;  ///< of a packing only so many modes; 0: all
    bool no_modes = false;   ///< only bands and the transfer function
    int threads = 0;         ///< 0: all
    bool overwrite = false;  ///< replace a file that holds no modes
    modes::Stop stop{};      ///< ends the work; not within a single decomposition of LAPACK
};

/// The result: a few lines of text, or one JSON object.
struct ModesResult {
    modes::Analysis analysis;
    std::vector<std::string> warnings;
    std::string file;  ///< empty: none
    std::variant<linear::ChainOperator, linear::PackingOperator> linear;

    std::string text() const;
    nlohmann::ordered_json json() const;
};

/// Checks that the file can be written, if there is one. Throws InputError, std::runtime_error.
ModesResult modes_of(const ModesRequest& request);

/// Writes the file, if there is one. Throws InputError, std::runtime_error.
void write_modes(const ModesResult& result, const ModesRequest& request);

/// As modes_of(request), but for a job in place of the request's scenario and overrides; errors
/// call the job `name`.
ModesResult modes_of(const jobs::Job& job, const std::string& name, const ModesRequest& request);

}  // namespace beadwave::tasks
