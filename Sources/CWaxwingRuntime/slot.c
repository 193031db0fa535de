/* SPDX-License-Identifier: MIT */

/* Slots, layers and switches from the writers' side.
 *
 * A slot belongs to its patch point for good. A thread that has read the stub's address from the
 * entry may be held up for any time before it gets there, and nothing shows that it is on its way:
 * so there is no moment at which a stub could be given to another function. A patch point that is
 * overridden again finds its slot again.
 *
 * The baseline word is written as soon as the last layer is gone. A call that comes late finds no
 * layer and goes to the baseline, with a mark (lookup.c). */

#define _GNU_SOURCE

#include "slot.h"

#include <pthread.h>
#include <stdlib.h>

waxwing_slot waxwing_slots[WAXWING_SLOT_CAPACITY];

_Static_assert(sizeof(waxwing_slot) == WAXWING_SLOT_SIZE, "the stubs compute slot addresses");
_Static_assert(sizeof(_Atomic(void *)) == sizeof(void *), "an entry is one word");

/* Held by every function that changes a slot, never while a handler or an original runs. */
static pthread_mutex_t writers = PTHREAD_MUTEX_INITIALIZER;
static size_t claimed; /* guarded by `writers` */

static waxwing_switch never_on = {.begins = UINT64_MAX}; /* of removed layers */

waxwing_epoch waxwing_the_epoch;

bool waxwing_cpu_supported(void) { return WAXWING_CPU_SUPPORTED; }

/* {== Switches ====== */

waxwing_switch *waxwing_switch_create(void) {
  waxwing_switch *created = aligned_alloc(_Alignof(waxwing_switch), sizeof *created);
  if (!created) return NULL;
  atomic_init(&created->begins, UINT64_MAX);
  atomic_init(&created->ends, UINT64_MAX);
  return created;
}

/* Until the store of the epoch every value written here means the same as the old one. */
static void flip(waxwing_switch *const *on, size_t on_count, waxwing_switch *const *off,
                 size_t off_count) {
  uint64_t now = atomic_load_explicit(&waxwing_the_epoch.now, memory_order_relaxed), next = now + 1;
  if (now == WAXWING_NO_EPOCH) return;
  for (size_t i = 0; i < on_count; i++) {
    if (waxwing_switch_is_on_in(on[i], next - 1)) continue;
    atomic_store_explicit(&on[i]->begins, next, memory_order_release);
    atomic_store_explicit(&on[i]->ends, UINT64_MAX, memory_order_release);
  }
  for (size_t i = 0; i < off_count; i++) {
    if (waxwing_switch_is_on_in(off[i], next - 1))
      atomic_store_explicit(&off[i]->ends, next, memory_order_relaxed);
  }
  atomic_store_explicit(&waxwing_the_epoch.now, next, memory_order_release);
}

void waxwing_switches_flip(waxwing_switch *const *on, size_t on_count, waxwing_switch *const *off,
                           size_t off_count) {
  pthread_mutex_lock(&writers);
  flip(on, on_count, off, off_count);
  pthread_mutex_unlock(&writers);
}

void waxwing_switch_set(waxwing_switch *session, bool on) {
  waxwing_switches_flip(&session, on ? 1 : 0, &session, on ? 0 : 1);
}

bool waxwing_switch_is_on(const waxwing_switch *session) {
  return waxwing_switch_is_on_in(
      session, atomic_load_explicit(&waxwing_the_epoch.now, memory_order_acquire));
}

void waxwing_switch_destroy(waxwing_switch *session) { free(session); }

/* ====== }== */

/* {== Slots ====== */

static void *stub_of(const waxwing_slot *slot) {
#if WAXWING_CPU_SUPPORTED
  if (slot->is_async)
    return (void *)(waxwing_async_stubs + WAXWING_ASYNC_STUB_SIZE * (slot - waxwing_slots));
  return (void *)(waxwing_stubs + WAXWING_STUB_SIZE * (slot - waxwing_slots));
#else
  (void)slot;
  return NULL;
#endif
}

static void *entry_word(const waxwing_slot *slot) {
  return atomic_load_explicit(slot->entry, memory_order_relaxed);
}

static waxwing_slot *find_claimed(void **entry) {
  for (size_t i = 0; i < claimed; i++) {
    if (waxwing_slots[i].entry == (_Atomic(void *) *)entry) return &waxwing_slots[i];
  }
  return NULL;
}

static waxwing_claim claim(void **entry, const void *function, size_t stack_bytes, bool is_async,
                           waxwing_slot **result) {
  waxwing_slot *slot = find_claimed(entry);
  if (slot) {
    *result = slot;
    bool same = slot->function == function && slot->stack_bytes == stack_bytes &&
                slot->is_async == is_async;
    return same ? WAXWING_CLAIM_OK : WAXWING_CLAIM_CONFLICT;
  }
  if (claimed == WAXWING_SLOT_CAPACITY) return WAXWING_CLAIM_EXHAUSTED;
  slot = &waxwing_slots[claimed];
  slot->entry = (_Atomic(void *) *)entry;
  slot->baseline = entry_word(slot);
  slot->baseline_is_function = slot->baseline == function;
  slot->function = function;
  slot->stack_bytes = stack_bytes;
  slot->is_async = is_async;
  claimed++;
  *result = slot;
  return WAXWING_CLAIM_OK;
}

waxwing_claim waxwing_slot_claim(void **entry, const void *function, size_t stack_bytes,
                                 bool is_async, waxwing_slot **slot) {
  *slot = NULL;
  if (!waxwing_cpu_supported()) return WAXWING_CLAIM_UNSUPPORTED;
  pthread_mutex_lock(&writers);
  waxwing_claim outcome = claim(entry, function, stack_bytes, is_async, slot);
  pthread_mutex_unlock(&writers);
  return outcome;
}

static waxwing_claim claim_answering(void **entry, size_t stack_bytes, bool is_async,
                                     waxwing_closure_handler answer, void *context) {
  if (find_claimed(entry)) return WAXWING_CLAIM_CONFLICT;
  waxwing_slot *slot;
  waxwing_claim outcome = claim(entry, entry, stack_bytes, is_async, &slot);
  if (outcome != WAXWING_CLAIM_OK) return outcome;
  slot->answer = answer;
  slot->answer_context = context;
  slot->baseline = stub_of(slot);
  atomic_store_explicit(slot->entry, slot->baseline, memory_order_release);
  return outcome;
}

waxwing_claim waxwing_slot_claim_answering(void **entry, size_t stack_bytes,
                                           waxwing_closure_handler answer, void *context) {
  if (!waxwing_cpu_supported()) return WAXWING_CLAIM_UNSUPPORTED;
  pthread_mutex_lock(&writers);
  waxwing_claim outcome = claim_answering(entry, stack_bytes, false, answer, context);
  pthread_mutex_unlock(&writers);
  return outcome;
}

waxwing_claim waxwing_slot_claim_answering_async(void **entry, size_t stack_bytes,
                                                 waxwing_async_handler answer, void *context) {
  if (!waxwing_cpu_supported()) return WAXWING_CLAIM_UNSUPPORTED;
  pthread_mutex_lock(&writers);
  waxwing_claim outcome =
      claim_answering(entry, stack_bytes, true, (waxwing_closure_handler)answer, context);
  pthread_mutex_unlock(&writers);
  return outcome;
}

size_t waxwing_slot_capacity(void) { return WAXWING_SLOT_CAPACITY; }

size_t waxwing_slots_claimed(void) {
  pthread_mutex_lock(&writers);
  size_t count = claimed;
  pthread_mutex_unlock(&writers);
  return count;
}

void **waxwing_slot_entry(const waxwing_slot *slot) { return (void **)slot->entry; }
const void *waxwing_slot_baseline(const waxwing_slot *slot) { return slot->baseline; }
const void *waxwing_slot_stub(const waxwing_slot *slot) { return stub_of(slot); }

bool waxwing_slot_is_at_baseline(const waxwing_slot *slot) {
  return entry_word(slot) == slot->baseline;
}

/* ====== }== */

/* {== Layers ====== */

static waxwing_layer *create_layer(waxwing_slot *slot, waxwing_switch *session, waxwing_rank rank,
                                   void *context) {
  waxwing_layer *layer = malloc(sizeof *layer);
  if (!layer) return NULL;
  atomic_init(&layer->older, NULL);
  atomic_init(&layer->session_switch, session);
  layer->context = context;
  layer->slot = slot;
  layer->rank = rank;
  layer->continuation = NULL;
  return layer;
}

void waxwing_layer_continue(waxwing_layer *layer, const waxwing_layer *continuation) {
  layer->continuation = continuation;
}

waxwing_layer *waxwing_layer_create(waxwing_slot *slot, waxwing_switch *session, waxwing_rank rank,
                                    waxwing_handler handler, void *context) {
  waxwing_layer *layer = create_layer(slot, session, rank, context);
  if (layer) layer->handler = handler;
  return layer;
}

waxwing_layer *waxwing_layer_create_async(waxwing_slot *slot, waxwing_switch *session,
                                          waxwing_rank rank, waxwing_async_handler handler,
                                          void *context) {
  waxwing_layer *layer = create_layer(slot, session, rank, context);
  if (layer) layer->async_handler = handler;
  return layer;
}

bool waxwing_layer_is_installed(const waxwing_layer *layer) {
  return atomic_load_explicit(&layer->session_switch, memory_order_acquire) != &never_on;
}

void waxwing_layer_destroy(waxwing_layer *layer) { free(layer); }

waxwing_slot *waxwing_layer_slot(const waxwing_layer *layer) { return layer->slot; }

/* Where on the slot's list a layer of this rank goes: above all that are not higher. */
static _Atomic(waxwing_layer *) *place(waxwing_slot *slot, waxwing_rank rank) {
  _Atomic(waxwing_layer *) *link = &slot->newest;
  for (;;) {
    waxwing_layer *at = atomic_load_explicit(link, memory_order_relaxed);
    if (!at || !waxwing_rank_is_higher(at->rank, rank)) return link;
    link = &at->older;
  }
}

/* The layer is on the list before a call can arrive; release at each step for those who arrive and
 * acquire. */
static bool install(waxwing_layer *layer) {
  waxwing_slot *slot = layer->slot;
  bool replaced = entry_word(slot) == stub_of(slot);
  if (!replaced && entry_word(slot) != slot->baseline) return false;

  _Atomic(waxwing_layer *) *link = place(slot, layer->rank);
  waxwing_layer *below = atomic_load_explicit(link, memory_order_relaxed);
  atomic_store_explicit(&layer->older, below, memory_order_relaxed);
  atomic_store_explicit(link, layer, memory_order_release);
  if (!replaced) atomic_store_explicit(slot->entry, stub_of(slot), memory_order_release);
  return true;
}

bool waxwing_layer_install(waxwing_layer *layer) {
  pthread_mutex_lock(&writers);
  bool installed = install(layer);
  pthread_mutex_unlock(&writers);
  return installed;
}

void waxwing_layer_remove(waxwing_layer *layer) {
  pthread_mutex_lock(&writers);
  _Atomic(waxwing_layer *) *link = &layer->slot->newest;
  waxwing_layer *at = atomic_load_explicit(link, memory_order_relaxed);
  while (at && at != layer) {
    link = &at->older;
    at = atomic_load_explicit(link, memory_order_relaxed);
  }
  /* The layer keeps its own link: a call that stands on it must find its way on. */
  if (at) {
    atomic_store_explicit(link, atomic_load_explicit(&layer->older, memory_order_relaxed),
                          memory_order_release);
    atomic_store_explicit(&layer->session_switch, &never_on, memory_order_release);
  }
  pthread_mutex_unlock(&writers);
}

/* ====== }== */

/* {== Restoring ====== */

static waxwing_restore restore(waxwing_slot *slot) {
  if (atomic_load_explicit(&slot->newest, memory_order_relaxed)) return WAXWING_RESTORE_LAYERED;
  void *word = entry_word(slot);
  if (word != slot->baseline && word != stub_of(slot)) return WAXWING_RESTORE_TAMPERED;
  atomic_store_explicit(slot->entry, slot->baseline, memory_order_release);
  return WAXWING_RESTORE_DONE;
}

waxwing_restore waxwing_slot_restore(waxwing_slot *slot) {
  pthread_mutex_lock(&writers);
  waxwing_restore outcome = restore(slot);
  pthread_mutex_unlock(&writers);
  return outcome;
}

/* ====== }== */
