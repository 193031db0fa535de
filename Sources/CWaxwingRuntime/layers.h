/* SPDX-License-Identifier: MIT */

/* How a call finds its way through the layers of a slot. */

#ifndef WAXWING_LAYERS_H
#define WAXWING_LAYERS_H

#include "calls.h"
#include "slot.h"

/* Acquire: what was prepared before the epoch began is there for the handlers. */
static inline uint64_t waxwing_epoch_now(void) {
  return atomic_load_explicit(&waxwing_the_epoch.now, memory_order_acquire);
}

/* The epoch is read again after the cell says where the call is going: see Dekker's scheme in
 * calls.h. False: another has begun. */
static inline bool waxwing_cell_enter_switch(waxwing_cell *cell, const waxwing_switch *in_switch,
                                             uint64_t now) {
  atomic_store_explicit(&cell->in_switch, in_switch, memory_order_relaxed);
  waxwing_light_barrier();
  if (__builtin_expect(waxwing_epoch_now() == now, 1)) {
    waxwing_cell_note_time(cell);
    return true;
  }
  atomic_store_explicit(&cell->in_switch, NULL, memory_order_release);
  return false;
}

/* The first layer below another, or the first of all if that is NULL. A layer that has been removed
 * leads to what was below it then; what has been put in since is found by the layer's rank. */
static inline const waxwing_layer *waxwing_layer_below(const waxwing_layer *layer,
                                                       const waxwing_slot *slot) {
  if (layer && waxwing_layer_is_installed(layer))
    return atomic_load_explicit(&layer->older, memory_order_acquire);
  const waxwing_layer *at = atomic_load_explicit(&slot->newest, memory_order_acquire);
  while (layer && at && !waxwing_rank_is_higher(layer->rank, at->rank))
    at = atomic_load_explicit(&at->older, memory_order_acquire);
  return at;
}

#endif
