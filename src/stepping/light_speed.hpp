// Speeds that no time step is chosen for.
#pragma once

namespace beadwave::stepping {

/// Throws StepError if a step is to be chosen for an approach speed [m/s] beyond that of light,
/// which no law of contact describes: a velocity, a load or a drive has a number that is far too
/// large. The message continues a sentence that begins with the name of the step.
void refuse_faster_than_light(double speed);

}  // namespace beadwave::stepping
