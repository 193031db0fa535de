/* SPDX-License-Identifier: MIT */

/* One half of a store-load barrier between two threads, for what is done often on one side and
 * seldom on the other: the side that is seldom calls wax_runtime_calls_barrier, which makes all
 * running threads of the process pass a full one. calls.h has the scheme. */

#ifndef WAX_RUNTIME_BARRIER_H
#define WAX_RUNTIME_BARRIER_H

#include <stdatomic.h>
#include <stdbool.h>

extern _Atomic bool wax_runtime_has_membarrier __attribute__((visibility("hidden")));

/* Between a store and a load that follows: keeps the compiler from changing their order, and the
 * processor where the kernel does not. */
static inline void wax_runtime_light_barrier(void) {
  if (__builtin_expect(atomic_load_explicit(&wax_runtime_has_membarrier, memory_order_relaxed), 1))
    atomic_signal_fence(memory_order_seq_cst);
  else
    atomic_thread_fence(memory_order_seq_cst);
}

#endif
