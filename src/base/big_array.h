/// A fixed-size array of plain values for the large fields: aligned to a cache line, on huge pages where the system
/// has them (the first touch of 4 KiB pages costs more than a pass over the data), zero-filled in parallel.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

namespace tidelock {

/// Memory aligned to 64 bytes (2 MiB from 4 MiB on), zeroed on request. Throws std::bad_alloc. Null for zero bytes.
/// Blocks from 128 KiB on that are freed are kept for the next one of about the same size, as long as all together stay
/// below the most that was ever in use: a time step allocates the same arrays again and again, and fresh pages cost
/// more than a pass over them.
void* allocate_big(std::size_t bytes, bool zeroed = true);
void free_big(void* memory, std::size_t bytes) noexcept;

/// For arrays whose every value is written before it is read.
struct Uninitialised {};

template <class T>
class BigArray {
    static_assert(std::is_trivially_copyable_v<T>);

  public:
    BigArray() = default;
    explicit BigArray(std::size_t size) : data_(static_cast<T*>(allocate_big(size * sizeof(T)))), size_(size) {}
    BigArray(std::size_t size, Uninitialised)
        : data_(static_cast<T*>(allocate_big(size * sizeof(T), false))), size_(size) {}
    BigArray(BigArray&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
    BigArray& operator=(BigArray&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        return *this;
    }
    BigArray(const BigArray&) = delete;
    BigArray& operator=(const BigArray&) = delete;
    ~BigArray() { free_big(data_, bytes()); }

    [[nodiscard]] T* data() { return data_; }
    [[nodiscard]] const T* data() const { return data_; }
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] std::size_t bytes() const { return size_ * sizeof(T); }
    [[nodiscard]] T& operator[](std::size_t i) { return data_[i]; }
    [[nodiscard]] const T& operator[](std::size_t i) const { return data_[i]; }
    [[nodiscard]] T* begin() { return data_; }
    [[nodiscard]] T* end() { return data_ + size_; }
    [[nodiscard]] const T* begin() const { return data_; }
    [[nodiscard]] const T* end() const { return data_ + size_; }

  private:
    T* data_ = nullptr;
    std::size_t size_ = 0;
};

}  // namespace tidelock
