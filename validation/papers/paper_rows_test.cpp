// Every number that the papers print agrees with ours to its last digit. Otherwise its row gives
// the reason, or says that none is known.

#include "paper_row.hpp"
#include "tables.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <sstream>

namespace beadwave::validation::paper_rows_test {

namespace {

void check(const Paper& paper, std::size_t rows) {
    std::size_t agreeing = 0;
    for (const PaperRow& row : paper.rows) {
        CAPTURE(row.place);
        CAPTURE(row.what);
        CAPTURE(row.printed);
        CAPTURE(row.ours);
        if (row.why.empty()) {
            CHECK_MESSAGE(agrees(row), "differs, and the row gives no reason");
            CHECK(!row.unexplained);
        } else {
            // An explanation must not outlive its cause.
            CHECK_MESSAGE(!agrees(row), "agrees, but has an explanation: ", row.why);
            CHECK((!row.unexplained || !row.explained));
            if (row.explained) {
                CAPTURE(*row.explained);
                CHECK_MESSAGE(meets_print(row, *row.explained),
                              "the explanation does not give the printed number: ", row.why);
            }
        }
        agreeing += agrees(row);
    }
    CHECK(paper.rows.size() == rows);
    MESSAGE(paper.key, ": ", agreeing, " of ", rows, " numbers agree");
}

}  // namespace

TEST_CASE("the numbers of WangLiu2022 agree, or their rows say how they differ") {
    check(wang_liu_2022(), 74);
}

TEST_CASE("the numbers of Skrinjar2018 agree, or their rows say how they differ") {
    check(skrinjar_2018(), 140);
}

TEST_CASE("the numbers of WangReview2022 agree, or their rows say how they differ") {
    check(wang_review_2022(), 5);
}

TEST_CASE("the numbers of CorralReview agree, or their rows say how they differ") {
    check(corral_review(), 23);
}

TEST_CASE("the numbers of Poursina2020 agree, or their rows say how they differ") {
    check(poursina_2020(), 21);
}

TEST_CASE(
    "a number agrees with a print within half a unit of its last digit and 5 %, and with a bound "
    "from below") {
    const PaperRow overlap{.place = "", .what = "", .unit = "m", .printed = "1.5788e-6"};
    CHECK(meets_print(overlap, 1.57875e-6));
    CHECK(!meets_print(overlap, 1.57874e-6));
    PaperRow one_digit{.place = "", .what = "", .unit = "-", .printed = "-0.3", .ours = -0.31};
    CHECK(agrees(one_digit));
    one_digit.ours = -0.331;
    CHECK(!agrees(one_digit));
    const PaperRow limit{.place = "", .what = "", .unit = "-", .printed = "<= 6e-5"};
    CHECK(meets_print(limit, 0.0));
    CHECK(!meets_print(limit, 6.1e-5));
}

TEST_CASE("TABLES.md is what ./dev papers writes") {
    std::ifstream file(BEADWAVE_SOURCE_DIR "/validation/papers/TABLES.md");
    std::stringstream text;
    text << file.rdbuf();
    CHECK(text.str() == paper_tables());
}

}  // namespace beadwave::validation::paper_rows_test
