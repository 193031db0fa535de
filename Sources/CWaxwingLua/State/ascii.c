/* SPDX-License-Identifier: MIT
 *
 * Long texts that may be ASCII. One that is need not be looked at again to be taken for UTF-8.
 */
#include "wax_lua_values.h"

#define STEP 128

/* Of at least STEP bytes. No branch but the loop's: almost all texts are ASCII to their end. */
#define DEFINE_LOOK(name, bytes, attribute)                                                        \
  attribute static bool name(const char *text, size_t count) {                                     \
    typedef uint64_t vector __attribute__((vector_size(bytes), aligned(1)));                       \
    vector all = *(const vector *)(const void *)text; /* from here on at whole vectors */          \
    size_t skipped = (bytes) - (uintptr_t)text % (bytes);                                          \
    text += skipped;                                                                               \
    count -= skipped;                                                                              \
    for (; count >= STEP; text += STEP, count -= STEP) {                                           \
      const vector *at = (const vector *)(const void *)text;                                       \
      vector here = at[0];                                                                         \
      for (int i = 1; i < STEP / (bytes); i++) here |= at[i];                                      \
      all |= here;                                                                                 \
    }                                                                                              \
    uint64_t word = 0;                                                                             \
    for (int i = 0; i < (bytes) / 8; i++) word |= all[i];                                          \
    return !(word & UINT64_C(0x8080808080808080)) && wax_lua_is_short_ascii(text, count);          \
  }

#if defined(__x86_64__)

DEFINE_LOOK(look_avx2, 32, __attribute__((target("avx2"))))
DEFINE_LOOK(look, 16, )

bool wax_lua_is_long_ascii(const char *text, size_t count) {
  return __builtin_cpu_supports("avx2") ? look_avx2(text, count) : look(text, count);
}

#else

DEFINE_LOOK(look, 16, )

bool wax_lua_is_long_ascii(const char *text, size_t count) { return look(text, count); }

#endif
