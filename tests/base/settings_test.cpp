#include "base/settings.h"

#include <gtest/gtest.h>

namespace tidelock {

enum class Fruit { apple, pear };
template <>
inline constexpr auto words<Fruit> = word_table<Fruit>({{Fruit::apple, "apple"}, {Fruit::pear, "green-pear"}});

namespace {

enum class Nameless { one };

TEST(Words, GoBothWays) {
    static_assert(word_of(Fruit::pear) == "green-pear");
    static_assert(with_word<Fruit>("apple") == Fruit::apple);
    EXPECT_FALSE(with_word<Fruit>("pear").has_value());
    EXPECT_FALSE(with_word<Fruit>("").has_value());
    EXPECT_EQ(all_words<Fruit>(), (std::vector<std::string_view>{"apple", "green-pear"}));
    static_assert(words<Nameless> == nullptr);
}

TEST(Settings, GiveBackWhatWasSet) {
    Settings s;
    s.set("fast", true);
    s.set("rounds", 3);
    s.set("share", 0.1);
    s.set("fruit", "green-pear");
    EXPECT_TRUE(s.boolean("fast"));
    EXPECT_EQ(s.integer("rounds"), 3);
    EXPECT_EQ(s.number("share"), 0.1);
    EXPECT_EQ(s.word("fruit"), "green-pear");
    EXPECT_EQ(s.choice<Fruit>("fruit"), Fruit::pear);
}

TEST(Settings, KeepTheirOrderAndTheLastValue) {
    Settings s;
    s.set("b", 1);
    s.set("a", 2);
    const Settings before = s;
    s.set("b", 5);
    ASSERT_EQ(s.entries().size(), 2u);
    EXPECT_EQ(s.entries()[0].first, "b");
    EXPECT_EQ(s.integer("b"), 5);
    EXPECT_NE(s, before);
}

TEST(Settings, RefuseWhatIsNotThereOrOfAnotherType) {
    Settings s;
    s.set("rounds", 3);
    s.set("fruit", "plum");
    EXPECT_THROW((void)s.integer("round"), InputError);
    EXPECT_THROW((void)s.number("rounds"), InputError) << "a whole number is not taken for another type";
    EXPECT_THROW((void)s.boolean("rounds"), InputError);
    EXPECT_THROW((void)s.choice<Fruit>("fruit"), InputError);
}

}  // namespace
}  // namespace tidelock
