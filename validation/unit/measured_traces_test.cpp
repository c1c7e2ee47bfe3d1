// Files of measured forces as instruments and spreadsheets write them: read right, or refused with
// the line and the reason.

#include "io/tables/measured_traces.hpp"

#include "beadwave/input_error.hpp"
#include "splitmix.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace beadwave::validation::measured_traces_test {

namespace {

/// A file that is removed at the end.
class CsvFile {
  public:
    CsvFile() {
        std::string name = (std::filesystem::temp_directory_path() / "beadwave-XXXXXX").string();
        close(mkstemp(name.data()));
        path_ = name;
    }
    ~CsvFile() { std::filesystem::remove(path_); }
    CsvFile(const CsvFile&) = delete;
    CsvFile& operator=(const CsvFile&) = delete;

    io::MeasuredTraces read(const std::string& text,
                            io::Readings readings = io::Readings::forces) const {
        write(text);
        constexpr std::array<std::int64_t, 2> sensors{9, 16};
        return io::read_measured_traces(path_, sensors, readings);
    }
    /// The file of one sensor.
    io::MeasuredTraces read_one(const std::string& text) const {
        write(text);
        constexpr std::array<std::int64_t, 1> sensors{9};
        return io::read_measured_traces(path_, sensors, io::Readings::voltages_too);
    }
    /// Without the name of the file.
    std::string error(const std::string& text) const {
        try {
            read(text);
            return "no error";
        } catch (const InputError& error) {
            return std::string(error.what()).substr(path_.size());
        }
    }

  private:
    void write(const std::string& text) const { std::ofstream(path_, std::ios::binary) << text; }

    std::string path_;
};

const std::string rows = "0,1,2\n0.5,3,4\n1.5,5,-6\n";

bool is_right(const io::MeasuredTraces& traces) {
    return traces.time == std::vector{0.0, 0.5, 1.5} &&
           traces.force == std::vector<std::vector<double>>{{1, 3, 5}, {2, 4, -6}} &&
           traces.sensors == std::vector<std::size_t>{0, 1};
}

}  // namespace

TEST_CASE("files of instruments and spreadsheets are read") {
    const CsvFile file;
    const std::string texts[] = {
        rows,
        "\xEF\xBB\xBF" + rows,
        "\xEF\xBB\xBFtime,bead 9,bead 16\n" + rows,
        "0;1;2\n0,5;3;4\n1,5;5;-6\n",
        "0\t1\t2\r\n0,5\t3\t4\r\n1.5e0\t5\t-6\r\n",
        "time bead_9 bead_16\n  0 1   2\n0.5\t3 4\n1.5 +5 -6\n",
        "\"time\";\"bead 9\";\"bead 16\"\n\"0\";\"1\";\"2\"\n\"0,5\";3;4\n1,5;5;-6\n",
        "Model,TDS3034B\nRecord Length,10000\n\nTIME,CH1,CH2\n0,1,2,\n0.5,3,4,\n1.5,5,-6,\n",
        "% from the laboratory; 2011\n# 2 sensors\n" + rows,
        "0,1,2\r0.5,3,4\r1.5,5,-6\r",
        "Probe,weight of 3 g\nTIME,CH1,CH2\n" + rows,
        "t [s]; bead 9 [N]; bead 16 [N]\n\n0; 1; 2\n0.5; 3; 4\n1.5; 5; -6"};
    for (const std::string& text : texts) {
        CAPTURE(text);
        if (text.find("1.5e0") != std::string::npos) {
            CHECK(file.error(text) ==
                  ":3: column 1 is \"1.5e0\", and earlier numbers have a "
                  "decimal comma");
        } else {
            CHECK(is_right(file.read(text)));
        }
    }
}

TEST_CASE("a comment that names the columns is a header, as NumPy writes it") {
    const CsvFile file;
    const std::string turned = "0,2,1\n0.5,4,3\n1.5,-6,5\n";
    io::MeasuredTraces traces = file.read("# time, bead 16, bead 9\n" + turned);
    CHECK(traces.sensors == std::vector<std::size_t>{1, 0});
    CHECK(traces.force == std::vector<std::vector<double>>{{2, 4, -6}, {1, 3, 5}});
    CHECK(is_right(file.read("# time of bead 9 and bead 16, in s\n# made today, bead 3\n" + rows)));
    CHECK(file.error("# time (ms), bead 9, bead 16\n" + rows) ==
          ":1: \"time (ms)\" is in ms; expected times in s and forces in N");
    CHECK(file.error("% t [ms], left, right\n" + rows) ==
          ":1: \"t [ms]\" is in ms; expected times in s and forces in N");
    CHECK(file.error("# time bead_9 bead_77\n0 1 2\n") ==
          ":1: column 3 is \"bead_77\"; the scenario has its sensors at 9, 16");
    // Other separators than those of the numbers, and comments that name no columns.
    for (const char* header : {"time, bead 16, bead 9", "time\tbead 16\tbead 9",
                               "t/s; bead 16; bead 9", "time in seconds, bead 16, bead 9"}) {
        CAPTURE(header);
        traces = file.read(std::string("# ") + header + "\n0 2 1\n0.5 4 3\n1.5 -6 5\n");
        CHECK(traces.sensors == std::vector<std::size_t>{1, 0});
    }
    CHECK(is_right(file.read("# t = 3e-5, bead 3 is struck\n" + rows)));
    CHECK(is_right(file.read(rows + "# time, bead 16, bead 9\n")));
}

TEST_CASE("a file that could be read in two ways is refused") {
    const CsvFile file;
    const std::string number = "; expected a finite number";
    const std::string missing = number + "; leave out a row without one of its numbers";
    CHECK(file.error("0.0x,1,2\n" + rows) == ":1: column 1 is \"0.0x\"" + number);
    CHECK(file.error("O.0,1,2\n" + rows) == ":1: column 1 is \"O.0\"" + number);
    CHECK(file.error("-,1,2\n" + rows) == ":1: column 1 is \"-\"" + number);
    CHECK(file.error(rows + "2,,3\n") == ":4: column 2 is \"\"" + missing);
    CHECK(file.error(rows + "2,nan,3\n") == ":4: column 2 is \"nan\"" + missing);
    CHECK(file.error("0;1;2\n0.5;3,5;4\n1.5;5;-6\n") ==
          ":2: column 2 is \"3,5\", and earlier numbers have a decimal point");
    CHECK(file.error("0;1;2\n0,5;1.003,5;4\n") == ":2: column 2 is \"1.003,5\"" + number);
    CHECK(file.error("0,0,1,0,2,0\n0,5,3,0,4,0\n")
              .ends_with("; with decimal commas, separate the columns by semicolons or tabs"));
    CHECK(file.error("time (ms),bead 9,bead 16\n" + rows) ==
          ":1: \"time (ms)\" is in ms; expected times in s and forces in N");
    CHECK(file.error("time_s,bead_9_kN,bead_16_kN\n" + rows) ==
          ":1: \"bead_9_kN\" is in kN; expected times in s and forces in N");
    CHECK(file.error("time,weight\n0,1,2\n") ==
          ":2: the header names weights and no force; expected one force for each sensor");
}

TEST_CASE("files of oscilloscopes that are no plain columns are read") {
    const CsvFile file;
    const std::vector<double> time{-0.5, 0.0, 0.5, 1.0}, readings{0.02, -0.01, 0.125, 0.5};
    const io::MeasuredTraces tektronix = file.read_one(
        "Record Length,4,\"Points\",-0.5,0.02,\r\nVertical Units,V,,0.0,-0.01,\r\n"
        "Horizontal Units,s,,0.5,0.125,\r\n,,,1.0,0.5,\r\n");
    CHECK(tektronix.time == time);
    CHECK(tektronix.force == std::vector<std::vector<double>>{readings});
    CHECK(tektronix.unit == "V");
    const std::string rigol =
        "X,CH1,CH2,Start,Increment,\nSequence,VOLT,VOLT,-0.5,0.5,\n"
        "0,0.02,1,,,\n1,-1.0e-02,2,,,\n2,0.125,3,,,\n3,0.5,4,,,\n";
    const io::MeasuredTraces counted = file.read(rigol, io::Readings::voltages_too);
    CHECK(counted.time == time);
    CHECK(counted.force == std::vector<std::vector<double>>{readings, {1, 2, 3, 4}});
    CHECK(counted.unit == "V");

    // Readings in V are refused where no gain is free, and a damaged row has its line.
    const std::string or_gain =
        "; expected times in s and forces in N, or a fit with a free gain of every sensor, such as "
        "--bounds sensor.gain=0.01:0.1, in V per N";
    CHECK(file.error(rigol) == ": \"V\" is in V" + or_gain);
    CHECK(file.error("TIME,CH1 (V),CH2 (V)\n" + rows) == ":1: \"CH1 (V)\" is in V" + or_gain);
    CHECK(file.error("Model,MSO\nVertical Units,V,V\nTIME,CH1,CH2\n" + rows) ==
          ":2: \"V\" is in V" + or_gain);
    CHECK(
        file.error("X,CH1,CH2,Start,Increment,\nSequence,N,N,-0.5,0.5,\n0,0.02,1,,,\n1,x,2,,,\n") ==
        ":4: column 2 is \"x\"; expected a finite number");
    CHECK_THROWS_WITH_AS(
        file.read("time (s),bead 9 (V),bead 16 (mV)\n" + rows, io::Readings::voltages_too),
        doctest::Contains(":1: \"bead 16 (mV)\" is in mV, and another column in V"), InputError);
    CHECK(
        file.read("time (s),bead 9 (mV),bead 16 (mV)\n" + rows, io::Readings::voltages_too).unit ==
        "mV");
}

TEST_CASE("columns that name no sensor are skipped where others name one") {
    const CsvFile file;
    const io::MeasuredTraces traces = file.read(
        "time (s),trigger (V),bead 9 (N),note,bead 16 (N),\n"
        "0,5,1,begin,2,\n0.5,0,3,,4,\n1.5,0,5,end,-6,\n");
    CHECK(is_right(traces));
    CHECK(traces.columns == std::vector<std::size_t>{3, 5});
    CHECK(traces.skipped == std::vector<std::string>{"trigger (V)", "note"});
    CHECK(file.error("time (s),trigger,bead 9,bead 16\n0,5,1\n")
              .starts_with(":2: 3 columns; expected 4"));
}

TEST_CASE("a thousand random files of every form are read right") {
    const CsvFile file;
    std::uint64_t state = 1;
    const auto uniform = [&](double low, double high) {
        state = validation::mixed(state);
        return low + (high - low) * static_cast<double>(state >> 11) * 0x1p-53;
    };
    const auto one_of = [&](std::size_t count) {
        return static_cast<std::size_t>(uniform(0.0, static_cast<double>(count)));
    };
    for (int trial = 0; trial < 1000; ++trial) {
        constexpr const char* separators[] = {",", ";", "\t", " ", "; ", ", ", "  "};
        constexpr const char* headers[] = {
            "", "time{0}bead 9{0}bead 16", "t_s{0}F_bead_9{0}F_bead_16",
            "Instrument{0}XY-7\nSamples{0}12\nTime{0}bead 9{0}bead 16"};
        const std::string separator = separators[one_of(std::size(separators))];
        const bool commas = separator.find(',') == std::string::npos && one_of(2) == 1;
        std::string header = headers[one_of(
            separator.find_first_not_of(' ') == std::string::npos ? 1 : std::size(headers))];
        std::string text = one_of(2) == 1 ? "\xEF\xBB\xBF" : "";
        if (!header.empty()) text += fmt::format(fmt::runtime(header), separator) + "\n";
        std::vector<double> times;
        std::vector<std::vector<double>> forces(2);
        double time = uniform(-1e-3, 1e-3);
        const std::size_t count = 3 + one_of(20);
        for (std::size_t row = 0; row < count; ++row, time += uniform(1e-9, 1e-5)) {
            const double a = uniform(-1e3, 1e3), b = uniform(-1e-3, 1e-3);
            std::string line = fmt::format("{}{}{}{}{}", time, separator, a, separator, b);
            if (commas) std::ranges::replace(line, '.', ',');
            text += line + (one_of(2) == 1 ? "\r\n" : "\n");
            times.push_back(time);
            forces[0].push_back(a);
            forces[1].push_back(b);
        }
        CAPTURE(text);
        const io::MeasuredTraces traces = file.read(text);
        CHECK(traces.time == times);
        CHECK(traces.force == forces);
    }
}

}  // namespace beadwave::validation::measured_traces_test
