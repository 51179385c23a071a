#include "io/step_log.h"

#include <sys/resource.h>
#include <sys/stat.h>

#include <bit>
#include <cmath>
#include <csignal>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/files_testing.h"
#include "base/random.h"

namespace tidelock {
namespace {

StepRecord sample_record(std::int64_t step) {
    StepRecord r;
    r.step = step;
    r.frame = step / 4;
    r.time = 0.1 * static_cast<double>(step);
    r.dt = 0.1;
    r.solves = {{"coupled", "icpcg", "diagonal", 4100000, 2, {1.0, 8.1e-7}, true, 1.9, {2e-3, 8.1e-7}, {0.9, 1.9}}};
    r.seconds = {{"total", 3.2}, {"advect", 0.6}, {"interface", 0.3}, {"solve", 1.9}};
    r.fluid = FluidRecord{4100000, 0.8, {0, -0.0, 1e-300}, 1.2, 2.1, 3e-7};
    r.bodies = {{"block \"a\"", {1, 2, 3}, {1, 0, 0, 0}, {0.1, 0.2, 0.3}, {0, 0, 1}, {5, 6, 7}, {8, 9, 10}}};
    r.contacts = {2, 1e-4};
    r.memory_mb = 812;
    return r;
}

std::string lines_until(std::int64_t step) {
    std::string out;
    for (std::int64_t s = 1; s <= step; ++s) out += to_json_line(sample_record(s)) + "\n";
    return out;
}

void write_log(const std::filesystem::path& file, std::int64_t steps) {
    StepLog log(file);
    for (std::int64_t s = 1; s <= steps; ++s) log.append(sample_record(s));
}

TEST(StepLog, LineHasTheKeysOfTheContractInOrder) {
    const auto json = nlohmann::ordered_json::parse(to_json_line(sample_record(12)));
    const auto keys_of = [](const nlohmann::ordered_json& object) {
        std::string keys;
        for (const auto& [key, value] : object.items()) keys += key + " ";
        return keys;
    };
    EXPECT_EQ(keys_of(json), "step frame time dt solves seconds fluid bodies contacts memory_mb ");
    EXPECT_EQ(keys_of(json["solves"][0]),
              "name solver bodies unknowns iterations residual converged seconds history history_seconds ");
    EXPECT_EQ(keys_of(json["seconds"]), "total advect interface solve ");
    EXPECT_EQ(keys_of(json["fluid"]), "cells volume momentum kinetic_energy max_speed max_divergence ");
    EXPECT_EQ(keys_of(json["bodies"][0]), "name position rotation velocity angular_velocity force torque ");
    EXPECT_EQ(keys_of(json["contacts"]), "count max_penetration ");
    EXPECT_EQ(to_json_line(sample_record(12)).find('\n'), std::string::npos);
}

TEST(StepLog, RecordComesBackEqual) {
    const StepRecord a = sample_record(12), b = parse_step_line(to_json_line(a), "here");
    EXPECT_EQ(a.step, b.step);
    EXPECT_EQ(a.frame, b.frame);
    EXPECT_EQ(a.time, b.time);
    EXPECT_EQ(a.dt, b.dt);
    EXPECT_EQ(a.solves, b.solves);
    EXPECT_EQ(a.seconds, b.seconds);
    EXPECT_EQ(a.fluid, b.fluid);
    EXPECT_EQ(a.bodies, b.bodies);
    EXPECT_EQ(a.contacts, b.contacts);
    EXPECT_EQ(a.memory_mb, b.memory_mb);
    EXPECT_TRUE(b.valid);
    EXPECT_TRUE(std::signbit(b.fluid->momentum[1]));
}

TEST(StepLog, HistoryIsWrittenOnlyIfThereIsOne) {
    StepRecord record = sample_record(3);
    record.solves[0].history.clear();
    record.solves[0].history_seconds.clear();
    const std::string line = to_json_line(record);
    EXPECT_EQ(line.find("history"), std::string::npos);
    expect_contains(line, R"("bodies": "diagonal")");
    EXPECT_EQ(parse_step_line(line, "here").solves, record.solves);
    record.solves.push_back(sample_record(3).solves[0]);  // one solve with, one without
    EXPECT_EQ(parse_step_line(to_json_line(record), "here").solves, record.solves);
    EXPECT_EQ(parse_step_line(to_json_line(record), "here").solves[1].history, (std::vector<double>{2e-3, 8.1e-7}));
}

TEST(StepLog, EveryDoubleReadsBackAsTheSameBits) {
    const Random random(3);
    StepRecord record = sample_record(1);
    for (std::uint64_t i = 0; i < 5000; ++i) {
        const auto value = std::bit_cast<double>(random.bits(i));  // all exponents, denormals included
        if (!std::isfinite(value)) continue;
        record.time = value;
        EXPECT_EQ(std::bit_cast<std::uint64_t>(parse_step_line(to_json_line(record), "here").time), random.bits(i));
    }
    record.dt = 0.1;  // the shortest form, not 0.10000000000000001
    expect_contains(to_json_line(record), "\"dt\": 0.1,");
}

TEST(StepLog, PlaneBodiesHaveAnAngle) {
    StepRecord record = sample_record(1);
    record.bodies = {{"plate", {1, 2}, {0.5}, {3, 4}, {0.25}, {5, 6}, {7}}};
    const std::string line = to_json_line(record);
    expect_contains(line, "\"rotation\": 0.5, ");
    EXPECT_EQ(parse_step_line(line, "here").bodies, record.bodies);
}

TEST(StepLog, NanIsNullAndFlagged) {
    StepRecord record = sample_record(1);
    record.fluid->max_speed = std::numeric_limits<double>::quiet_NaN();
    record.fluid->momentum[0] = -std::numeric_limits<double>::infinity();
    const std::string line = to_json_line(record);
    EXPECT_TRUE(nlohmann::json::parse(line)["fluid"]["max_speed"].is_null());
    EXPECT_EQ(nlohmann::json::parse(line)["valid"], false);
    const StepRecord back = parse_step_line(line, "here");
    EXPECT_FALSE(back.valid);
    EXPECT_TRUE(std::isnan(back.fluid->max_speed));
    EXPECT_TRUE(std::isnan(back.fluid->momentum[0]));
    EXPECT_EQ(back.fluid->kinetic_energy, 1.2);
}

TEST(StepLog, AppendsAndContinues) {
    const Folder folder;
    EXPECT_TRUE(read_step_log(folder / "steps.jsonl").empty());
    write_log(folder / "steps.jsonl", 3);
    {
        StepLog log(folder / "steps.jsonl");
        log.append(sample_record(4));
        log.sync();
    }
    EXPECT_EQ(read_file(folder / "steps.jsonl"), lines_until(4));
    EXPECT_EQ(read_step_log(folder / "steps.jsonl").back().step, 4);
}

TEST(StepLog, CutAtEveryByteAndResumedIsTheUndisturbedLog) {
    const Folder folder;
    const auto file = folder / "steps.jsonl";
    const std::string whole = lines_until(5);
    const std::size_t line_3 = lines_until(3).size();
    for (std::size_t length = line_3; length <= whole.size(); length += 7) {
        std::ofstream(file, std::ios::binary | std::ios::trunc) << whole.substr(0, length);
        EXPECT_EQ(cut_step_log(file, 3), 3) << length;
        EXPECT_EQ(read_file(file), lines_until(3));
        StepLog log(file);
        log.append(sample_record(4));
        log.append(sample_record(5));
        EXPECT_EQ(read_file(file), whole);
    }
    EXPECT_EQ(folder.entries(), 1);
}

TEST(StepLog, WhatAPowerCutLeftBehindTheCheckpointIsCut) {
    const Folder folder;
    std::ofstream(folder / "steps.jsonl", std::ios::binary) << lines_until(3) << std::string(50, '\0') << "\n{]\n";
    EXPECT_EQ(cut_step_log(folder / "steps.jsonl", 3), 3);
    EXPECT_EQ(read_file(folder / "steps.jsonl"), lines_until(3));
}

TEST(StepLog, WithoutACheckpointEverythingIsBehindIt) {
    const Folder folder;
    std::ofstream(folder / "steps.jsonl") << "garbage\n" << lines_until(2);
    EXPECT_EQ(cut_step_log(folder / "steps.jsonl", 0), -1);
    EXPECT_EQ(read_file(folder / "steps.jsonl"), "");
}

TEST(StepLog, CuttingTellsOfMissingLines) {
    const Folder folder;
    const auto file = folder / "steps.jsonl";
    EXPECT_EQ(cut_step_log(file, 3), -1);
    EXPECT_FALSE(std::filesystem::exists(file));
    write_log(file, 2);
    EXPECT_EQ(cut_step_log(file, 3), 2);
    EXPECT_EQ(cut_step_log(file, 0), -1);
    EXPECT_EQ(read_file(file), "");
}

// A log with a hole, a line too many or one of another run is found before anything is cut off it.
TEST(StepLog, LinesThatDoNotFollowEachOtherAreFoundAndNothingIsCut) {
    const auto line = [](const StepRecord& record) { return to_json_line(record) + "\n"; };
    StepRecord renumbered = sample_record(3), renamed = sample_record(3), late = sample_record(3),
               jumped = sample_record(3);
    renumbered.step = 7;
    renamed.bodies[0].name = "other";
    late.time += 0.01;
    jumped.frame = 5;
    using Case = std::pair<std::string, const char*>;
    for (const auto& [third, text] :
         {Case{"", "step 4 comes after step 2"}, Case{line(sample_record(2)), "step 2 comes after step 2"},
          Case{line(renumbered), "step 7 comes after step 2"}, Case{line(renamed), "other bodies"},
          Case{line(late), "instead of 0.3"}, Case{line(jumped), "leads to frame 5"}}) {
        const Folder folder;
        const auto file = folder / "steps.jsonl";
        const std::string whole = lines_until(2) + third + line(sample_record(4)) + line(sample_record(5));
        std::ofstream(file) << whole;
        const std::string message = error_of<FileError>([&] { cut_step_log(file, 5); });
        expect_contains(message, "steps.jsonl:3: ");
        expect_contains(message, text);
        EXPECT_EQ(read_file(file), whole);
    }
}

TEST(StepLog, APipeIsNotWaitedFor) {
    const Folder folder;
    ASSERT_EQ(::mkfifo((folder / "steps.jsonl").c_str(), 0600), 0);
    expect_contains(error_of<FileError>([&] { static_cast<void>(read_step_log(folder / "steps.jsonl")); }),
                    "not a file");
}

TEST(StepLog, DamagedLineIsNamed) {
    const Folder folder;
    std::ofstream(folder / "steps.jsonl") << lines_until(2) << "{\"step\": 3}\n" << lines_until(1);
    expect_contains(error_of<FileError>([&] { static_cast<void>(read_step_log(folder / "steps.jsonl")); }),
                    "steps.jsonl:3: ");
    expect_contains(error_of<FileError>([&] { cut_step_log(folder / "steps.jsonl", 9); }), "steps.jsonl:3: ");
    expect_contains(error_of<FileError>([&] { StepLog log(folder / "no/steps.jsonl"); }), "No such file");
}

TEST(StepLog, LineThatDoesNotFitIsTakenBackWhole) {
    const Folder folder;
    const auto file = folder / "steps.jsonl";
    write_log(file, 2);
    rlimit before{};
    ::getrlimit(RLIMIT_FSIZE, &before);
    auto* const handler = ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{lines_until(2).size() + 100, before.rlim_max};  // room for a part of line 3
    ::setrlimit(RLIMIT_FSIZE, &limit);
    {
        StepLog log(file);
        const std::string message = error_of<FileError>([&] { log.append(sample_record(3)); });
        expect_contains(message, file.string());
        expect_contains(message, "step 3");
    }
    ::setrlimit(RLIMIT_FSIZE, &before);
    ::signal(SIGXFSZ, handler);
    EXPECT_EQ(read_file(file), lines_until(2));
}

}  // namespace
}  // namespace tidelock
