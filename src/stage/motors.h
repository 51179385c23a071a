/// Motors that hold a speed, inside the coupled solve.
///
/// Why      The impulse that contact found for a motor is what the dry bodies need. The fluid that they carry along comes
///          with the solve: a wheel much lighter than that would lose its speed there. So a motor below its limit is a
///          row of the joints in the solve, H v = speed, and the solve finds the impulse that it takes. One that would
///          need more than it has pushes with what it has, and the step is solved again without its row.
/// Source   numerics/coupling 7: v* on the rows stays on them. numerics/contact 5.
/// Cost     a second solve in a step in which a motor reaches its limit; in the next one contact expects the load of the
///          fluid and knows.
#pragma once

#include "solid/impulses.h"
#include "stage/step.h"

namespace tidelock {

template <int D>
class Motors {
  public:
    /// Brings v* of the bodies to the speeds that contact found, without the load that it expected.
    explicit Motors(Step<D>& step);

    /// No motor is below its limit.
    [[nodiscard]] bool empty() const { return held_.empty(); }
    /// The rows of joints and motors.
    [[nodiscard]] std::vector<JointRow<D>> rows() const;
    /// After a solve, in which joints gave each body these impulses: whether some motor had to push harder than it can.
    [[nodiscard]] bool exceeded(const std::vector<Twist<D>>& joint_impulses) const;
    /// Those push with what they have from now on: `step` holds v* of before the solve again.
    void give_in(const std::vector<Twist<D>>& joint_impulses, Step<D>& step);

  private:
    struct Held {
        std::size_t joint;
        JointRow<D> row;
        std::vector<std::pair<int, Twist<D>>> answer;  ///< of the bodies to a unit impulse
        double gain = 0;                               ///< speed along the row per impulse
        double given = 0;                              ///< impulse so far [N s, N m s]
        double most = 0;
    };
    /// The impulse along the row that the solve added.
    [[nodiscard]] static double added(const Held& held, const std::vector<Twist<D>>& joint_impulses);
    static void push(Held& held, double impulse, std::vector<RigidBody<D>>& bodies);

    const Step<D>& step_;
    std::vector<Held> held_;
};

/// Notes the motors that contact found at their limits, for methods whose solve does not know of motors.
template <int D>
void note_motors_at_limit(Step<D>& step);

}  // namespace tidelock
