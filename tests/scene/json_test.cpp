#include "scene/json.h"

#include <gtest/gtest.h>

namespace tidelock::scene {
namespace {

Json parse(std::string_view text) {
    std::vector<SyntaxError> duplicates;
    return parse_json(text, duplicates);
}

/// "line:column text" of the syntax error.
std::string failure(std::string_view text) {
    try {
        parse(text);
    } catch (const SyntaxError& e) {
        return std::to_string(e.place.line) + ":" + std::to_string(e.place.column) + " " + e.text;
    }
    return "none";
}

TEST(Json, ReadsEveryKindOfValueWithItsPlace) {
    const Json root =
        parse("{ // comment\n  \"a\": [1, -2.5e-3, true, null],\n  /* more */ \"b\\u00e9\\n\": \"\\ud83c\\udf0a\" }");
    ASSERT_EQ(root.keys.size(), 2u);
    EXPECT_EQ(root.keys[1], "b\u00e9\n");
    const Json& list = root.items[0];
    ASSERT_EQ(list.items.size(), 4u);
    EXPECT_EQ(list.place, (Place{2, 8, 0}));
    EXPECT_EQ(list.items[1].number, -2.5e-3);
    EXPECT_EQ(list.items[1].place, (Place{2, 12, 0}));
    EXPECT_TRUE(list.items[2].boolean);
    EXPECT_EQ(root.items[1].text, "\U0001F30A");
    EXPECT_EQ(root.key_places[1], (Place{3, 14, 0}));
}

TEST(Json, ColumnsCountCharactersNotBytes) {
    // The wave takes four bytes; RFC 3629.
    EXPECT_EQ(failure("[\"\U0001F30A\", x]").substr(0, 4), "1:7 ");
}

TEST(Json, NumbersAreTheNearestDouble) {
    EXPECT_EQ(parse("0.1").number, 0.1);
    EXPECT_EQ(parse("1e-400").number, 0);
    EXPECT_EQ(parse("0.000e99999999999999999999").number, 0);
    EXPECT_EQ(parse("4.9e-324").number, 4.9e-324);
    EXPECT_EQ(parse("1.7976931348623157e308").number, 1.7976931348623157e308);
}

TEST(Json, SaysWhereAndWhyTextIsNotJson) {
    const std::vector<std::pair<std::string, std::string>> cases{
        {"", "1:1 the text is empty"},
        {"{\"a\": 1,}", "1:9 no comma"},
        {"{\"a\" 1}", "1:6 expected ':'"},
        {"{a: 1}", "1:2 expected a key in double quotes, found 'a'"},
        {"[1 2]", "1:4 expected ',' or ']', found '2'"},
        {"[1, NaN]", "1:5 expected a value"},
        {"[Infinity]", "1:2 expected a value"},
        {"[1e999]", "1:2 the number 1e999 is too large"},
        {"[-1e999]", "1:2 the number -1e999 is too large"},
        {"[01]", "1:2 a number may not start"},
        {"[1.]", "1:4 a digit is missing"},
        {"[.5]", "1:2 expected a value"},
        {"[1.5m]", "1:5 expected the end of the number"},
        {"{}\n{}", "2:1 expected nothing more"},
        {"{\"a\": [1,\n  2", "2:4 expected ',' or ']', found the end of the text (in the list that starts at 1:7)"},
        {"[\"abc", "1:2 this string is never closed"},
        {R"(["a\x"])", "1:4 unknown escape"},
        {R"(["\ud800"])", "1:3 half of a surrogate"},
        {"/* never", "1:1 this comment is never closed"},
        {std::string("[\"a\xff\"]"), "1:4 not UTF-8 (byte 0xff)"},
        {std::string("[\"\xc0\x80\"]"), "1:3 not UTF-8"},
        {std::string("[\"\xed\xa0\x80\"]"), "1:3 not UTF-8"},
        {std::string("[\"\x01\"]"), "1:3 a control character"},
        {std::string(65, '['), "1:65 nested more than 64 deep"},
    };
    for (const auto& [text, expected] : cases) EXPECT_EQ(failure(text).substr(0, expected.size()), expected) << text;
    EXPECT_EQ(failure(std::string(64, '[') + std::string(64, ']')), "none");
}

TEST(Json, ListsDuplicateKeysOfOneObjectOnly) {
    std::vector<SyntaxError> duplicates;
    const Json root = parse_json(R"({ "a": 1, "b": { "a": 2 }, "a": 3 })", duplicates);
    ASSERT_EQ(duplicates.size(), 1u);
    EXPECT_EQ(duplicates[0].place, (Place{1, 28, 0}));
    EXPECT_EQ(root.find("a")->number, 1);
}

TEST(Json, LimitsWhatAHostileFileCosts) {
    std::string many = "[0";
    for (std::size_t i = 0; i < json_max_values; ++i) many += ",0";
    EXPECT_NE(failure(many + "]").find("more than 300000 values"), std::string::npos);
    EXPECT_NE(failure(std::string(json_max_bytes + 1, ' ')).find("bytes of text"), std::string::npos);
    EXPECT_NE(failure(std::string(1'000'000, '[')).find("nested more than 64"), std::string::npos);
}

TEST(Json, QuoteIsReadBack) {
    std::string all;
    for (char c = 1; c < 127; ++c) all += c;
    EXPECT_EQ(parse(quote(all)).text, all);
}

}  // namespace
}  // namespace tidelock::scene
