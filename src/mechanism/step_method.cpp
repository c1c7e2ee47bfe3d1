#include "mechanism/step_method.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace beadwave::mechanism {
namespace {

/// An earlier stage and its weight in a sum.
struct EarlierStage {
    std::size_t stage;
    double weight;
};
using EarlierStages = std::vector<EarlierStage>;

constexpr std::array<double, 12> nodes{0.0,
                                       0.05260015195876773,
                                       0.0789002279381516,
                                       0.1183503419072274,
                                       0.2816496580927726,
                                       0.3333333333333333,
                                       0.25,
                                       0.3076923076923077,
                                       0.6512820512820513,
                                       0.6,
                                       0.8571428571428571,
                                       1.0};

const std::array<EarlierStages, 12> stage_parts{{
    EarlierStages{},
    EarlierStages{{0, 0.05260015195876773}},
    EarlierStages{{0, 0.0197250569845379}, {1, 0.0591751709536137}},
    EarlierStages{{0, 0.02958758547680685}, {2, 0.08876275643042054}},
    EarlierStages{{0, 0.2413651341592667}, {2, -0.8845494793282861}, {3, 0.924834003261792}},
    EarlierStages{{0, 0.037037037037037035}, {3, 0.17082860872947386}, {4, 0.12546768756682242}},
    EarlierStages{
        {0, 0.037109375}, {3, 0.17025221101954405}, {4, 0.06021653898045596}, {5, -0.017578125}},
    EarlierStages{{0, 0.03709200011850479},
                  {3, 0.17038392571223998},
                  {4, 0.10726203044637328},
                  {5, -0.015319437748624402},
                  {6, 0.008273789163814023}},
    EarlierStages{{0, 0.6241109587160757},
                  {3, -3.3608926294469414},
                  {4, -0.868219346841726},
                  {5, 27.59209969944671},
                  {6, 20.154067550477894},
                  {7, -43.48988418106996}},
    EarlierStages{{0, 0.47766253643826434},
                  {3, -2.4881146199716677},
                  {4, -0.590290826836843},
                  {5, 21.230051448181193},
                  {6, 15.279233632882423},
                  {7, -33.28821096898486},
                  {8, -0.020331201708508627}},
    EarlierStages{{0, -0.9371424300859873},
                  {3, 5.186372428844064},
                  {4, 1.0914373489967295},
                  {5, -8.149787010746927},
                  {6, -18.52006565999696},
                  {7, 22.739487099350505},
                  {8, 2.4936055526796523},
                  {9, -3.0467644718982196}},
    EarlierStages{{0, 2.273310147516538},
                  {3, -10.53449546673725},
                  {4, -2.0008720582248625},
                  {5, -17.9589318631188},
                  {6, 27.94888452941996},
                  {7, -2.8589982771350235},
                  {8, -8.87285693353063},
                  {9, 12.360567175794303},
                  {10, 0.6433927460157636}},
}};

const EarlierStages result_parts{{0, 0.054293734116568765}, {5, 4.450312892752409},
                                 {6, 1.8915178993145003},   {7, -5.801203960010585},
                                 {8, 0.3111643669578199},   {9, -0.1521609496625161},
                                 {10, 0.20136540080403034}, {11, 0.04471061572777259}};

/// Error of the embedded result of order 5.
const EarlierStages fifth_parts{{0, 0.01312004499419488},  {5, -1.2251564463762044},
                                {6, -0.4957589496572502},  {7, 1.6643771824549864},
                                {8, -0.35032884874997366}, {9, 0.3341791187130175},
                                {10, 0.08192320648511571}, {11, -0.022355307863886294}};

/// The embedded result of order 3; its error is its difference from the result.
const EarlierStages third_parts{
    {0, 0.2440944881889764}, {8, 0.7338466882816118}, {11, 0.022058823529411766}};

double sum(const EarlierStages& parts, const std::array<std::vector<double>, 12>& stages,
           std::size_t k) {
    double total = 0.0;
    for (const auto& [stage, weight] : parts)
        total += weight * stages[stage][k];
    return total;
}

}  // namespace

StepMethod::StepMethod(std::size_t numbers, Derivatives derivatives)
    : derivatives_(std::move(derivatives)), begin_(numbers), trial_(numbers) {
    stages_.fill(std::vector<double>(numbers));
}

void StepMethod::start(double time, std::span<const double> y) {
    time_ = time;
    std::ranges::copy(y, begin_.begin());
    derivatives_(time_, begin_, stages_[0]);
}

void StepMethod::step(double step, std::vector<double>& y) {
    last_step_ = step;
    for (std::size_t i = 1; i < stage_count; ++i) {
        for (std::size_t k = 0; k < begin_.size(); ++k)
            trial_[k] = begin_[k] + step * sum(stage_parts[i], stages_, k);
        derivatives_(time_ + nodes[i] * step, trial_, stages_[i]);
    }
    y.resize(begin_.size());
    for (std::size_t k = 0; k < begin_.size(); ++k)
        y[k] = begin_[k] + step * sum(result_parts, stages_, k);
}

void StepMethod::error(std::vector<double>& error) const {
    error.resize(begin_.size());
    for (std::size_t k = 0; k < begin_.size(); ++k) {
        const double fifth = sum(fifth_parts, stages_, k);
        const double third = sum(result_parts, stages_, k) - sum(third_parts, stages_, k);
        const double scale = std::hypot(fifth, 0.1 * third);
        error[k] = scale > 0.0 ? last_step_ * fifth * (std::abs(fifth) / scale) : 0.0;
    }
}

}  // namespace beadwave::mechanism
