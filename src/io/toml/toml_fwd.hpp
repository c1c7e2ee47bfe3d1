// The names of toml++ for headers: its own header is as long as all others of a reader together.
#pragma once

namespace toml {
inline namespace v3 {  // as in toml++ 3, of which another version needs another name

class node;
class table;

}  // namespace v3
}  // namespace toml
