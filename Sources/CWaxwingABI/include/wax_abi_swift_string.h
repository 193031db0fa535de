/* SPDX-License-Identifier: MIT
 *
 * Swift strings in memory. The layout on 64-bit Linux is part of Swift's ABI: two words, of which
 * the second tells the form. See docs/abi.md, and StringObject.swift in the standard library.
 */
#ifndef WAX_ABI_SWIFT_STRING_H
#define WAX_ABI_SWIFT_STRING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether the text is in the two words themselves: a copy is the same in every way. */
static inline bool wax_abi_is_small_string(const void *source) {
  return ((const uint64_t *)source)[1] >> 61 & 1;
}

/* The UTF-8 of a Swift string, which may be in the two words themselves. False: it is in a form
   that nothing but Swift reads. */
static inline bool wax_abi_string_bytes(const void *source, const char **bytes, size_t *count) {
  const uint64_t *words = (const uint64_t *)source;
  uint64_t object = words[1];
  if (wax_abi_is_small_string(source)) {
    *bytes = (const char *)source;
    *count = object >> 56 & 15;
    return true;
  }
  /* Stored by Swift, the bytes behind the object's header: or a literal, said to be 32 less. */
  bool is_tail_allocated = words[0] >> 60 & 1;
  bool is_fast = !(object >> 60 & 1);
  if (!is_tail_allocated || !is_fast) return false;
  *bytes = (const char *)(uintptr_t)(object & UINT64_C(0x0fffffffffffffff)) + 32;
  *count = words[0] & UINT64_C(0x0000ffffffffffff);
  return true;
}

static inline bool wax_abi_can_read_string(const void *source) {
  const char *bytes;
  size_t count;
  return wax_abi_string_bytes(source, &bytes, &count);
}

/* Makes a string of so many ASCII characters, at most 15, in the two words at `target`. */
static inline void wax_abi_make_small_string(const char *bytes, size_t count, void *target) {
  uint64_t *words = (uint64_t *)target;
  words[0] = 0;
  words[1] = (UINT64_C(0xe0) | count) << 56;
  for (size_t i = 0; i < count; i++) words[i / 8] |= (uint64_t)(unsigned char)bytes[i] << i % 8 * 8;
}

#endif
