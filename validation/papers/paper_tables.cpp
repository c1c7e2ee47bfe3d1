// paper_tables FILE: writes the papers' numbers, printed and recomputed, as Markdown.
#define DOCTEST_CONFIG_IMPLEMENT
#include "tables.hpp"

#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: paper_tables FILE\n");
        return 2;
    }
    // The tables share helpers with the tests, whose assertions need a test context.
    doctest::Context context;
    context.setAsDefaultForAssertsOutOfTestCases();
    context.setAssertHandler([](const doctest::AssertData& assertion) {
        if (!assertion.m_failed) return;
        std::fprintf(stderr, "%s:%d: %s\n", assertion.m_file, assertion.m_line, assertion.m_expr);
        std::exit(1);
    });
    try {
        const std::string text = beadwave::validation::paper_tables();
        std::ofstream file(argv[1]);
        file << text;
        file.close();
        if (!file) throw std::runtime_error(std::string("cannot write ") + argv[1]);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "paper_tables: %s\n", error.what());
        return 1;
    }
}
