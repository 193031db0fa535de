/* SPDX-License-Identifier: MIT */

/* The shape of slots, layers and switches. */

#ifndef SLOT_H
#define SLOT_H

#include <stdatomic.h>

#include "cpu.h"
#include "wax_runtime_times.h"

struct wax_runtime_slot {
  _Atomic(wax_runtime_layer *) newest;

  /* Written by the first claim, before any call can come here. */
  uint8_t kind;       /* of the entry, a wax_runtime_entry_kind */
  bool asks_lookup;   /* the original asks its entry who replaces it: see lookup.c */
  bool is_async;      /* the stub and the original are async function pointers */
  _Atomic bool stays; /* the entry leads to the stub for good */
  uint32_t code_size; /* of a code entry */
  size_t stack_bytes;
  _Atomic(void *) *entry;
  void *original; /* what a call of the original goes to */
  const void *function;

  /* For a patch point without a function of its own: the answer to calls that no layer takes. The
     original is the slot's own stub then. */
  union {
    wax_runtime_closure_handler answer;
    wax_runtime_async_handler async_answer; /* of a slot that is async */
  };
  union {
    void *answer_context;
    /* For an entry that stays and has no answer: the slot in which calls continue that no layer
       takes; NULL: the original. */
    _Atomic(wax_runtime_slot *) lower;
  };
} __attribute__((aligned(WAX_RUNTIME_SLOT_SIZE)));

struct wax_runtime_layer {
  _Atomic(wax_runtime_layer *) older;
  _Atomic(wax_runtime_session_switch *) session_switch;
  union {
    wax_runtime_handler handler;
    wax_runtime_async_handler async_handler; /* of a slot that is async */
  };
  void *context;
  _Atomic(wax_runtime_times *) times; /* where its calls are counted; NULL: nowhere */
  wax_runtime_slot *slot;
  wax_runtime_rank rank;
  /* The layer below which the originals continue when nothing is left below in the slot; NULL: the
     slot's own. */
  const wax_runtime_layer *continuation;
};

static inline bool wax_runtime_rank_is_higher(wax_runtime_rank one, wax_runtime_rank other) {
  return one.session != other.session ? one.session > other.session : one.order > other.order;
}

/* On from one epoch to another. A call reads the epoch once and sees all switches as they are in
 * it, so that one store of the next epoch turns any number of them on and others off. */
struct wax_runtime_session_switch {
  _Atomic uint64_t begins; /* the first epoch in which it is on */
  _Atomic uint64_t ends;   /* the first in which it is off again */
} __attribute__((aligned(64)));

/* On a cache line of its own: every call reads it. */
typedef struct wax_runtime_epoch {
  _Atomic uint64_t now;
} __attribute__((aligned(64))) wax_runtime_epoch;

/* The last epoch, in which no switch is on. */
#define WAX_RUNTIME_NO_EPOCH UINT64_MAX

extern wax_runtime_epoch wax_runtime_current_epoch __attribute__((visibility("hidden")));

/* The epoch was read with acquire: what its writer did before is seen. `ends` before `begins`, as
 * they are written the other way round. */
static inline bool wax_runtime_session_switch_is_on_in(const wax_runtime_session_switch *at,
                                                       uint64_t epoch) {
  return epoch < atomic_load_explicit(&at->ends, memory_order_acquire) &&
         atomic_load_explicit(&at->begins, memory_order_relaxed) <= epoch;
}

static inline wax_runtime_slot *wax_runtime_slot_lower(const wax_runtime_slot *slot) {
  return slot->answer ? NULL : atomic_load_explicit(&slot->lower, memory_order_acquire);
}

extern wax_runtime_slot wax_runtime_slots[WAX_RUNTIME_SLOT_CAPACITY]
    __attribute__((visibility("hidden")));

/* Whether it has not been removed. */
bool wax_runtime_layer_is_installed(const wax_runtime_layer *)
    __attribute__((visibility("hidden")));

#endif
