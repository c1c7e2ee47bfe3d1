// STL files, text and binary: read, judged, and where they have no fault made a surface.
#include "packing/walls/triangle_surface.hpp"
#include "subjects/packing/stl_file.hpp"
#include "target.hpp"

#include <string>
#include <vector>

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace beadwave;
    const std::string bytes(reinterpret_cast<const char*>(data), size);
    fuzz::attempt([&] {
        const std::vector<packing::Corners> triangles =
            io::read_stl({.name = "mesh.stl", .text = io::stl_text(bytes, "mesh.stl")});
        if (!packing::TriangleSurface::fault(triangles).empty()) return;
        const packing::TriangleSurface surface(triangles,
                                               packing::TriangleSurface::usual_feature_angle);
        const packing::NearestPoint at = surface.contact(surface.patch(0), {1.0, 2.0, 3.0}, 1e3);
        if (at.found() && !(at.distance >= 0.0)) __builtin_trap();
    });
    return 0;
}
