/* SPDX-License-Identifier: MIT */

/* Slots, layers and switches from the writers' side.
 *
 * A slot belongs to its patch point for good. A thread that has read the stub's address from the
 * entry may be held up for any time before it gets there, and nothing shows that it is on its way:
 * so there is no moment at which a stub could be given to another function. A patch point that is
 * overridden again finds its slot again.
 *
 * The baseline word is written as soon as the last layer is gone. A call that comes late finds no
 * layer and goes to the original, with a mark (lookup.c). */

#include "code.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

wax_runtime_slot wax_runtime_slots[WAX_RUNTIME_SLOT_CAPACITY];

_Static_assert(sizeof(wax_runtime_slot) == WAX_RUNTIME_SLOT_SIZE,
               "the stubs compute slot addresses");
_Static_assert(sizeof(_Atomic(void *)) == sizeof(void *), "an entry is one word");

/* Held by every function that changes a slot, never while a handler or an original runs. */
static pthread_mutex_t writers = PTHREAD_MUTEX_INITIALIZER;
static size_t claimed; /* guarded by `writers` */

static wax_runtime_session_switch never_on = {.begins = UINT64_MAX}; /* of removed layers */

wax_runtime_epoch wax_runtime_current_epoch;

bool wax_runtime_cpu_supported(void) { return WAX_RUNTIME_CPU_SUPPORTED; }

/* {== Switches ====== */

wax_runtime_session_switch *wax_runtime_session_switch_create(void) {
  wax_runtime_session_switch *created =
      aligned_alloc(_Alignof(wax_runtime_session_switch), sizeof *created);
  if (!created) return NULL;
  atomic_init(&created->begins, UINT64_MAX);
  atomic_init(&created->ends, UINT64_MAX);
  return created;
}

/* Until the store of the epoch every value written here means the same as the old one. */
static void flip(wax_runtime_session_switch *const *on, size_t on_count,
                 wax_runtime_session_switch *const *off, size_t off_count) {
  uint64_t now = atomic_load_explicit(&wax_runtime_current_epoch.now, memory_order_relaxed),
           next = now + 1;
  if (now == WAX_RUNTIME_NO_EPOCH) return;
  for (size_t i = 0; i < on_count; i++) {
    if (wax_runtime_session_switch_is_on_in(on[i], next - 1)) continue;
    atomic_store_explicit(&on[i]->begins, next, memory_order_release);
    atomic_store_explicit(&on[i]->ends, UINT64_MAX, memory_order_release);
  }
  for (size_t i = 0; i < off_count; i++) {
    if (wax_runtime_session_switch_is_on_in(off[i], next - 1))
      atomic_store_explicit(&off[i]->ends, next, memory_order_relaxed);
  }
  atomic_store_explicit(&wax_runtime_current_epoch.now, next, memory_order_release);
}

void wax_runtime_session_switches_flip(wax_runtime_session_switch *const *on, size_t on_count,
                                       wax_runtime_session_switch *const *off, size_t off_count) {
  pthread_mutex_lock(&writers);
  flip(on, on_count, off, off_count);
  pthread_mutex_unlock(&writers);
}

void wax_runtime_session_switch_set(wax_runtime_session_switch *session, bool on) {
  wax_runtime_session_switches_flip(&session, on ? 1 : 0, &session, on ? 0 : 1);
}

bool wax_runtime_session_switch_is_on(const wax_runtime_session_switch *session) {
  return wax_runtime_session_switch_is_on_in(
      session, atomic_load_explicit(&wax_runtime_current_epoch.now, memory_order_acquire));
}

void wax_runtime_session_switch_destroy(wax_runtime_session_switch *session) { free(session); }

/* ====== }== */

/* {== Slots ====== */

void *wax_runtime_stub_of(const wax_runtime_slot *slot) {
#if WAX_RUNTIME_CPU_SUPPORTED
  if (slot->is_async)
    return (void *)(wax_runtime_async_stubs +
                    WAX_RUNTIME_ASYNC_STUB_SIZE * (slot - wax_runtime_slots));
  return (void *)(wax_runtime_stubs + WAX_RUNTIME_STUB_SIZE * (slot - wax_runtime_slots));
#else
  (void)slot;
  return NULL;
#endif
}

bool wax_runtime_is_stub(const void *word) {
#if WAX_RUNTIME_CPU_SUPPORTED
  uintptr_t at = (uintptr_t)word;
  return at - (uintptr_t)wax_runtime_stubs <
             (uintptr_t)WAX_RUNTIME_STUB_SIZE * WAX_RUNTIME_SLOT_CAPACITY ||
         at - (uintptr_t)wax_runtime_async_stubs <
             (uintptr_t)WAX_RUNTIME_ASYNC_STUB_SIZE * WAX_RUNTIME_SLOT_CAPACITY;
#else
  (void)word;
  return false;
#endif
}

/* In the order of wax_runtime_entry_kind. */
static const wax_runtime_entry_functions *const kinds[] = {
    [WAX_RUNTIME_ENTRY_REPLACEMENT] = &wax_runtime_replacement_entry,
    [WAX_RUNTIME_ENTRY_WORD] = &wax_runtime_word_entry,
    [WAX_RUNTIME_ENTRY_ASYNC_POINTER] = &wax_runtime_async_pointer_entry,
    [WAX_RUNTIME_ENTRY_CODE] = &wax_runtime_code_entry,
};

static const wax_runtime_entry_functions *entry_of(const wax_runtime_slot *slot) {
  return kinds[slot->kind];
}

/* The claimed slots by their entries: 1 + a slot's index where the hash of its entry, or one before
 * in the same run, leads to; 0: nothing. At least half of it is empty. Guarded by `writers`. */
#define PLACES (2 * WAX_RUNTIME_SLOT_CAPACITY)
static uint16_t places[PLACES];

_Static_assert(WAX_RUNTIME_SLOT_CAPACITY < UINT16_MAX, "a place holds a slot's index");
_Static_assert((PLACES & (PLACES - 1)) == 0, "a hash is cut off at the table's size");

static size_t place_of(void *const *entry) {
  uint64_t hash = (uint64_t)(uintptr_t)entry * 0x9e3779b97f4a7c15u;
  size_t at = (size_t)(hash >> 32) & (PLACES - 1);
  while (places[at] && wax_runtime_slots[places[at] - 1].entry != (_Atomic(void *) *)entry)
    at = (at + 1) & (PLACES - 1);
  return at;
}

static wax_runtime_slot *find_claimed(void **entry) {
  uint16_t found = places[place_of(entry)];
  return found ? &wax_runtime_slots[found - 1] : NULL;
}

static bool is_of(const wax_runtime_slot *slot, const wax_runtime_point *point) {
  return slot->kind == point->kind && slot->function == point->function &&
         slot->stack_bytes == point->stack_bytes && slot->is_async == point->is_async &&
         slot->code_size == point->code_size;
}

static wax_runtime_claim claim(const wax_runtime_point *point, wax_runtime_slot **result) {
  wax_runtime_slot *slot = find_claimed(point->entry);
  if (slot) {
    *result = slot;
    return is_of(slot, point) ? WAX_RUNTIME_CLAIM_OK : WAX_RUNTIME_CLAIM_CONFLICT;
  }
  if (claimed == WAX_RUNTIME_SLOT_CAPACITY) return WAX_RUNTIME_CLAIM_EXHAUSTED;
  slot = &wax_runtime_slots[claimed];
  slot->kind = (uint8_t)point->kind;
  slot->entry = (_Atomic(void *) *)point->entry;
  slot->function = point->function;
  slot->stack_bytes = point->stack_bytes;
  slot->is_async = point->is_async;
  slot->code_size = point->code_size;
  wax_runtime_claim outcome = entry_of(slot)->prepare(slot);
  if (outcome != WAX_RUNTIME_CLAIM_OK) return outcome;
  claimed++;
  places[place_of(point->entry)] = (uint16_t)claimed;
  *result = slot;
  return WAX_RUNTIME_CLAIM_OK;
}

wax_runtime_claim wax_runtime_slot_claim(wax_runtime_point point, wax_runtime_slot **slot) {
  *slot = NULL;
  if (!wax_runtime_cpu_supported()) return WAX_RUNTIME_CLAIM_UNSUPPORTED;
  pthread_mutex_lock(&writers);
  wax_runtime_claim outcome = claim(&point, slot);
  pthread_mutex_unlock(&writers);
  return outcome;
}

wax_runtime_claim wax_runtime_code_look(wax_runtime_point point) {
#if WAX_RUNTIME_CPU_SUPPORTED
  pthread_mutex_lock(&writers);
  const wax_runtime_slot *slot = find_claimed(point.entry);
  wax_runtime_claim outcome = !slot                 ? wax_runtime_code_look_at(&point)
                              : is_of(slot, &point) ? WAX_RUNTIME_CLAIM_OK
                                                    : WAX_RUNTIME_CLAIM_CONFLICT;
  pthread_mutex_unlock(&writers);
  return outcome;
#else
  (void)point;
  return WAX_RUNTIME_CLAIM_UNSUPPORTED;
#endif
}

static wax_runtime_claim claim_answering(const wax_runtime_point *point,
                                         wax_runtime_closure_handler answer, void *context) {
  if (find_claimed(point->entry)) return WAX_RUNTIME_CLAIM_CONFLICT;
  wax_runtime_slot *slot;
  wax_runtime_claim outcome = claim(point, &slot);
  if (outcome != WAX_RUNTIME_CLAIM_OK) return outcome;
  slot->answer = answer;
  slot->answer_context = context;
  slot->original = wax_runtime_stub_of(slot);
  return entry_of(slot)->install(slot);
}

wax_runtime_claim wax_runtime_slot_claim_answering(wax_runtime_point point,
                                                   wax_runtime_closure_handler answer,
                                                   void *context) {
  if (!wax_runtime_cpu_supported()) return WAX_RUNTIME_CLAIM_UNSUPPORTED;
  pthread_mutex_lock(&writers);
  wax_runtime_claim outcome = claim_answering(&point, answer, context);
  pthread_mutex_unlock(&writers);
  return outcome;
}

wax_runtime_claim wax_runtime_slot_claim_answering_async(wax_runtime_point point,
                                                         wax_runtime_async_handler answer,
                                                         void *context) {
  return wax_runtime_slot_claim_answering(point, (wax_runtime_closure_handler)answer, context);
}

size_t wax_runtime_slot_capacity(void) { return WAX_RUNTIME_SLOT_CAPACITY; }

size_t wax_runtime_slots_claimed(void) {
  pthread_mutex_lock(&writers);
  size_t count = claimed;
  pthread_mutex_unlock(&writers);
  return count;
}

wax_runtime_point wax_runtime_slot_point(const wax_runtime_slot *slot) {
  return (wax_runtime_point){
      .kind = slot->kind,
      .is_async = slot->is_async,
      .entry = (void **)slot->entry,
      .function = slot->function,
      .stack_bytes = slot->stack_bytes,
      .code_size = slot->code_size,
  };
}

const void *wax_runtime_slot_stub(const wax_runtime_slot *slot) {
  return wax_runtime_stub_of(slot);
}

const void *wax_runtime_entry_word_of(wax_runtime_point point) {
  if (point.kind != WAX_RUNTIME_ENTRY_CODE) return __atomic_load_n(point.entry, __ATOMIC_RELAXED);
  const void *bytes;
  memcpy(&bytes, point.entry, sizeof bytes); /* anywhere, of any alignment */
  return bytes;
}

bool wax_runtime_entry_leads_to(wax_runtime_point point, const void *word) {
  return kinds[point.kind]->leads_to((const void *const *)point.entry, word);
}

bool wax_runtime_slot_is_at_baseline(const wax_runtime_slot *slot) {
  return entry_of(slot)->verify(slot);
}

bool wax_runtime_slot_stay(wax_runtime_slot *slot, wax_runtime_slot *lower) {
  pthread_mutex_lock(&writers);
  bool is_ours = entry_of(slot)->is_ours(slot);
  if (is_ours) {
    atomic_store_explicit(&slot->lower, lower, memory_order_release);
    atomic_store_explicit(&slot->stays, true, memory_order_relaxed);
    is_ours = entry_of(slot)->install(slot) == WAX_RUNTIME_CLAIM_OK;
  }
  pthread_mutex_unlock(&writers);
  return is_ours;
}

/* What this thread was refused last. */
static _Thread_local wax_runtime_claim_details details;

void wax_runtime_refuse_number(int error_number) {
  details = (wax_runtime_claim_details){.error_number = error_number};
}

void wax_runtime_refuse_thread(int thread, const char *name) {
  details = (wax_runtime_claim_details){.thread = thread};
  strncpy(details.thread_name, name, sizeof details.thread_name - 1);
}

wax_runtime_claim_details wax_runtime_claim_details_of_thread(void) { return details; }

/* ====== }== */

/* {== Layers ====== */

static wax_runtime_layer *create_layer(wax_runtime_slot *slot, wax_runtime_session_switch *session,
                                       wax_runtime_rank rank, void *context) {
  wax_runtime_layer *layer = malloc(sizeof *layer);
  if (!layer) return NULL;
  atomic_init(&layer->older, NULL);
  atomic_init(&layer->session_switch, session);
  layer->context = context;
  layer->slot = slot;
  layer->rank = rank;
  layer->continuation = NULL;
  atomic_init(&layer->times, NULL);
  return layer;
}

void wax_runtime_layer_continue(wax_runtime_layer *layer, const wax_runtime_layer *continuation) {
  layer->continuation = continuation;
}

wax_runtime_layer *wax_runtime_layer_create(wax_runtime_slot *slot,
                                            wax_runtime_session_switch *session,
                                            wax_runtime_rank rank, wax_runtime_handler handler,
                                            void *context) {
  wax_runtime_layer *layer = create_layer(slot, session, rank, context);
  if (layer) layer->handler = handler;
  return layer;
}

wax_runtime_layer *wax_runtime_layer_create_async(wax_runtime_slot *slot,
                                                  wax_runtime_session_switch *session,
                                                  wax_runtime_rank rank,
                                                  wax_runtime_async_handler handler,
                                                  void *context) {
  wax_runtime_layer *layer = create_layer(slot, session, rank, context);
  if (layer) layer->async_handler = handler;
  return layer;
}

bool wax_runtime_layer_is_installed(const wax_runtime_layer *layer) {
  return atomic_load_explicit(&layer->session_switch, memory_order_acquire) != &never_on;
}

void wax_runtime_layer_destroy(wax_runtime_layer *layer) { free(layer); }

wax_runtime_slot *wax_runtime_layer_slot(const wax_runtime_layer *layer) { return layer->slot; }

wax_runtime_rank wax_runtime_layer_rank(const wax_runtime_layer *layer) { return layer->rank; }

/* Where on the slot's list a layer of this rank goes: above all that are not higher. */
static _Atomic(wax_runtime_layer *) *place(wax_runtime_slot *slot, wax_runtime_rank rank) {
  _Atomic(wax_runtime_layer *) *link = &slot->newest;
  for (;;) {
    wax_runtime_layer *at = atomic_load_explicit(link, memory_order_relaxed);
    if (!at || !wax_runtime_rank_is_higher(at->rank, rank)) return link;
    link = &at->older;
  }
}

/* Takes the layer off its slot's list; false: it is not there. It keeps its own link: a call that
 * stands on it must find its way on. */
static bool unlink_layer(wax_runtime_layer *layer) {
  _Atomic(wax_runtime_layer *) *link = &layer->slot->newest;
  wax_runtime_layer *at = atomic_load_explicit(link, memory_order_relaxed);
  while (at && at != layer) {
    link = &at->older;
    at = atomic_load_explicit(link, memory_order_relaxed);
  }
  if (!at) return false;
  atomic_store_explicit(link, atomic_load_explicit(&layer->older, memory_order_relaxed),
                        memory_order_release);
  return true;
}

/* The layer is on the list before a call can arrive; release at each step for those who arrive and
 * acquire. */
static wax_runtime_claim install(wax_runtime_layer *layer) {
  wax_runtime_slot *slot = layer->slot;
  if (!entry_of(slot)->is_ours(slot)) return WAX_RUNTIME_CLAIM_FOREIGN;

  _Atomic(wax_runtime_layer *) *link = place(slot, layer->rank);
  wax_runtime_layer *below = atomic_load_explicit(link, memory_order_relaxed);
  atomic_store_explicit(&layer->older, below, memory_order_relaxed);
  atomic_store_explicit(link, layer, memory_order_release);
  wax_runtime_claim outcome = entry_of(slot)->install(slot);
  if (outcome != WAX_RUNTIME_CLAIM_OK) (void)unlink_layer(layer);
  return outcome;
}

wax_runtime_claim wax_runtime_layer_install(wax_runtime_layer *layer) {
  pthread_mutex_lock(&writers);
  wax_runtime_claim outcome = install(layer);
  pthread_mutex_unlock(&writers);
  return outcome;
}

void wax_runtime_layer_remove(wax_runtime_layer *layer) {
  pthread_mutex_lock(&writers);
  if (unlink_layer(layer))
    atomic_store_explicit(&layer->session_switch, &never_on, memory_order_release);
  pthread_mutex_unlock(&writers);
}

/* ====== }== */

/* {== Restoring ====== */

static wax_runtime_restore restore(wax_runtime_slot *slot) {
  if (atomic_load_explicit(&slot->newest, memory_order_relaxed)) return WAX_RUNTIME_RESTORE_LAYERED;
  switch (entry_of(slot)->remove(slot)) {
    case WAX_RUNTIME_CLAIM_OK: return WAX_RUNTIME_RESTORE_DONE;
    case WAX_RUNTIME_CLAIM_FOREIGN: return WAX_RUNTIME_RESTORE_TAMPERED;
    default: return WAX_RUNTIME_RESTORE_FAILED;
  }
}

wax_runtime_restore wax_runtime_slot_restore(wax_runtime_slot *slot) {
  pthread_mutex_lock(&writers);
  wax_runtime_restore outcome = restore(slot);
  pthread_mutex_unlock(&writers);
  return outcome;
}

/* ====== }== */
