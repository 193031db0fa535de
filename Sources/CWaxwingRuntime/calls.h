/* SPDX-License-Identifier: MIT */

/* Which calls are in flight, in which handler, on which thread.
 *
 * A shared counter would cost every call two contended atomic additions. Instead each thread
 * announces its calls in cells of its own, with plain stores, and whoever wants to know reads the
 * cells of all threads. This is Dekker's scheme:
 *
 *   a call                                 a writer
 *     1. announces itself (store)            1. changes what calls look at (store)
 *     2. light barrier                       2. waxwing_calls_barrier
 *     3. looks at slot and switch (load)     3. reads the cells (load)
 *
 * Either the call sees the change or the writer sees the call. That needs a store-load barrier on
 * both sides. The writer's is membarrier(2), which makes every running thread of the process pass
 * a full barrier, so the call's own need only keep the compiler from reordering. Where the kernel
 * has no membarrier both sides use a full fence.
 *
 * An async call does not stay on its thread: its cell comes from a pool, which readers go through
 * as they do through the cells of a thread.
 *
 * What a call has read through slot and layers happens before the writer that finds the call gone:
 * the call clears its cell with release, the writer reads it with acquire. */

#ifndef WAXWING_CALLS_H
#define WAXWING_CALLS_H

#include <stdatomic.h>
#include <time.h>

#include "waxwing_runtime.h"

/* Written by the cell's thread only. Cells of a thread form a list, outermost call first; it grows
 * and never shrinks, so that a reader may follow it at any time. */
typedef struct waxwing_cell {
  _Atomic(const waxwing_slot *) slot; /* NULL: no call */
  _Atomic(const waxwing_switch *) in_switch;
  _Atomic uint64_t identity;
  _Atomic uint64_t since; /* when it entered a handler, to some ms; 0: it has entered none */
  _Atomic(struct waxwing_cell *) next;
} waxwing_cell;

/* What a thread needs at every call. */
typedef struct waxwing_thread_calls {
  waxwing_cell *free; /* where the next call goes; NULL: the thread has no cells yet */
  uint64_t last_identity;
  uint64_t without_patches; /* how many times the thread has asked for the program's own code */
} waxwing_thread_calls;

/* initial-exec: one instruction, in a shared library too, at the price of 16 bytes of static TLS.
 */
extern _Thread_local waxwing_thread_calls waxwing_my_calls
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

extern _Atomic bool waxwing_has_membarrier __attribute__((visibility("hidden")));

/* Makes room for another call of this thread and returns the cell to use. Aborts without memory:
 * a call that cannot announce itself must not go on. */
waxwing_cell *waxwing_calls_grow(void) __attribute__((visibility("hidden"), cold));

static inline void waxwing_light_barrier(void) {
  if (__builtin_expect(atomic_load_explicit(&waxwing_has_membarrier, memory_order_relaxed), 1))
    atomic_signal_fence(memory_order_seq_cst);
  else
    atomic_thread_fence(memory_order_seq_cst);
}

static inline void waxwing_cell_announce(waxwing_cell *cell, const waxwing_slot *slot) {
  /* Release: who sees the slot sees the identity that belongs to it. */
  atomic_store_explicit(&cell->slot, slot, memory_order_release);
  waxwing_light_barrier();
}

/* The coarse clock costs a few nanoseconds. */
static inline void waxwing_cell_note_time(waxwing_cell *cell) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  uint64_t nanoseconds = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
  atomic_store_explicit(&cell->since, nanoseconds, memory_order_relaxed);
}

static inline void waxwing_cell_withdraw(waxwing_cell *cell) {
  atomic_store_explicit(&cell->slot, NULL, memory_order_release);
}

/* A cell of no thread, for a call that suspends; it announces the call already. */
waxwing_cell *waxwing_async_call_begin(const waxwing_slot *slot)
    __attribute__((visibility("hidden")));
void waxwing_async_call_end(waxwing_cell *cell) __attribute__((visibility("hidden")));

static inline waxwing_cell *waxwing_call_begin(const waxwing_slot *slot) {
  waxwing_thread_calls *mine = &waxwing_my_calls;
  waxwing_cell *cell = mine->free;
  waxwing_cell *next = cell ? atomic_load_explicit(&cell->next, memory_order_relaxed) : NULL;
  if (__builtin_expect(!next, 0)) {
    cell = waxwing_calls_grow();
    next = atomic_load_explicit(&cell->next, memory_order_relaxed);
  }
  mine->free = next;
  atomic_store_explicit(&cell->identity, ++mine->last_identity, memory_order_relaxed);
  atomic_store_explicit(&cell->since, 0, memory_order_relaxed);
  waxwing_cell_announce(cell, slot);
  return cell;
}

static inline void waxwing_call_end(waxwing_cell *cell) {
  waxwing_cell_withdraw(cell);
  waxwing_my_calls.free = cell;
}

#endif
