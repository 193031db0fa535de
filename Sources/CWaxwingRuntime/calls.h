/* SPDX-License-Identifier: MIT */

/* Which calls are in flight, in which handler, on which thread.
 *
 * A shared counter would cost every call two contended atomic additions. Instead each thread
 * announces its calls in records of its own, with plain stores, and whoever wants to know reads the
 * records of all threads. This is Dekker's scheme:
 *
 *   a call                                 a writer
 *     1. announces itself (store)            1. changes what calls look at (store)
 *     2. light barrier                       2. wax_runtime_calls_barrier
 *     3. looks at slot and switch (load)     3. reads the records (load)
 *
 * Either the call sees the change or the writer sees the call. That needs a store-load barrier on
 * both sides. The writer's is membarrier(2), which makes every running thread of the process pass
 * a full barrier, so the call's own need only keep the compiler from reordering. Where the kernel
 * has no membarrier both sides use a full fence.
 *
 * An async call does not stay on its thread: its record comes from a pool, which readers go through
 * as they do through the records of a thread.
 *
 * What a call has read through slot and layers happens before the writer that finds the call gone:
 * the call clears its record with release, the writer reads it with acquire. */

#ifndef CALLS_H
#define CALLS_H

#include <stdatomic.h>
#include <time.h>

#include "wax_runtime.h"
#include "wax_runtime_barrier.h"

/* Written by the record's thread only. Records of a thread form a list, outermost call first; it
 * grows and never shrinks, so that a reader may follow it at any time. */
typedef struct wax_runtime_in_flight_record {
  _Atomic(const wax_runtime_slot *) slot; /* NULL: no call */
  _Atomic(const wax_runtime_session_switch *) in_switch;
  _Atomic uint64_t identity;
  _Atomic uint64_t since; /* when it entered a handler, to some ms; 0: it has entered none */
  _Atomic(struct wax_runtime_in_flight_record *) next;
} wax_runtime_in_flight_record;

/* The state of a thread that every call needs. */
typedef struct wax_runtime_thread_state {
  wax_runtime_in_flight_record
      *free; /* where the next call goes; NULL: the thread has no records yet */
  uint64_t last_identity;
  uint64_t without_patches; /* how many times the thread has asked for the program's own code */
} wax_runtime_thread_state;

/* initial-exec: one instruction, in a shared library too, at the price of 16 bytes of static TLS.
 */
extern _Thread_local wax_runtime_thread_state wax_runtime_thread
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* Makes room for another call of this thread and returns the record to use. Aborts without memory:
 * a call that cannot announce itself must not go on. */
wax_runtime_in_flight_record *wax_runtime_in_flight_grow(void)
    __attribute__((visibility("hidden"), cold));

static inline void wax_runtime_in_flight_announce(wax_runtime_in_flight_record *in_flight,
                                                  const wax_runtime_slot *slot) {
  /* Release: who sees the slot sees the identity that belongs to it. */
  atomic_store_explicit(&in_flight->slot, slot, memory_order_release);
  wax_runtime_light_barrier();
}

/* The coarse clock costs a few nanoseconds. */
static inline void wax_runtime_in_flight_note_time(wax_runtime_in_flight_record *in_flight) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  uint64_t nanoseconds = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
  atomic_store_explicit(&in_flight->since, nanoseconds, memory_order_relaxed);
}

static inline void wax_runtime_in_flight_withdraw(wax_runtime_in_flight_record *in_flight) {
  atomic_store_explicit(&in_flight->slot, NULL, memory_order_release);
}

/* A record of no thread, for a call that suspends; it announces the call already. */
wax_runtime_in_flight_record *wax_runtime_async_in_flight_begin(const wax_runtime_slot *slot)
    __attribute__((visibility("hidden")));
void wax_runtime_async_in_flight_end(wax_runtime_in_flight_record *in_flight)
    __attribute__((visibility("hidden")));

static inline wax_runtime_in_flight_record *
wax_runtime_in_flight_begin(const wax_runtime_slot *slot) {
  wax_runtime_thread_state *mine = &wax_runtime_thread;
  wax_runtime_in_flight_record *in_flight = mine->free;
  wax_runtime_in_flight_record *next =
      in_flight ? atomic_load_explicit(&in_flight->next, memory_order_relaxed) : NULL;
  if (__builtin_expect(!next, 0)) {
    in_flight = wax_runtime_in_flight_grow();
    next = atomic_load_explicit(&in_flight->next, memory_order_relaxed);
  }
  mine->free = next;
  atomic_store_explicit(&in_flight->identity, ++mine->last_identity, memory_order_relaxed);
  atomic_store_explicit(&in_flight->since, 0, memory_order_relaxed);
  wax_runtime_in_flight_announce(in_flight, slot);
  return in_flight;
}

static inline void wax_runtime_in_flight_end(wax_runtime_in_flight_record *in_flight) {
  wax_runtime_in_flight_withdraw(in_flight);
  wax_runtime_thread.free = in_flight;
}

#endif
