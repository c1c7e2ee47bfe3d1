// Branches of periodic orbits: a real file with altered groups and datasets, or with changed or
// missing bytes; and the journal of an unfinished branch, with any bytes as its rows. The first
// byte selects.
//
// The points of a journal that are accepted must be the same when it is read again.
#include "altered_file.hpp"
#include "memory_file.hpp"
#include "real_files.hpp"
#include "subjects/orbits/branch_file.hpp"
#include "subjects/orbits/branch_journal.hpp"
#include "target.hpp"

#include <cstdlib>
#include <fstream>
#include <string>

namespace {

using namespace beadwave;

constexpr std::uint64_t branch_sum = 7;

orbits::BranchPoint point(double value) {
    return {.value = value,
            .frequency = 100.0 * value,
            .energy = 1e-5,
            .amplitude = 1e-6,
            .stability = {.multipliers = {{1.1, 0.0}, {0.5, 0.2}, {0.5, -0.2}, {0.3, 0.0}},
                          .instabilities = {{"tangent", {1.1, 0.0}}},
                          .total = 4},
            .least_overlap = 1e-7,
            .state = {{1e-6, -1e-6}, {0.1, 0.0}}};
}

tasks::BranchResult real_branch() {
    tasks::BranchResult result{.key = "frequency", .branch = {}};
    result.branch.points = {point(1.0), point(2.0)};
    result.branch.bifurcations.push_back({.kind = "fold",
                                          .value = 1.5,
                                          .frequency = 150.0,
                                          .multiplier = 1.0,
                                          .after = 0,
                                          .amplitude = 1e-6,
                                          .energy = 1e-5,
                                          .state = point(1.5).state});
    result.steps = 64;
    result.bead = {0, 1};
    result.radius = {1e-3, 1e-3};
    result.samples = 2;
    result.motion.assign(8, 1e-7);
    return result;
}

std::string contents(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void read_file(const fuzz::Image& original, std::uint8_t kind, fuzz::Bytes& choices) {
    static const fuzz::MemoryFile file;
    fuzz::Image image = original;
    if (kind == 0) {
        image = fuzz::altered(image, 0, choices);
    } else {
        fuzz::scratch(image, choices);
    }
    file.hold(image);
    fuzz::attempt([] {
        const tasks::BranchResult read = tasks::read_branch(file.path());
        if (read.branch.points.empty()) std::abort();
    });
    fuzz::close_discarded();
}

std::size_t points_in(const std::filesystem::path& branch) {
    return tasks::BranchJournal({branch.string(), false}, branch_sum).points();
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    static const fuzz::Folder folder;
    static const std::filesystem::path unfinished = folder / "b.h5", rows = folder / "b.h5.rows";
    static const fuzz::Image original = [] {
        tasks::write_branch_file({(folder / "real.h5").string(), true}, "", real_branch());
        return fuzz::image_of(folder / "real.h5");
    }();
    // The first line and one row.
    static const std::string journal = [] {
        tasks::BranchJournal written({unfinished.string(), false}, branch_sum);
        written.add(real_branch().branch,
                    {.point = {.x = {1e-6}, .parameter = 1.0, .direction = {1.0}}, .length = 0.1});
        return contents(rows);
    }();
    fuzz::Bytes choices({data, size});
    const std::uint8_t kind = choices.byte() % 4;
    if (kind < 2) {
        read_file(original, kind, choices);
        return 0;
    }
    std::string text = journal;
    if (kind == 2) {
        text.resize(journal.find('\n') + 1);
        const auto rest = choices.take(size);
        text.append(rest.begin(), rest.end());
    } else {
        fuzz::Image image(text.begin(), text.end());
        fuzz::scratch(image, choices);
        text.assign(image.begin(), image.end());
    }
    std::ofstream(rows, std::ios::binary) << text;
    fuzz::attempt([] {
        const std::size_t found = points_in(unfinished);
        if (points_in(unfinished) != found) std::abort();
    });
    return 0;
}
