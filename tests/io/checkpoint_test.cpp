#include "io/checkpoint.h"

#include <sys/wait.h>
#include <unistd.h>

#include <bit>
#include <csignal>
#include <cstring>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/files_testing.h"
#include "base/hash.h"
#include "base/random.h"

namespace tidelock {
namespace {

namespace fs = std::filesystem;

const CheckpointIdentity identity{"box-lift", 0x1234abcd, "tidelock 0.1 g++ 12"};

std::vector<double> velocity_at(std::int64_t step, std::size_t size = 100) {
    const Random random(static_cast<std::uint64_t>(step));
    std::vector<double> values(size);
    for (std::size_t i = 0; i < size; ++i) values[i] = random.uniform(i, 0, -1, 1);
    return values;
}

fs::path save(const fs::path& folder, std::int64_t step, std::size_t size = 100) {
    const auto velocity = velocity_at(step, size);
    const std::vector<std::int32_t> bricks{1, 2, static_cast<std::int32_t>(step)};
    const std::vector<float> nothing;
    CheckpointWriter writer;
    writer.add("fluid.velocity.x", velocity);
    writer.add("bricks", bricks);
    writer.add("empty", nothing);
    writer.add_value("seed", std::uint64_t{7});
    writer.add_text("note", "as it was");
    return writer.write(folder, identity, {step, step / 2, 0.1 * static_cast<double>(step)});
}

void expect_state(const CheckpointReader& reader, std::int64_t step, std::size_t size = 100) {
    EXPECT_EQ(reader.identity(), identity);
    EXPECT_EQ(reader.moment(), (CheckpointMoment{step, step / 2, 0.1 * static_cast<double>(step)}));
    EXPECT_EQ(reader.read_vector<double>("fluid.velocity.x"), velocity_at(step, size));
    EXPECT_EQ(reader.read_vector<std::int32_t>("bricks"),
              (std::vector<std::int32_t>{1, 2, static_cast<std::int32_t>(step)}));
    EXPECT_TRUE(reader.read_vector<float>("empty").empty());
    EXPECT_EQ(reader.read_value<std::uint64_t>("seed"), 7u);
    EXPECT_EQ(reader.read_text("note"), "as it was");
}

void write_bytes(const fs::path& file, const std::string& bytes) {
    std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
}

/// Puts the right hash behind bytes that were changed on purpose.
std::string sealed(std::string bytes) {
    bytes.resize(bytes.size() - 8);
    const std::uint64_t hash = hash_bytes(bytes);
    return bytes.append(reinterpret_cast<const char*>(&hash), 8);
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    return text.replace(text.find(from), from.size(), to);
}

std::string refusal(const fs::path& folder, const CheckpointIdentity& expected = identity) {
    return error_of([&] { static_cast<void>(open_newest_checkpoint(folder, expected)); });
}

TEST(Checkpoint, EverythingComesBack) {
    const Folder folder;
    const auto file = save(folder.path(), 12);
    EXPECT_EQ(file, folder / "000012.tlk");
    const CheckpointReader reader(file);
    expect_state(reader, 12);
    EXPECT_EQ(reader.arrays().size(), 5u);
    EXPECT_TRUE(reader.contains("bricks"));
    EXPECT_FALSE(reader.contains("bread"));
    EXPECT_EQ(reader.count("fluid.velocity.x"), 100u);
}

TEST(Checkpoint, SpecialNumbersKeepTheirBits) {
    const Folder folder;
    const auto nan = std::bit_cast<double>(std::uint64_t{0x7ff80000deadbeef});
    const std::vector<double> values{nan, -0.0, std::numeric_limits<double>::infinity(), 5e-324};
    CheckpointWriter writer;
    writer.add("v", values);
    const CheckpointReader reader(writer.write(folder.path(), identity, {1, 0, nan}));
    const std::vector<double> back = reader.read_vector<double>("v");
    ASSERT_EQ(back.size(), values.size());
    for (std::size_t i = 0; i < values.size(); ++i)
        EXPECT_EQ(std::bit_cast<std::uint64_t>(back[i]), std::bit_cast<std::uint64_t>(values[i]));
    EXPECT_EQ(std::bit_cast<std::uint64_t>(reader.moment().time), 0x7ff80000deadbeef);
}

TEST(Checkpoint, FileHasTheDocumentedLayout) {
    const Folder folder;
    const std::string bytes = read_file(save(folder.path(), 3));
    EXPECT_EQ(bytes.substr(0, 8), "tidelock");
    std::uint32_t version = 0, length = 0;
    std::memcpy(&version, &bytes[8], 4);
    std::memcpy(&length, &bytes[12], 4);
    EXPECT_EQ(version, 1u);
    const auto header = nlohmann::json::parse(bytes.substr(16, length));
    EXPECT_EQ(header["step"], 3);
    EXPECT_EQ(header["scene"]["hash"], "000000001234abcd");
    const auto velocity = velocity_at(3);
    for (const auto& array : header["arrays"]) EXPECT_EQ(array["offset"].get<std::size_t>() % 64, 0u);
    std::vector<double> stored(100);
    std::memcpy(stored.data(), &bytes[header["arrays"][0]["offset"].get<std::size_t>()], 800);
    EXPECT_EQ(stored, velocity);
    std::uint64_t hash = 0;
    std::memcpy(&hash, &bytes[bytes.size() - 8], 8);
    EXPECT_EQ(hash, hash_bytes(std::string_view(bytes).substr(0, bytes.size() - 8)));
}

TEST(Checkpoint, SameStateGivesTheSameBytes) {
    const Folder folder;
    const std::string once = read_file(save(folder.path(), 3));
    EXPECT_EQ(once, read_file(save(folder.path(), 3)));
}

TEST(Checkpoint, WrongArraysAreRefused) {
    const Folder folder;
    const CheckpointReader reader(save(folder.path(), 1));
    const auto message = [&](auto&& f) { return error_of<FileError>(f); };
    expect_contains(message([&] { static_cast<void>(reader.count("bread")); }), "no array 'bread'");
    expect_contains(message([&] { static_cast<void>(reader.read_vector<float>("bricks")); }),
                    "holds i32, expected f32");
    std::vector<double> short_vector(99);
    expect_contains(message([&] { reader.read("fluid.velocity.x", std::span<double>(short_vector)); }),
                    "holds 100 values, expected 99");
    CheckpointWriter writer;
    writer.add("a", short_vector);
    EXPECT_THROW(writer.add("a", short_vector), Error);
}

TEST(Checkpoint, TheLastTwoAreKept) {
    const Folder folder;
    for (const std::int64_t step : {10, 20, 30, 1000000}) save(folder.path(), step);
    const auto files = list_checkpoints(folder.path());
    ASSERT_EQ(files.size(), 2u);
    EXPECT_EQ(files[0], folder / "000030.tlk");
    EXPECT_EQ(files[1], folder / "1000000.tlk");  // by number: a name is longer than another
    write_bytes(folder / "notes.tlk", "not ours");
    write_bytes(folder / "000005.txt", "not ours");
    save(folder.path(), 1000001);
    EXPECT_EQ(folder.entries(), 4);
}

TEST(Checkpoint, ADamagedOneIsNamedAndTheOlderOneUsed) {
    const Folder folder;
    save(folder.path(), 10);
    std::string bytes = read_file(save(folder.path(), 20));
    bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
    write_bytes(folder / "000020.tlk", bytes);
    {
        const auto newest = open_newest_checkpoint(folder.path(), identity);
        expect_state(newest.reader, 10);
        ASSERT_EQ(newest.skipped.size(), 1u);
        expect_contains(newest.skipped[0], "000020.tlk");
        expect_contains(newest.skipped[0], "hash does not match");
    }
    // The resumed run passes the damaged one over: it goes, and the good ones stay.
    save(folder.path(), 15);
    expect_state(open_newest_checkpoint(folder.path(), identity).reader, 15);
    EXPECT_EQ(list_checkpoints(folder.path()).size(), 2u);
}

TEST(Checkpoint, NoneAndNoneValidAreErrors) {
    const Folder folder;
    expect_contains(refusal(folder.path()), "no checkpoint to resume from");
    expect_contains(refusal(folder / "missing"), "no checkpoint to resume from");
    write_bytes(folder / "000010.tlk", "");
    write_bytes(folder / "000020.tlk", std::string(500, 'x'));
    fs::create_directory(folder / "000030.tlk");
    const std::string message =
        error_of<FileError>([&] { static_cast<void>(open_newest_checkpoint(folder.path(), identity)); });
    for (const char* name : {"000010.tlk", "000020.tlk", "000030.tlk"}) expect_contains(message, name);
}

TEST(Checkpoint, AnotherSceneBuildOrFormatIsRefusedWithBothValues) {
    const Folder folder;
    save(folder.path(), 10);
    const std::string bytes = read_file(save(folder.path(), 20));
    CheckpointIdentity other = identity;
    other.scene_name = "boxes";
    other.scene_hash = 0x77;
    for (const char* part : {"box-lift", "boxes", "000000001234abcd", "0000000000000077"}) {
        expect_contains(refusal(folder.path(), other), part);
    }
    other = identity;
    other.build = "tidelock 0.2";
    for (const char* part : {"tidelock 0.1 g++ 12", "tidelock 0.2"}) {
        expect_contains(refusal(folder.path(), other), part);
    }
    std::string newer = bytes;
    newer[8] = 9;
    write_bytes(folder / "000020.tlk", sealed(newer));
    expect_contains(refusal(folder.path()), "format version 9, this tidelock reads up to 1");
    // The same byte without a fitting hash is damage, not a newer format.
    write_bytes(folder / "000020.tlk", newer);
    expect_state(open_newest_checkpoint(folder.path(), identity).reader, 10);
}

TEST(Checkpoint, NumbersThatDoNotFitAreFoundBehindAValidHash) {
    const Folder folder;
    const std::string bytes = read_file(save(folder.path(), 20));
    const auto refused = [&](const std::string& changed) {
        write_bytes(folder / "a.tlk", sealed(changed));
        return error_of<FileError>([&] { const CheckpointReader reader(folder / "a.tlk"); });
    };
    const std::string from = R"("count":100,"offset":)";
    const std::size_t at = bytes.find(from) + from.size();
    const std::string offset = bytes.substr(at, bytes.find(',', at) - at);
    // Same length, so that the header stays whole: 10^12 values, counts and offsets that overflow 64 bits.
    ASSERT_EQ(offset.size(), 3u);
    expect_contains(refused(replaced(bytes, R"("count":100,"offset":)" + offset, R"("count":9e9,"offset":)" + offset)),
                    "does not fit");
    expect_contains(refused(replaced(bytes, R"("count":100,"offset":)" + offset, R"("count":-10,"offset":)" + offset)),
                    "does not fit");
    expect_contains(refused(replaced(bytes, "\"offset\":" + offset, "\"offset\":-64")), "does not fit");
    expect_contains(refused(replaced(bytes, R"("type":"f64")", R"("type":"f65")")), "unknown type");
    expect_contains(refused(replaced(bytes, "\"arrays\"", "\"harass\"")), "arrays");
    std::string long_header = bytes;
    std::memset(&long_header[12], 0x7f, 4);
    expect_contains(refused(long_header), "header is longer");
}

TEST(Checkpoint, EveryFlippedByteIsFound) {
    const Folder folder;
    const std::string bytes = read_file(save(folder.path(), 5, 20));
    const auto file = folder / "000005.tlk";
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        std::string damaged = bytes;
        damaged[i] = static_cast<char>(damaged[i] ^ (1 << i % 8));
        write_bytes(file, damaged);
        EXPECT_THROW(CheckpointReader{file}, FileError) << "byte " << i;
    }
    write_bytes(file, bytes);
    expect_state(CheckpointReader(file), 5, 20);
}

TEST(Checkpoint, EveryTruncationAndAdditionIsFound) {
    const Folder folder;
    const std::string bytes = read_file(save(folder.path(), 5, 20));
    const auto file = folder / "000005.tlk";
    for (std::size_t length = 0; length < bytes.size(); ++length) {
        write_bytes(file, bytes.substr(0, length));
        EXPECT_THROW(CheckpointReader{file}, FileError) << "length " << length;
    }
    write_bytes(file, bytes + '\0');
    EXPECT_THROW(CheckpointReader{file}, FileError);
    const Random random(11);
    for (std::uint64_t trial = 0; trial < 300; ++trial) {  // stretches of noise
        std::string damaged = bytes;
        const auto at = static_cast<std::size_t>(random.uniform(trial, 0, 0, static_cast<double>(bytes.size() - 40)));
        for (std::size_t k = 0; k < 40; ++k) damaged[at + k] = static_cast<char>(random.bits(trial * 40 + k, 1));
        write_bytes(file, damaged);
        EXPECT_THROW(CheckpointReader{file}, FileError) << "trial " << trial;
    }
}

TEST(Checkpoint, FailedWriteKeepsTheOldOnes) {
    const Folder folder;
    save(folder.path(), 10);
    fs::create_directory(folder / "000020.tlk");
    EXPECT_THROW(save(folder.path(), 20), FileError);
    fs::remove(folder / "000020.tlk");
    EXPECT_THROW(save(folder / "missing", 20), FileError);
    EXPECT_EQ(folder.entries(), 1);
    expect_state(open_newest_checkpoint(folder.path(), identity).reader, 10);
}

TEST(Checkpoint, KilledAtAnyMomentLeavesAValidNewestOne) {
    const Folder folder;
    const std::size_t size = 20000;
    std::int64_t step = 1;
    save(folder.path(), step, size);
    const Random random(5);
    for (std::uint64_t trial = 0; trial < 50; ++trial) {
        const pid_t child = ::fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            for (std::int64_t next = step + 1;; ++next) save(folder.path(), next, size);
        }
        std::this_thread::sleep_for(std::chrono::microseconds(static_cast<int>(random.uniform(trial, 0, 0, 20000))));
        ::kill(child, SIGKILL);
        int status = 0;
        ASSERT_EQ(::waitpid(child, &status, 0), child);
        ASSERT_TRUE(WIFSIGNALED(status));  // it did not stop by itself
        const auto newest = open_newest_checkpoint(folder.path(), identity);
        EXPECT_TRUE(newest.skipped.empty());
        EXPECT_GE(newest.reader.moment().step, step);
        step = newest.reader.moment().step;
        expect_state(newest.reader, step, size);
        remove_temporaries(folder.path());
    }
    EXPECT_GT(step, 1);
    save(folder.path(), step + 1, size);
    EXPECT_EQ(folder.entries(), 2);  // also what killed writers could not delete
}

}  // namespace
}  // namespace tidelock
