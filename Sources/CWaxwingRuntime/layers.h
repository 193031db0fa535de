/* SPDX-License-Identifier: MIT */

/* How a call finds its way through the layers of a slot. */

#ifndef LAYERS_H
#define LAYERS_H

#include "calls.h"
#include "slot.h"

/* Acquire: what was prepared before the epoch began is there for the handlers. */
static inline uint64_t wax_runtime_epoch_now(void) {
  return atomic_load_explicit(&wax_runtime_current_epoch.now, memory_order_acquire);
}

/* The epoch is read again after the record says where the call is going: see Dekker's scheme in
 * calls.h. False: another has begun. */
static inline bool wax_runtime_in_flight_enter_switch(wax_runtime_in_flight_record *in_flight,
                                                      const wax_runtime_session_switch *in_switch,
                                                      uint64_t now) {
  atomic_store_explicit(&in_flight->in_switch, in_switch, memory_order_relaxed);
  wax_runtime_light_barrier();
  if (__builtin_expect(wax_runtime_epoch_now() == now, 1)) {
    wax_runtime_in_flight_note_time(in_flight);
    return true;
  }
  atomic_store_explicit(&in_flight->in_switch, NULL, memory_order_release);
  return false;
}

/* The first layer below another, or the first of all if that is NULL. A layer that has been removed
 * leads to what was below it then; what has been put in since is found by the layer's rank. */
static inline const wax_runtime_layer *wax_runtime_layer_below(const wax_runtime_layer *layer,
                                                               const wax_runtime_slot *slot) {
  if (layer && wax_runtime_layer_is_installed(layer))
    return atomic_load_explicit(&layer->older, memory_order_acquire);
  const wax_runtime_layer *at = atomic_load_explicit(&slot->newest, memory_order_acquire);
  while (layer && at && !wax_runtime_rank_is_higher(layer->rank, at->rank))
    at = atomic_load_explicit(&at->older, memory_order_acquire);
  return at;
}

#endif
