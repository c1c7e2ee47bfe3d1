// Gives the files of a corpus to a target as libFuzzer does, without Clang.
//
//     replay FOLDER
#include "target.hpp"

#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <set>
#include <vector>

int main(int count, char** words) {
    if (count != 2) {
        std::cerr << "usage: " << words[0] << " FOLDER\n";
        return 2;
    }
    std::set<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(words[1]))
        files.insert(entry.path());
    for (const auto& path : files) {
        std::cout << path.filename().string() << std::endl;  // flushed: it may be the last
        std::ifstream file(path, std::ios::binary);
        const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
        LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    }
    std::cout << files.size() << " files\n";
    return files.empty() ? 1 : 0;
}
