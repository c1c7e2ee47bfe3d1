// Reads a collision of two bodies in space from TOML: [[body]] twice, or [[body]] and [[wall]].
#pragma once

#include "beadwave/laws/contact.hpp"
#include "io/scenario/reading.hpp"
#include "io/toml/key.hpp"
#include "io/toml/toml_table.hpp"
#include "laws/tangential/friction.hpp"
#include "shapes/body.hpp"

#include <array>
#include <vector>

namespace beadwave::io {

struct ShapeCase {
    shapes::Pair pair;  ///< as given, before their flight
    /// The elasticity of the first body, and that of the second body or the wall.
    std::array<laws::Elasticity, 2> materials;
    laws::Friction friction{};
};

std::vector<Key> shape_case_keys();

/// All but [law], which needs the speed at which the bodies close. Throws InputError.
ShapeCase read_shape_case(const TomlTable& root, Reading& reading);

}  // namespace beadwave::io
