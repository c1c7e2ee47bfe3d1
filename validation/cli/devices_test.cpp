// `beadwave devices`: instruction sets and GPUs, with a library in the place of NVIDIA's driver.

#include "device/embedded_code.hpp"
#include "program.hpp"
#include "simd/instruction_sets.hpp"

#include <nlohmann/json.hpp>

namespace beadwave::validation::devices_test {

namespace {

using nlohmann::json;

const std::string stub = "BEADWAVE_CUDA_DRIVER='" BEADWAVE_STUB_DRIVER "' ";
const std::string nowhere = "BEADWAVE_CUDA_DRIVER=/nowhere/libcuda.so.1 ";
const std::string why =
    "there is no driver of NVIDIA for a GPU: /nowhere/libcuda.so.1: cannot open shared object "
    "file: No such file or directory";

json devices(const std::string& environment) {
    const Folder folder;
    const Said said = shell(folder, "export " + environment + "; beadwave devices --json");
    CHECK(said.status == 0);
    CHECK(said.err.empty());
    return json::parse(said.out);
}

}  // namespace

TEST_CASE("beadwave devices lists the GPUs of the driver and the code for them") {
    const json found = devices(stub);
    CHECK(found.at("gpus") == json::array({{{"name", "Stub"},
                                            {"memory", 1000000},
                                            {"compute_capability", "9.5"},
                                            {"driver", "12.4"}}}));
    CHECK(!found.contains("no_gpu"));
    CHECK(found.at("gpu_code") == json(device::embedded_modules()));

    const Folder folder;
    const Said said = shell(folder, "export " + stub + "; beadwave devices");
    CHECK(said.status == 0);
    CHECK(said.out.find("\nGPU        Stub: 0.0 GB, compute capability 9.5, driver for CUDA "
                        "12.4\nGPU code   ") != std::string::npos);
}

TEST_CASE("beadwave devices says why there is no GPU, and succeeds") {
    const json found = devices(nowhere);
    CHECK(found.at("gpus").empty());
    CHECK(found.at("no_gpu") == why);

    const Folder folder;
    const Said said = shell(folder, "export " + nowhere + "; beadwave devices");
    CHECK(said.status == 0);
    CHECK(said.out.find("\nGPU        none: " + why + "\n") != std::string::npos);
}

TEST_CASE("beadwave devices lists the instruction sets that runs use") {
    json names = json::array();
    for (const simd::InstructionSet& set : simd::instruction_sets())
        names.push_back(set.name);
    CHECK(devices(nowhere).at("instruction_sets") == names);
    const std::string slowest = "BEADWAVE_INSTRUCTION_SET=baseline ";
    const Folder folder;
    const Said said = shell(folder, "export " + slowest + nowhere + "; beadwave devices --json");
    if (said.status == 0) {
        CHECK(json::parse(said.out).at("instruction_sets").size() == 1);
    } else {  // a build for one better set
        CHECK(said.err.find("BEADWAVE_INSTRUCTION_SET") != std::string::npos);
    }
}

}  // namespace beadwave::validation::devices_test
