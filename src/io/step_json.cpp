#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "io/step_log.h"

namespace tidelock {
namespace {

using Json = nlohmann::ordered_json;
using Numbers = std::vector<double>;

/// Writes one object a line by hand: nlohmann's own number format is neither the shortest nor fixed between versions.
class LineWriter {
  public:
    void key(std::string_view name) {
        separate();
        out_ += Json(name).dump();
        out_ += ": ";
        fresh_ = true;
    }
    void value(double number) {
        separate();
        if (!std::isfinite(number)) {
            valid_ = false;
            out_ += "null";
        } else if (number == 0 && std::signbit(number)) {
            out_ += "-0.0";  // "-0" would be read as an integer, which has no sign at zero
        } else {
            out_ += fmt::format("{}", number);
        }
    }
    void value(std::int64_t number) { plain(fmt::format("{}", number)); }
    void value(int number) { plain(fmt::format("{}", number)); }
    void value(bool flag) { plain(flag ? "true" : "false"); }
    void value(const std::string& text) {
        // A name that is no UTF-8 must not stop a run: what cannot be written is replaced.
        plain(Json(text).dump(-1, ' ', false, Json::error_handler_t::replace));
    }
    void value(const Numbers& numbers) {
        open('[');
        for (const double number : numbers) value(number);
        close(']');
    }
    /// An angle, a scalar torque: one number needs no brackets.
    void angular(const Numbers& numbers) { numbers.size() == 1 ? value(numbers[0]) : value(numbers); }

    template <class T>
    void field(std::string_view name, const T& content) {
        key(name);
        value(content);
    }
    void open(char bracket) {
        separate();
        out_ += bracket;
        fresh_ = true;
    }
    void close(char bracket) {
        out_ += bracket;
        fresh_ = false;
    }
    [[nodiscard]] bool valid() const { return valid_; }
    std::string take() { return std::move(out_); }

  private:
    void separate() {
        if (!fresh_) out_ += ", ";
        fresh_ = false;
    }
    void plain(const std::string& text) {
        separate();
        out_ += text;
    }
    std::string out_;
    bool fresh_ = true;
    bool valid_ = true;
};

void write_solve(LineWriter& out, const SolveRecord& solve) {
    out.open('{');
    out.field("name", solve.name);
    out.field("solver", solve.solver);
    out.field("bodies", solve.bodies);
    out.field("unknowns", solve.unknowns);
    out.field("iterations", solve.iterations);
    out.field("residual", solve.residual);
    out.field("converged", solve.converged);
    out.field("seconds", solve.seconds);
    if (!solve.history.empty()) {
        out.field("history", solve.history);
        out.field("history_seconds", solve.history_seconds);
    }
    out.close('}');
}

void write_fluid(LineWriter& out, const FluidRecord& fluid) {
    out.open('{');
    out.field("cells", fluid.cells);
    out.field("volume", fluid.volume);
    out.field("momentum", fluid.momentum);
    out.field("kinetic_energy", fluid.kinetic_energy);
    out.field("max_speed", fluid.max_speed);
    out.field("max_divergence", fluid.max_divergence);
    if (fluid.momentum_error) out.field("momentum_error", *fluid.momentum_error);
    if (fluid.ledger) {
        out.field("expected_volume", fluid.ledger->expected);
        out.field("volume_drift", fluid.ledger->drift);
        out.field("poured", fluid.ledger->poured);
        out.field("drained", fluid.ledger->drained);
        out.field("particles", fluid.particles);
    }
    out.close('}');
}

void write_bubble(LineWriter& out, const BubbleRecord& bubble) {
    out.open('{');
    out.field("volume", bubble.volume);
    out.field("target", bubble.target);
    out.field("pressure", bubble.pressure);
    out.close('}');
}

void write_body(LineWriter& out, const BodyRecord& body) {
    out.open('{');
    out.field("name", body.name);
    out.field("position", body.position);
    out.key("rotation");
    out.angular(body.rotation);
    out.field("velocity", body.velocity);
    out.key("angular_velocity");
    out.angular(body.angular_velocity);
    out.field("force", body.force);
    out.key("torque");
    out.angular(body.torque);
    out.close('}');
}

double number(const Json& json) {
    return json.is_null() ? std::numeric_limits<double>::quiet_NaN() : json.get<double>();
}

Numbers numbers(const Json& json) {
    Numbers out;
    if (!json.is_array()) return {number(json)};
    for (const Json& entry : json) out.push_back(number(entry));
    return out;
}

SolveRecord read_solve(const Json& json) {
    return {json.at("name").get<std::string>(),
            json.at("solver").get<std::string>(),
            json.at("bodies").get<std::string>(),
            json.at("unknowns").get<std::int64_t>(),
            json.at("iterations").get<int>(),
            numbers(json.at("residual")),
            json.at("converged").get<bool>(),
            number(json.at("seconds")),
            json.contains("history") ? numbers(json.at("history")) : Numbers{},
            json.contains("history") ? numbers(json.at("history_seconds")) : Numbers{}};
}

FluidRecord read_fluid(const Json& json) {
    FluidRecord out{json.at("cells").get<std::int64_t>(), number(json.at("volume")),
                    numbers(json.at("momentum")),         number(json.at("kinetic_energy")),
                    number(json.at("max_speed")),         number(json.at("max_divergence"))};
    if (json.contains("momentum_error")) out.momentum_error = number(json.at("momentum_error"));
    if (json.contains("expected_volume")) {
        out.ledger = {number(json.at("expected_volume")), number(json.at("volume_drift")), number(json.at("poured")),
                      number(json.at("drained"))};
        out.particles = json.at("particles").get<std::int64_t>();
    }
    return out;
}

BodyRecord read_body(const Json& json) {
    return {json.at("name").get<std::string>(), numbers(json.at("position")),         numbers(json.at("rotation")),
            numbers(json.at("velocity")),       numbers(json.at("angular_velocity")), numbers(json.at("force")),
            numbers(json.at("torque"))};
}

StepRecord read_step(const Json& json) {
    StepRecord out;
    out.step = json.at("step").get<std::int64_t>();
    out.frame = json.at("frame").get<std::int64_t>();
    out.time = number(json.at("time"));
    out.dt = number(json.at("dt"));
    for (const Json& solve : json.at("solves")) out.solves.push_back(read_solve(solve));
    for (const auto& [stage, seconds] : json.at("seconds").items()) out.seconds.emplace_back(stage, number(seconds));
    if (json.contains("fluid")) out.fluid = read_fluid(json.at("fluid"));
    if (json.contains("bubbles"))
        for (const Json& bubble : json.at("bubbles"))
            out.bubbles.push_back(
                {number(bubble.at("volume")), number(bubble.at("target")), number(bubble.at("pressure"))});
    for (const Json& body : json.at("bodies")) out.bodies.push_back(read_body(body));
    out.contacts = {json.at("contacts").at("count").get<std::int64_t>(),
                    number(json.at("contacts").at("max_penetration"))};
    out.halvings = json.value("halvings", 0);
    if (json.contains("failures")) out.failures = json.at("failures").get<std::vector<std::string>>();
    out.memory_mb = number(json.at("memory_mb"));
    out.valid = json.value("valid", true);
    return out;
}

}  // namespace

std::string to_json_line(const StepRecord& record) {
    LineWriter out;
    out.open('{');
    out.field("step", record.step);
    out.field("frame", record.frame);
    out.field("time", record.time);
    out.field("dt", record.dt);
    out.key("solves");
    out.open('[');
    for (const SolveRecord& solve : record.solves) write_solve(out, solve);
    out.close(']');
    out.key("seconds");
    out.open('{');
    for (const auto& [stage, seconds] : record.seconds) out.field(stage, seconds);
    out.close('}');
    if (record.fluid) {
        out.key("fluid");
        write_fluid(out, *record.fluid);
    }
    if (!record.bubbles.empty()) {
        out.key("bubbles");
        out.open('[');
        for (const BubbleRecord& bubble : record.bubbles) write_bubble(out, bubble);
        out.close(']');
    }
    out.key("bodies");
    out.open('[');
    for (const BodyRecord& body : record.bodies) write_body(out, body);
    out.close(']');
    out.key("contacts");
    out.open('{');
    out.field("count", record.contacts.count);
    out.field("max_penetration", record.contacts.max_penetration);
    out.close('}');
    if (record.halvings > 0) out.field("halvings", record.halvings);
    if (!record.failures.empty()) {
        out.key("failures");
        out.open('[');
        for (const std::string& text : record.failures) out.value(text);
        out.close(']');
    }
    out.field("memory_mb", record.memory_mb);
    if (!out.valid()) out.field("valid", false);
    out.close('}');
    return out.take();
}

StepRecord parse_step_line(const std::string& line, const std::string& place) {
    try {
        return read_step(Json::parse(line));
    } catch (const Json::exception& error) {
        throw FileError(place, fmt::format("is not a line of a step log: {}", error.what()));
    }
}

}  // namespace tidelock
