/// What a joint leaves free (solid/joint.h), for those who pass it on without making one.
#pragma once

namespace tidelock {

enum class JointKind { hinge, ball, slider, fixed };

}  // namespace tidelock
