#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>

namespace {

unsigned chosen = 0;  // how many cases the options choose

struct Count : doctest::IReporter {
    explicit Count(const doctest::ContextOptions& /*options*/) {}
    void test_run_end(const doctest::TestRunStats& run) override {
        chosen = run.numTestCasesPassingFilters;
    }
    void report_query(const doctest::QueryData&) override {}
    void test_run_start() override {}
    void test_case_start(const doctest::TestCaseData&) override {}
    void test_case_reenter(const doctest::TestCaseData&) override {}
    void test_case_end(const doctest::CurrentTestCaseStats&) override {}
    void test_case_exception(const doctest::TestCaseException&) override {}
    void subcase_start(const doctest::SubcaseSignature&) override {}
    void subcase_end() override {}
    void log_assert(const doctest::AssertData&) override {}
    void log_message(const doctest::MessageData&) override {}
    void test_case_skipped(const doctest::TestCaseData&) override {}
};
REGISTER_LISTENER("count", 1, Count);

}  // namespace

// BEADWAVE_CASES: how many cases run, so that a name that no case has is found where others run
// with it.
int main(int count, char** words) {
    doctest::Context context(count, words);
    const int status = context.run();
    if (context.shouldExit()) return status;
    const char* const wanted = std::getenv("BEADWAVE_CASES");
    if (wanted == nullptr || std::strtoul(wanted, nullptr, 10) == chosen) return status;
    std::printf("%u cases run, not %s\n", chosen, wanted);
    return 1;
}
