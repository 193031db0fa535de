/* SPDX-License-Identifier: MIT
 *
 * The lock of a state: one word, as in "Futexes Are Tricky" (Drepper, 2011), which is what the C
 * library's own mutex comes down to. Taking and giving it up are a few instructions, inlined.
 */
#ifndef WAX_LUA_LOCK_H
#define WAX_LUA_LOCK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct timespec;

enum {
  WAX_LUA_LOCK_FREE = 0,
  WAX_LUA_LOCK_TAKEN = 1,
  WAX_LUA_LOCK_AWAITED = 2 /* taken, and a thread may be waiting */
};

typedef struct wax_lua_lock {
  _Atomic(uint32_t) word;
} wax_lua_lock;

/* Waits until `deadline`, by CLOCK_MONOTONIC; NULL: for as long as it takes. False: it is over. */
bool wax_lua_lock_wait(wax_lua_lock *lock, const struct timespec *deadline) __attribute__((cold));

void wax_lua_lock_wake(wax_lua_lock *lock) __attribute__((cold));

/* Takes it if nobody has it. */
static inline bool wax_lua_lock_try(wax_lua_lock *lock) {
  uint32_t expected = WAX_LUA_LOCK_FREE;
  return atomic_compare_exchange_strong_explicit(&lock->word, &expected, WAX_LUA_LOCK_TAKEN,
                                                 memory_order_acquire, memory_order_relaxed);
}

static inline void wax_lua_lock_take(wax_lua_lock *lock) {
  if (!wax_lua_lock_try(lock)) wax_lua_lock_wait(lock, NULL);
}

static inline void wax_lua_lock_give(wax_lua_lock *lock) {
  uint32_t before = atomic_exchange_explicit(&lock->word, WAX_LUA_LOCK_FREE, memory_order_release);
  if (__builtin_expect(before == WAX_LUA_LOCK_AWAITED, 0)) wax_lua_lock_wake(lock);
}

#endif
