#include "io/tables/collision_trajectory.hpp"

#include "io/durable/atomic_file.hpp"

#include <fmt/format.h>

#include <fstream>
#include <string>
#include <string_view>

namespace beadwave::io {
namespace {

constexpr std::string_view header = "time_s,overlap_m,approach_speed_m_per_s,force_N\n";

bool is_trajectory(const std::filesystem::path& path) {
    std::string start(header.size(), '\0');
    std::ifstream file(path, std::ios::binary);
    file.read(start.data(), static_cast<std::streamsize>(start.size()));
    return file.good() && start == header;
}

constexpr ResultKind trajectory_result{.name = "the trajectory of a collision",
                                       .is_one = is_trajectory};

}  // namespace

void write_collision_trajectory(const Output& output,
                                const std::vector<laws::CollisionMoment>& moments) {
    std::string text(header);
    for (const laws::CollisionMoment& now : moments) {
        text += fmt::format("{},{},{},{}\n", now.time, now.overlap, now.approach_speed, now.force);
    }
    AtomicFile result(output, trajectory_result);
    result.write(text);
    result.commit();
}

}  // namespace beadwave::io
