/// Short vectors of N values that compile to the machine's vector instructions, for the few kernels whose rows the
/// compiler does not vectorise by itself. Built on the vector extension that g++ and clang++ share; on a machine
/// without wide registers the compiler splits them.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

namespace tidelock {

template <class T, int N>
struct PackOf {
    using type [[gnu::vector_size(N * sizeof(T))]] = T;
};

template <class T, int N>
using Pack = typename PackOf<T, N>::type;

/// Reads N values from any address.
template <class V, class T>
[[gnu::always_inline]] inline V load_pack(const T* from) {
    V v;
    std::memcpy(&v, from, sizeof(V));
    return v;
}

template <class V, class T>
[[gnu::always_inline]] inline void store_pack(T* to, const V& v) {
    std::memcpy(to, &v, sizeof(V));
}

/// The pack shifted by one along its row: towards higher places, with the last value of the pack before it, and towards
/// lower ones, with the first value of the pack behind it.
template <class V, int... lane>
[[gnu::always_inline]] inline V shift_up(const V& before, const V& here, std::integer_sequence<int, lane...>) {
    return __builtin_shufflevector(before, here, (static_cast<int>(sizeof...(lane)) - 1 + lane)...);
}
template <class V, int N>
[[gnu::always_inline]] inline V shift_up(const V& before, const V& here) {
    return shift_up(before, here, std::make_integer_sequence<int, N>());
}
template <class V, int... lane>
[[gnu::always_inline]] inline V shift_down(const V& here, const V& behind, std::integer_sequence<int, lane...>) {
    return __builtin_shufflevector(here, behind, (1 + lane)...);
}
template <class V, int N>
[[gnu::always_inline]] inline V shift_down(const V& here, const V& behind) {
    return shift_down(here, behind, std::make_integer_sequence<int, N>());
}

/// base[index] for each of 8 indices.
[[gnu::always_inline]] inline Pack<double, 8> gather_pack(const double* base, const Pack<std::int32_t, 8>& index) {
#if defined(__AVX512F__)
    // The masked form: g++ 12 warns of the plain one's own undefined source. Clang's is a macro: no commas in
    // templates.
    const __m512d zero = {};
    return _mm512_mask_i32gather_pd(zero, 0xff, reinterpret_cast<__m256i>(index), base, 8);
#else
    Pack<double, 8> v;
    for (int i = 0; i < 8; ++i) v[i] = base[index[i]];
    return v;
#endif
}

/// sum + (value where the byte has a bit of `bits`, else 0). Bytes are those of N consecutive cells.
template <class V, int N>
[[gnu::always_inline]] inline V add_where(const V& sum, const std::uint8_t* bytes, int bits, const V& value) {
#if defined(__AVX512BW__) && defined(__AVX512VL__)
    if constexpr (N == 16 && sizeof(V) == 64) {
        const __m128i b = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes));
        const __mmask16 open = _mm_test_epi8_mask(b, _mm_set1_epi8(static_cast<char>(bits)));
        return _mm512_mask_add_ps(sum, open, sum, value);
    }
    if constexpr (N == 8 && sizeof(V) == 32) {
        const __m128i b = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(bytes));
        const __mmask16 open = _mm_test_epi8_mask(b, _mm_set1_epi8(static_cast<char>(bits)));
        return _mm256_mask_add_ps(sum, static_cast<__mmask8>(open), sum, value);
    }
    if constexpr (N == 8 && sizeof(V) == 64) {
        const __m128i b = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(bytes));
        const __mmask16 open = _mm_test_epi8_mask(b, _mm_set1_epi8(static_cast<char>(bits)));
        return _mm512_mask_add_pd(sum, static_cast<__mmask8>(open), sum, value);
    }
#endif
    V out = sum;
    for (int i = 0; i < N; ++i)
        if ((bytes[i] & bits) != 0) out[i] += value[i];
    return out;
}

}  // namespace tidelock
