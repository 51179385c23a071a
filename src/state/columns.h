/// Records as arrays of plain numbers, one array for each member: what files and hashes hold of them.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <type_traits>

#include "geometry/pose.h"

namespace tidelock {

/// A member of some records: `rows` rows of `width` numbers, `stride` bytes apart.
template <class T>
struct Column {
    T* first = nullptr;
    std::size_t rows = 0, width = 1, stride = sizeof(T);

    [[nodiscard]] bool dense() const { return stride == width * sizeof(T); }
    [[nodiscard]] std::span<T> row(std::size_t i) const {
        using Byte = std::conditional_t<std::is_const_v<T>, const std::byte, std::byte>;
        return {reinterpret_cast<T*>(reinterpret_cast<Byte*>(first) + i * stride), width};
    }
};

/// A number, a vector, a matrix (column by column) or a rotation as its numbers.
template <class T>
requires std::is_arithmetic_v<T> std::span<T, 1> numbers_of(T& number) { return std::span<T, 1>(&number, 1); }
template <class T, int Rows, int Columns>
std::span<T, std::size_t{Rows} * Columns> numbers_of(Eigen::Matrix<T, Rows, Columns>& m) {
    return std::span<T, std::size_t{Rows} * Columns>(m.data(), std::size_t{Rows} * Columns);
}
template <class T, int Rows, int Columns>
std::span<const T, std::size_t{Rows} * Columns> numbers_of(const Eigen::Matrix<T, Rows, Columns>& m) {
    return std::span<const T, std::size_t{Rows} * Columns>(m.data(), std::size_t{Rows} * Columns);
}
inline std::span<double, 1> numbers_of(Rotation<2>& r) { return r.numbers(); }
inline std::span<const double, 1> numbers_of(const Rotation<2>& r) { return r.numbers(); }
inline std::span<double, 4> numbers_of(Rotation<3>& r) { return r.numbers(); }
inline std::span<const double, 4> numbers_of(const Rotation<3>& r) { return r.numbers(); }

/// The members of a record by name, as pointers to members; a record that is a number or a vector is one column
/// without a name of its own.
template <class Record>
struct Members {
    template <class F>
    static void each(F&& f) {
        f("", std::identity{});
    }
};

/// Calls f(name, column) for each member of `rows` records.
template <class Record, class F>
void for_each_column(const std::string& name, Record* first, std::size_t rows, F&& f) {
    Members<std::remove_const_t<Record>>::each([&](const char* member, auto part) {
        using Numbers = decltype(numbers_of(std::invoke(part, *first)));
        Column<typename Numbers::element_type> column;
        column.rows = rows, column.width = Numbers::extent, column.stride = sizeof(Record);
        if (rows > 0) column.first = numbers_of(std::invoke(part, *first)).data();
        f(*member != 0 ? name + "." + member : name, column);
    });
}

}  // namespace tidelock
