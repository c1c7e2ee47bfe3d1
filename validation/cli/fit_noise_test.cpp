// Fits to noise that is not white, equal and normal: a warning that names it, and options that
// allow for it.

#include "program.hpp"
#include "relative.hpp"
#include "sanitised.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <string>
#include <vector>

namespace beadwave::validation::fit_noise_test {

using nlohmann::json;

namespace {

const std::string chain = "'" BEADWAVE_SOURCE_DIR
                          "/configs/chain70.toml' --set segment.1.beads=30 --set time.end=250e-6 "
                          "--set 'sensors.beads=[5,10,15,20]' ";
const std::string bounds = "--bounds law.psi=2:4 --bounds segment.0.velocity=1.2:2.5 ";

void make_history(const Folder& folder) {
    const Said run = shell(folder, "beadwave run " + chain + "--set law.psi=2.7 --quiet -o lab.h5");
    REQUIRE_MESSAGE(run.status == 0, run.err);
}

void record(const Folder& folder, const std::string& options) {
    const Said lab =
        shell(folder, BEADWAVE_PYTHON " '" BEADWAVE_SOURCE_DIR
                                      "/validation/fit/laboratory.py' lab.h5 lab.csv " +
                          options);
    REQUIRE_MESSAGE(lab.status == 0, lab.err);
}

json fit_chain(const Folder& folder, const std::string& options = "") {
    const Said said = shell(folder, "beadwave fit " + chain + bounds +
                                        "--measured lab.csv --json --quiet -o fit.h5 " + options);
    REQUIRE_MESSAGE(said.status == 0, said.err);
    return json::parse(said.out);
}

bool warned(const json& all, const std::string& text) {
    return all.at("laws")[0].at("warnings").dump().find(text) != std::string::npos;
}

/// How far psi and the speed are off, in standard errors, and these.
struct Off {
    double psi, speed, psi_error, speed_error;
};
Off off(const json& all) {
    const json& p = all.at("laws")[0].at("parameters");
    const double errors[] = {p[0].at("standard_error"), p[1].at("standard_error")};
    return {(p[0].at("value").get<double>() - 2.7) / errors[0],
            (p[1].at("value").get<double>() - 1.77) / errors[1], errors[0], errors[1]};
}

}  // namespace

TEST_CASE("each kind of noise that least squares does not expect has its warning") {
    const Folder folder;
    make_history(folder);
    const std::vector<std::pair<std::string, std::string>> kinds{
        {"--noise 0.3 --correlation 0.3", "correlate from row to row"},
        {"--noise 0.3 --correlation 0.9", "too small by a factor of about 4."},
        {"--noise 0.1 --proportional 0.03", "grow with the force"},
        {"--noise 0.05 --bits 6", "rounded to steps"},
        {"--noise 0.3 --outliers 0.01", "more than five standard deviations off"}};
    for (const auto& [noise, sentence] : kinds) {
        CAPTURE(noise);
        record(folder, noise);
        CHECK(warned(fit_chain(folder), sentence));
    }
    record(folder, "--noise 0.3");
    CHECK(fit_chain(folder).at("laws")[0].at("warnings").empty());
}

TEST_CASE("robust errors are those of white noise for white noise, and larger where it correlates" *
          doctest::skip(sanitised)) {
    const Folder folder;
    make_history(folder);
    record(folder, "--noise 0.3");
    const Off white = off(fit_chain(folder)), robust = off(fit_chain(folder, "--errors robust"));
    // Some fifty blocks determine a variance to 20 %, an error to 10 %.
    CHECK_RELATIVE(robust.psi_error, white.psi_error, 0.3);
    CHECK_RELATIVE(robust.speed_error, white.speed_error, 0.3);

    record(folder, "--noise 0.3 --correlation 0.9");
    const json found = fit_chain(folder, "--errors robust");
    const json& law = found.at("laws")[0];
    CHECK(found.at("errors") == "robust");
    // Correlated rows count as fewer in Akaike's criterion.
    CHECK_RELATIVE(law.at("effective_data").get<double>(),
                   law.at("data").get<double>() / law.at("correlation_length").get<double>(),
                   1e-12);
    CHECK(law.at("block_rows") == std::ceil(4.0 * law.at("correlation_length").get<double>()));
    CHECK(off(found).psi_error > 2.0 * white.psi_error);
    CHECK(std::abs(off(found).psi) < 4.0);
    CHECK(std::abs(off(found).speed) < 4.0);
    CHECK(!warned(found, "too small by a factor"));
    // Noise of which each number keeps 0.9 of the one before has (1 + 0.9) / (1 - 0.9) = 19. Some
    // hundred and thirty blocks determine it to 18 % (ten seeds), the mean of five to 8 %.
    double mean = law.at("correlation_length").get<double>() / 5.0;
    for (int seed = 2; seed <= 5; ++seed) {
        record(folder, fmt::format("--noise 0.3 --correlation 0.9 --seed {}", seed));
        mean += fit_chain(folder, "--errors robust")
                    .at("laws")[0]
                    .at("correlation_length")
                    .get<double>() /
                5.0;
    }
    CHECK_RELATIVE(mean, 19.0, 0.25);
    const Said text = shell(
        folder, "beadwave fit " + chain + bounds + "--measured lab.csv -o fit.h5 --errors robust");
    CHECK(text.out.find("  errors        robust, from blocks of ") != std::string::npos);
    const Said page = shell(folder, "beadwave report fit.h5 -o fit.html");
    CHECK_MESSAGE(page.status == 0, page.err);
    CHECK(read_file(folder / "fit.html").find("Standard errors: robust, from blocks of rows.") !=
          std::string::npos);
    const Said read =
        shell(folder, BEADWAVE_PYTHON
              " -c \"import h5py; fit = h5py.File('fit.h5')['fit']; "
              "assert fit.attrs['errors'] == b'robust' and fit.attrs['loss'] == b'squares'; "
              "assert fit['law_0/block_rows'][()] >= 4 * fit['law_0/correlation_length'][()]\"");
    CHECK_MESSAGE(read.status == 0, read.err);
}

TEST_CASE("a loss limits the weight of outliers, and its errors are those of the clean rows" *
          doctest::skip(sanitised)) {
    const Folder folder;
    make_history(folder);
    record(folder, "--noise 0.3");
    const Off clean = off(fit_chain(folder));
    // The price for normal noise: Huber's loss is 95 % efficient there.
    CHECK_RELATIVE(off(fit_chain(folder, "--loss huber")).psi_error,
                   clean.psi_error / std::sqrt(0.95), 0.03);
    record(folder, "--noise 0.3 --outliers 0.03");
    const Off squares = off(fit_chain(folder));
    CHECK(squares.psi_error > 4.0 * clean.psi_error);
    for (const std::string loss : {"huber", "soft-l1"}) {
        CAPTURE(loss);
        for (const std::string more : {"", " --noise 0.3", " --errors robust"}) {
            const json found = fit_chain(folder, "--loss " + loss + more);
            const Off robust = off(found);
            CHECK(robust.psi_error < 1.4 * clean.psi_error);
            CHECK(std::abs(robust.psi) < 4.0);
            CHECK(std::abs(robust.speed) < 4.0);
            CHECK(found.at("loss") == loss);
            CHECK(warned(found, "the loss limits their weight"));
        }
        // Three rows of a hundred hardly move the estimate of the noise from the median.
        const double noise = fit_chain(folder, "--loss " + loss).at("laws")[0].at("noise");
        CHECK_RELATIVE(noise, 0.3, 0.1);
    }
}

TEST_CASE("a spike larger than the wave is no wrong polarity, and no peak") {
    const Folder folder;
    make_history(folder);
    for (const std::string spike : {"-200", "200"}) {
        CAPTURE(spike);
        record(folder, "--noise 0.3 --spike " + spike);
        const json squares = fit_chain(folder);
        CHECK(warned(squares, "1 row is more than five standard deviations off"));
        const Off robust = off(fit_chain(folder, "--loss huber"));
        CHECK(std::abs(robust.psi) < 4.0);
        CHECK(std::abs(robust.speed) < 4.0);
        const json peaks = fit_chain(folder, "--target peaks,arrivals");
        CHECK(std::abs(off(peaks).psi) < 5.0);
        CHECK(warned(peaks, "the trace of sensor 5 has single rows far off"));
        // A third of 250 us, on the clock of the run.
        const Off masked = off(fit_chain(folder, "--mask 5=83e-6:83.5e-6"));
        CHECK(std::abs(masked.psi) < 4.0);
        CHECK(std::abs(masked.speed) < 4.0);
        CHECK(masked.psi_error < 1e-3);
    }
    record(folder, "--noise 0.3");
    const Said turned = shell(folder, "sed -i 's/,/,-/g; s/--//g; 1d' lab.csv; beadwave fit " +
                                          chain + bounds + "--measured lab.csv");
    CHECK(turned.status == 2);
    CHECK(turned.err.find("expected positive forces in compression") != std::string::npos);
}

TEST_CASE("weights of a column count as variances, and a weight of zero leaves a row out") {
    const Folder folder;
    make_history(folder);
    record(folder, "--noise 0.3");
    const json plain = fit_chain(folder);
    const auto with_weights = [&](const std::string& header, const std::string& weight) {
        const Said made = shell(
            folder, BEADWAVE_PYTHON
                        " -c \"import numpy as np; t = np.loadtxt('lab.csv', delimiter=',', "
                        "skiprows=1); i = np.arange(len(t)); np.savetxt('lab.csv', "
                        "np.column_stack([t[:, :5], " +
                        weight +
                        "]), delimiter=',', fmt='%.9g', comments='', header='time (s),bead 5,bead "
                        "10,bead 15,bead 20," +
                        header + "')\"");
        REQUIRE_MESSAGE(made.status == 0, made.err);
    };
    // A common factor changes nothing where the noise is estimated; it does where it is given.
    with_weights("weight", "0 * i + 4");
    const Off same = off(fit_chain(folder)), was = off(plain);
    CHECK_RELATIVE(same.psi, was.psi, 1e-6);
    CHECK_RELATIVE(same.psi_error, was.psi_error, 1e-6);
    const Off given = off(fit_chain(folder, "--noise 0.6"));
    with_weights("weight", "0 * i + 1");
    CHECK_RELATIVE(given.psi_error, off(fit_chain(folder, "--noise 0.3")).psi_error, 1e-6);
    // Rows of weight zero are those of a mask.
    with_weights("weight bead 10", "(t[:, 0] < 0.9e-4) | (t[:, 0] > 1.1e-4)");
    const json weighted = fit_chain(folder);
    with_weights("weight bead 10", "0 * i + 1");
    const json masked = fit_chain(folder, "--mask 10=0.9e-4:1.1e-4");
    CHECK(weighted.at("laws")[0].at("data") == masked.at("laws")[0].at("data"));
    CHECK(weighted.at("laws")[0].at("data") < plain.at("laws")[0].at("data"));
    CHECK(off(weighted).psi == off(masked).psi);

    const auto error = [&] {
        const Said said = shell(folder, "beadwave fit " + chain + bounds + "--measured lab.csv");
        CHECK(said.status == 2);
        return said.err;
    };
    with_weights("weight", "0 * i - 1");
    CHECK(error() ==
          "beadwave: lab.csv:2: column 6 is a weight of -1; expected 0 (the row is left out) or "
          "more\n");
    with_weights("weight bead 11", "0 * i + 1");
    CHECK(error() ==
          "beadwave: lab.csv:1: column 6 is \"weight bead 11\", but there is no trace of this "
          "sensor\n");
}

TEST_CASE("a prior narrows a parameter as another measurement would, and a start is taken") {
    const Folder folder;
    make_history(folder);
    record(folder, "--noise 0.3");
    for (const std::string noise : {"", "--noise 0.3 "}) {
        const Off alone = off(fit_chain(folder, noise));
        const json found =
            fit_chain(folder, noise + "--prior law.psi=2.7:" + std::to_string(alone.psi_error));
        // Two independent errors of equal size.
        CHECK_RELATIVE(off(found).psi_error, alone.psi_error / std::sqrt(2.0), 0.02);
        // A descent ends within some hundredths of a standard error.
        CHECK_ABSOLUTE(off(found).psi * off(found).psi_error, 0.5 * alone.psi * alone.psi_error,
                       0.05 * alone.psi_error);
    }
    const json started = fit_chain(folder, "--start law.psi=2.6 --start segment.0.velocity=1.8");
    CHECK(started.at("laws")[0].at("parameters")[0].at("start") == 2.6);
    CHECK(std::abs(off(started).psi) < 4.0);
}

TEST_CASE("options for noise that make no sense are refused in one sentence") {
    const Folder folder;
    make_history(folder);
    record(folder, "--noise 0.3");
    const auto error = [&](const std::string& options) {
        const Said said =
            shell(folder, "beadwave fit " + chain + bounds + "--measured lab.csv " + options);
        CHECK_MESSAGE(said.status == 2, options);
        CHECK(said.out.empty());
        return said.err;
    };
    CHECK(error("--errors sandwich") == "beadwave: --errors sandwich: expected white or robust\n");
    CHECK(error("--loss hubr") ==
          "beadwave: --loss hubr: there is no \"hubr\"; did you mean \"huber\"?\n");
    CHECK(error("--loss huber --target peaks").starts_with("beadwave: --loss: is for traces"));
    CHECK(error("--errors robust --target peaks").find("are too few to form blocks") !=
          std::string::npos);
    CHECK(error("--errors robust --profile-likelihood law.psi").find("assumes white noise") !=
          std::string::npos);
    CHECK(error("--mask 1e-4").starts_with("beadwave: --mask 1e-4: must be from:to in s"));
    CHECK(error("--mask 2e-4:1e-4") ==
          "beadwave: --mask 2e-4:1e-4: its end must come after its start\n");
    CHECK(error("--mask 6=1e-4:2e-4") ==
          "beadwave: --mask 6: there is no such sensor; there are 5, 10, 15, 20\n");
    CHECK(error("--mask -1:1").find("no row of sensor 5 is left") != std::string::npos);
    CHECK(error("--prior law.psi=2.7").starts_with("beadwave: --prior law.psi=2.7: must be key="));
    CHECK(error("--prior law.xi=13:1") ==
          "beadwave: --prior law.xi: is not a free parameter; give its --bounds\n");
    CHECK(error("--start law.psi=5").find("the start, 5, is outside these bounds") !=
          std::string::npos);
    CHECK(error("--component x") ==
          "beadwave: --component x: is for packings; the force in a chain has no components\n");
}

TEST_CASE("the noise in the rows weighs the peaks: one noisy sensor does not spoil the others") {
    const Folder folder;
    make_history(folder);
    record(folder, "--noise 0.1");
    const std::string peaks = "--target peaks,arrivals ";
    const json clean = fit_chain(folder, peaks);
    CHECK(warned(clean, "degrees of freedom: the standard errors"));  // four sensors
    const Said noisy =
        shell(folder, BEADWAVE_PYTHON
              " -c \"import numpy as np; t = np.loadtxt('lab.csv', delimiter=',', skiprows=1); "
              "t[:, 4] += 3 "
              "* np.random.default_rng(3).standard_normal(len(t)); np.savetxt('lab.csv', t, "
              "delimiter=',', fmt='%.9g')\"");
    REQUIRE_MESSAGE(noisy.status == 0, noisy.err);
    const json found = fit_chain(folder, peaks);
    CHECK(std::abs(off(found).psi) < 5.0);
    // Three of four sensors have all that is known: a lever shorter by a third.
    CHECK(off(found).psi_error < 2.0 * off(clean).psi_error);
    const Said given = shell(folder, "beadwave fit " + chain + bounds +
                                         "--measured lab.csv -o fit.h5 --json --quiet " + peaks +
                                         "--noise 0.03 --arrival-noise 1e-8");
    REQUIRE(given.status == 0);
    CHECK(!warned(json::parse(given.out), "degrees of freedom: the standard errors"));
}

TEST_CASE("a few seeds of the problems of coverage.py: intervals hold the truth, or fits warn" *
          doctest::skip(sanitised)) {
    // A wrong weight, sign or factor of an error would leave none of six intervals with the truth.
    const Folder folder;
    const Said said = shell(
        folder, BEADWAVE_PYTHON
        " -B '" BEADWAVE_SOURCE_DIR "/validation/fit/coverage.py' '" BEADWAVE_PROGRAM
        "' --seeds 6 --threads 1 --problems 'clock and gains' 'correlated 0.9, robust errors' "
        "'single masses' 'masses inside beads' 'packing' 'proportional, robust errors' 'peaks and "
        "arrivals, 4 sensors'");
    CHECK_MESSAGE(said.status == 0, (said.out + said.err));
}

}  // namespace beadwave::validation::fit_noise_test
