// Loss functions: how strongly residuals far off count. The formulas are those of Ceres' HuberLoss
// and SoftLOneLoss (Triggs et al., 2000, LNCS 1883, 298).
#pragma once

#include <string>
#include <string_view>

namespace beadwave::fit {

/// squares: least squares. huber: squares up to 1.345 standard deviations, absolute values beyond.
/// soft_l1: the same with a smooth transition at one standard deviation.
enum class Loss { squares, huber, soft_l1 };

/// A loss rho at the residual r, in standard deviations.
struct LossTerms {
    double value;  ///< rho(r^2) [-]; r^2 for least squares
    double slope;  ///< rho', the factor that the row's weight gets
    double curve;  ///< the derivative of r rho'(r^2) by r: 1 for least squares
};

LossTerms loss_terms(Loss loss, double residual);

/// "squares", "huber", "soft-l1".
std::string text_of(Loss loss);

/// Throws InputError for another name, which is that of an option --loss.
Loss loss_named(std::string_view name);

}  // namespace beadwave::fit
