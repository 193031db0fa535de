/* SPDX-License-Identifier: MIT
 *
 * The lock of a state: one word, as in "Futexes Are Tricky" (Drepper, 2011), which is what the C
 * library's own mutex comes down to. Taking and giving it up are a few instructions, inlined.
 */
#ifndef WAXWING_LOCK_H
#define WAXWING_LOCK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct timespec;

enum {
  WAXWING_LOCK_FREE = 0,
  WAXWING_LOCK_TAKEN = 1,
  WAXWING_LOCK_AWAITED = 2 /* taken, and a thread may be waiting */
};

typedef struct waxwing_lock {
  _Atomic(uint32_t) word;
} waxwing_lock;

/* Waits until `deadline`, by CLOCK_MONOTONIC; NULL: for as long as it takes. False: it is over. */
bool waxwing_lock_wait(waxwing_lock *lock, const struct timespec *deadline) __attribute__((cold));

void waxwing_lock_wake(waxwing_lock *lock) __attribute__((cold));

/* Takes it if nobody has it. */
static inline bool waxwing_lock_try(waxwing_lock *lock) {
  uint32_t expected = WAXWING_LOCK_FREE;
  return atomic_compare_exchange_strong_explicit(&lock->word, &expected, WAXWING_LOCK_TAKEN,
                                                 memory_order_acquire, memory_order_relaxed);
}

static inline void waxwing_lock_take(waxwing_lock *lock) {
  if (!waxwing_lock_try(lock)) waxwing_lock_wait(lock, NULL);
}

static inline void waxwing_lock_give(waxwing_lock *lock) {
  uint32_t before = atomic_exchange_explicit(&lock->word, WAXWING_LOCK_FREE, memory_order_release);
  if (__builtin_expect(before == WAXWING_LOCK_AWAITED, 0)) waxwing_lock_wake(lock);
}

#endif
