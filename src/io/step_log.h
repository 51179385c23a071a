/// steps.jsonl: one line of JSON a step, what happened and what it cost.
///
/// Promise  numbers are written in the shortest form that reads back as the same bits. A line appears with one
///          write(2), so that a killed run leaves whole lines and at most a torn last one, which cut_step_log removes:
///          a run that was interrupted and resumed has the same lines as one that was not.
/// Limits   JSON has no NaN and no infinity: they are written as null and read as NaN, and such a line carries
///          "valid": false.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tidelock {

struct SolveRecord {
    std::string name = {};              ///< which system: "coupled", "viscosity"
    std::string solver = {};            ///< "auto", "icpcg"
    std::string bodies = {};            ///< how its preconditioner treats rigid bodies: docs/files.md
    std::int64_t unknowns = 0;          ///< [-]
    int iterations = 0;                 ///< [-]
    std::vector<double> residual = {};  ///< relative; the first and the last, recomputed one
    bool converged = false;
    double seconds = 0;                        ///< [s]
    std::vector<double> history = {};          ///< relative residual after each iteration, if asked for
    std::vector<double> history_seconds = {};  ///< since the start of the solve, with it
    bool operator==(const SolveRecord&) const = default;
};

/// The account of a liquid's volume [m^D].
struct LedgerRecord {
    double expected = 0;  ///< what was there at the start, and poured less drained since
    double drift = 0;     ///< (volume - expected) / expected [-]
    double poured = 0;    ///< by sources, in all
    double drained = 0;   ///< by drains and through open sides, in all
    bool operator==(const LedgerRecord&) const = default;
};

/// A region of trapped air.
struct BubbleRecord {
    double volume = 0;    ///< [m^D]
    double target = 0;    ///< that it should have [m^D]
    double pressure = 0;  ///< above that of the atmosphere [Pa]
    bool operator==(const BubbleRecord&) const = default;
};

struct FluidRecord {
    std::int64_t cells = 0;                  ///< [-]
    double volume = 0;                       ///< [m^D]
    std::vector<double> momentum;            ///< [kg m/s], D numbers
    double kinetic_energy = 0;               ///< [J]
    double max_speed = 0;                    ///< [m/s]
    double max_divergence = 0;               ///< [1/s]
    std::optional<double> momentum_error{};  ///< of the coupled solve, where it was measured [-]
    std::optional<LedgerRecord> ledger{};    ///< of a liquid
    std::int64_t particles = 0;              ///< of a liquid, those that carry its velocity [-]
    bool operator==(const FluidRecord&) const = default;
};

/// D numbers each. In the plane rotation, angular velocity and torque have one number, written without brackets.
struct BodyRecord {
    std::string name;
    std::vector<double> position;          ///< centre of mass [m]
    std::vector<double> rotation;          ///< quaternion (w, x, y, z), or an angle [rad]
    std::vector<double> velocity;          ///< [m/s]
    std::vector<double> angular_velocity;  ///< [rad/s]
    std::vector<double> force;             ///< by the fluid in this step, over dt [N]
    std::vector<double> torque;            ///< about the centre of mass [N m]
    bool operator==(const BodyRecord&) const = default;
};

struct ContactRecord {
    std::int64_t count = 0;      ///< [-]
    double max_penetration = 0;  ///< [m]
    bool operator==(const ContactRecord&) const = default;
};

struct StepRecord {
    std::int64_t step = 0;
    std::int64_t frame = 0;
    double time = 0;  ///< at the end of the step [s]
    double dt = 0;    ///< [s]
    std::vector<SolveRecord> solves;
    std::vector<std::pair<std::string, double>> seconds;  ///< stage and its time [s], in this order; "total" first
    std::optional<FluidRecord> fluid;
    std::vector<BubbleRecord> bubbles;
    std::vector<BodyRecord> bodies;
    ContactRecord contacts;
    int halvings = 0;                   ///< of the step that was asked for, until one succeeded; 0 is not written
    std::vector<std::string> failures;  ///< why the step should not have been used; empty is not written
    double memory_mb = 0;               ///< [MB]
    bool valid = true;                  ///< set by the reader: false if the line held a number that is not finite
};

/// One line without its end; the flag `valid` is computed, not taken from the record.
[[nodiscard]] std::string to_json_line(const StepRecord& record);
/// Throws FileError at `place` for a line that is not such a record. Unknown keys are let pass: newer writers add some.
[[nodiscard]] StepRecord parse_step_line(const std::string& line, const std::string& place);

/// Appends to a log. Throws FileError; a line that does not fit on the disk is taken back whole.
class StepLog {
  public:
    /// Creates the file if need be.
    explicit StepLog(std::filesystem::path file);
    ~StepLog();
    StepLog(const StepLog&) = delete;
    StepLog& operator=(const StepLog&) = delete;

    void append(const StepRecord& record);
    /// Waits until everything is on the disk. Call it before a checkpoint, so that the log is never behind one.
    void sync();

  private:
    std::filesystem::path file_;
    int descriptor_ = -1;
};

/// All whole lines; a torn last one is left out. A missing file is an empty log. Throws FileError if it cannot be read,
/// and with the line's number for one that is no step.
[[nodiscard]] std::vector<StepRecord> read_step_log(const std::filesystem::path& file);

/// Removes what is later than `last_step`, and a torn last line; kept lines stay as they are, byte by byte. Atomic.
/// Returns the last step that is left, or -1: less than last_step means that lines are missing. Throws FileError, and
/// leaves the file as it is, if kept lines do not follow each other: one is missing, twice there or of another step.
std::int64_t cut_step_log(const std::filesystem::path& file, std::int64_t last_step);

}  // namespace tidelock
