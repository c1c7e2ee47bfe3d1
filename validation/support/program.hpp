// Runs the program as users do, and collects its output.
#pragma once

#include <doctest/doctest.h>
#include <stdlib.h>  // NOLINT: mkdtemp is POSIX's, not the standard library's
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace beadwave::validation {

inline std::string read_file(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

inline void write_file(const std::filesystem::path& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
}

/// A temporary folder of this test, empty at first. It is removed with this object.
class Folder {
  public:
    Folder() {
        std::string name = (std::filesystem::temp_directory_path() / "beadwave-XXXXXX").string();
        REQUIRE(mkdtemp(name.data()) != nullptr);
        path_ = name;
    }
    ~Folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    const std::filesystem::path& path() const { return path_; }
    std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

  private:
    std::filesystem::path path_;
};

struct Said {
    int status;
    std::string out, err;
};

/// Runs a shell command inside the folder; "beadwave" in it is the program under test.
inline Said shell(const Folder& folder, const std::string& command) {
    const std::string line = "cd '" + folder.path().string() +
                             "' && { beadwave() { '" BEADWAVE_PROGRAM "' \"$@\"; }; " + command +
                             "; } >'" + (folder / ".out").string() + "' 2>'" +
                             (folder / ".err").string() + "'";
    const int status = std::system(line.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_file(folder / ".out"),
            read_file(folder / ".err")};
}

/// Checks that two histories in the folder are equal to the bit. `options` of compare_histories.py.
inline void check_same_histories(const Folder& folder, const std::string& one = "whole.h5",
                                 const std::string& other = "cut.h5",
                                 const std::string& options = "") {
    const Said said = shell(folder, "'" BEADWAVE_PYTHON "' '" BEADWAVE_SOURCE_DIR
                                    "/validation/cli/compare_histories.py' " +
                                        one + " " + other + " " + options);
    CHECK_MESSAGE(said.status == 0, said.out, said.err);
}

}  // namespace beadwave::validation
