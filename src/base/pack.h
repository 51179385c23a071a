/// Short vectors of N values that compile to the machine's vector instructions, for the few kernels whose rows the
/// compiler does not vectorise by itself. Built on the vector extension that g++ and clang++ share; on a machine
/// without wide registers the compiler splits them.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

namespace tidelock {

template <class T, int N>
struct PackOf {
    typedef T type __attribute__((vector_size(N * sizeof(T))));
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

/// base[index] for each of 8 indices.
[[gnu::always_inline]] inline Pack<double, 8> gather_pack(const double* base, const Pack<std::int32_t, 8>& index) {
#if defined(__AVX512F__)
    // The masked form: g++ 12 warns of the plain one's own undefined source.
    return _mm512_mask_i32gather_pd(Pack<double, 8>{}, 0xff, reinterpret_cast<__m256i>(index), base, 8);
#else
    Pack<double, 8> v;
    for (int i = 0; i < 8; ++i) v[i] = base[index[i]];
    return v;
#endif
}

/// sum + (value where the byte has a bit of `bits`, else 0). Bytes are those of N consecutive cells.
template <class V, int N, class T>
[[gnu::always_inline]] inline V add_where(const V& sum, const std::uint8_t* bytes, int bits, const T* value) {
#if defined(__AVX512BW__) && defined(__AVX512VL__)
    if constexpr (std::is_same_v<T, float> && N == 16) {
        const __m128i b = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes));
        const __mmask16 open = _mm_test_epi8_mask(b, _mm_set1_epi8(static_cast<char>(bits)));
        return _mm512_mask_add_ps(sum, open, sum, _mm512_loadu_ps(value));
    } else if constexpr (std::is_same_v<T, float> && N == 4) {
        int four;
        std::memcpy(&four, bytes, 4);
        const __mmask16 open = _mm_test_epi8_mask(_mm_cvtsi32_si128(four), _mm_set1_epi8(static_cast<char>(bits)));
        return _mm_mask_add_ps(sum, static_cast<__mmask8>(open), sum, _mm_loadu_ps(value));
    } else if constexpr (std::is_same_v<T, float> && N % 16 == 0) {
        V halves = sum;
        for (int i = 0; i < N; i += 16) {
            float* part = reinterpret_cast<float*>(&halves) + i;
            store_pack(part,
                       add_where<Pack<float, 16>, 16>(load_pack<Pack<float, 16>>(part), bytes + i, bits, value + i));
        }
        return halves;
    }
#endif
    V out = sum;
    for (int i = 0; i < N; ++i) out[i] += (bytes[i] & bits) != 0 ? value[i] : T{0};
    return out;
}

}  // namespace tidelock
