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

#include <link.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

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

static void *stub_of(const wax_runtime_slot *slot) {
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

static void *entry_word(const wax_runtime_slot *slot) {
  return atomic_load_explicit(slot->entry, memory_order_relaxed);
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

static wax_runtime_claim claim(void **entry, const void *function, size_t stack_bytes,
                               bool is_async, wax_runtime_slot **result) {
  wax_runtime_slot *slot = find_claimed(entry);
  if (slot) {
    *result = slot;
    bool same = slot->function == function && slot->stack_bytes == stack_bytes &&
                slot->is_async == is_async;
    return same ? WAX_RUNTIME_CLAIM_OK : WAX_RUNTIME_CLAIM_CONFLICT;
  }
  if (claimed == WAX_RUNTIME_SLOT_CAPACITY) return WAX_RUNTIME_CLAIM_EXHAUSTED;
  slot = &wax_runtime_slots[claimed];
  slot->entry = (_Atomic(void *) *)entry;
  slot->baseline = entry_word(slot);
  slot->baseline_is_function = slot->baseline == function;
  slot->function = function;
  slot->stack_bytes = stack_bytes;
  slot->is_async = is_async;
  claimed++;
  places[place_of(entry)] = (uint16_t)claimed;
  *result = slot;
  return WAX_RUNTIME_CLAIM_OK;
}

wax_runtime_claim wax_runtime_slot_claim(void **entry, const void *function, size_t stack_bytes,
                                         bool is_async, wax_runtime_slot **slot) {
  *slot = NULL;
  if (!wax_runtime_cpu_supported()) return WAX_RUNTIME_CLAIM_UNSUPPORTED;
  pthread_mutex_lock(&writers);
  wax_runtime_claim outcome = claim(entry, function, stack_bytes, is_async, slot);
  pthread_mutex_unlock(&writers);
  return outcome;
}

static wax_runtime_claim claim_answering(void **entry, size_t stack_bytes, bool is_async,
                                         wax_runtime_closure_handler answer, void *context) {
  if (find_claimed(entry)) return WAX_RUNTIME_CLAIM_CONFLICT;
  wax_runtime_slot *slot;
  wax_runtime_claim outcome = claim(entry, entry, stack_bytes, is_async, &slot);
  if (outcome != WAX_RUNTIME_CLAIM_OK) return outcome;
  slot->answer = answer;
  slot->answer_context = context;
  slot->baseline = stub_of(slot);
  atomic_store_explicit(slot->entry, slot->baseline, memory_order_release);
  return outcome;
}

wax_runtime_claim wax_runtime_slot_claim_answering(void **entry, size_t stack_bytes,
                                                   wax_runtime_closure_handler answer,
                                                   void *context) {
  if (!wax_runtime_cpu_supported()) return WAX_RUNTIME_CLAIM_UNSUPPORTED;
  pthread_mutex_lock(&writers);
  wax_runtime_claim outcome = claim_answering(entry, stack_bytes, false, answer, context);
  pthread_mutex_unlock(&writers);
  return outcome;
}

wax_runtime_claim wax_runtime_slot_claim_answering_async(void **entry, size_t stack_bytes,
                                                         wax_runtime_async_handler answer,
                                                         void *context) {
  if (!wax_runtime_cpu_supported()) return WAX_RUNTIME_CLAIM_UNSUPPORTED;
  pthread_mutex_lock(&writers);
  wax_runtime_claim outcome =
      claim_answering(entry, stack_bytes, true, (wax_runtime_closure_handler)answer, context);
  pthread_mutex_unlock(&writers);
  return outcome;
}

size_t wax_runtime_slot_capacity(void) { return WAX_RUNTIME_SLOT_CAPACITY; }

size_t wax_runtime_slots_claimed(void) {
  pthread_mutex_lock(&writers);
  size_t count = claimed;
  pthread_mutex_unlock(&writers);
  return count;
}

void **wax_runtime_slot_entry(const wax_runtime_slot *slot) { return (void **)slot->entry; }

const void *wax_runtime_slot_function(const wax_runtime_slot *slot) { return slot->function; }

size_t wax_runtime_slot_stack_bytes(const wax_runtime_slot *slot) { return slot->stack_bytes; }

bool wax_runtime_slot_is_async(const wax_runtime_slot *slot) { return slot->is_async; }
const void *wax_runtime_slot_stub(const wax_runtime_slot *slot) { return stub_of(slot); }

/* What the entry holds where nothing is overridden. */
static const void *resting_word(const wax_runtime_slot *slot) {
  return atomic_load_explicit(&slot->stays, memory_order_relaxed) ? stub_of(slot) : slot->baseline;
}

/* What a replacement entry begins with, and the links behind it, one for each replacement in Swift
 * code that is on: DynamicReplacementChainEntry in the runtime's FunctionReplacement.h, Swift 6.3.
 * The link of a replacement holds what the entry held before it. */
typedef struct chain_entry {
  _Atomic(void *) word;
  struct chain_entry *next;
} chain_entry;

static int find_data(struct dl_phdr_info *image, size_t size, void *wanted) {
  (void)size;
  uintptr_t at = *(uintptr_t *)wanted;
  for (int i = 0; i < image->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &image->dlpi_phdr[i];
    if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_W)) continue;
    uintptr_t start = image->dlpi_addr + segment->p_vaddr;
    if (at >= start && at + sizeof(chain_entry) <= start + segment->p_memsz) return 1;
  }
  return 0;
}

/* Whether an image's data are there: entries that are words of tables have no link behind them. */
static bool is_data(const void *at) {
  uintptr_t address = (uintptr_t)at;
  return address % sizeof(void *) == 0 && dl_iterate_phdr(find_data, &address) != 0;
}

bool wax_runtime_entry_leads_to(const void *const *entry, const void *word) {
  const chain_entry *at = (const chain_entry *)entry;
  if (atomic_load_explicit(&at->word, memory_order_relaxed) == word) return true;
  for (int i = 0; i < 64 && is_data(at); i++) {
    if (atomic_load_explicit(&at->word, memory_order_relaxed) == word) return true;
    at = at->next;
  }
  return false;
}

static bool is_ours(const wax_runtime_slot *slot, const void *word) {
  return word == slot->baseline || word == stub_of(slot);
}

/* The word that leads to the stub or to the baseline: the entry, or the link of a replacement in
 * Swift code that a library has brought since. NULL: somebody else has written the entry. */
static _Atomic(void *) *holder(const wax_runtime_slot *slot) {
  if (is_ours(slot, entry_word(slot))) return slot->entry;
  chain_entry *at = (chain_entry *)slot->entry;
  for (int i = 0; i < 64 && is_data(at); i++) {
    if (is_ours(slot, atomic_load_explicit(&at->word, memory_order_relaxed))) return &at->word;
    at = at->next;
  }
  return NULL;
}

bool wax_runtime_slot_is_at_baseline(const wax_runtime_slot *slot) {
  _Atomic(void *) *at = holder(slot);
  return at && atomic_load_explicit(at, memory_order_relaxed) == resting_word(slot);
}

bool wax_runtime_slot_stay(wax_runtime_slot *slot, wax_runtime_slot *lower) {
  pthread_mutex_lock(&writers);
  void *word = entry_word(slot);
  bool is_ours = word == slot->baseline || word == stub_of(slot);
  if (is_ours) {
    atomic_store_explicit(&slot->lower, lower, memory_order_release);
    atomic_store_explicit(&slot->stays, true, memory_order_relaxed);
    atomic_store_explicit(slot->entry, stub_of(slot), memory_order_release);
  }
  pthread_mutex_unlock(&writers);
  return is_ours;
}

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

/* The layer is on the list before a call can arrive; release at each step for those who arrive and
 * acquire. */
static bool install(wax_runtime_layer *layer) {
  wax_runtime_slot *slot = layer->slot;
  bool replaced = entry_word(slot) == stub_of(slot);
  if (!replaced && entry_word(slot) != slot->baseline) return false;

  _Atomic(wax_runtime_layer *) *link = place(slot, layer->rank);
  wax_runtime_layer *below = atomic_load_explicit(link, memory_order_relaxed);
  atomic_store_explicit(&layer->older, below, memory_order_relaxed);
  atomic_store_explicit(link, layer, memory_order_release);
  if (!replaced) atomic_store_explicit(slot->entry, stub_of(slot), memory_order_release);
  return true;
}

bool wax_runtime_layer_install(wax_runtime_layer *layer) {
  pthread_mutex_lock(&writers);
  bool installed = install(layer);
  pthread_mutex_unlock(&writers);
  return installed;
}

void wax_runtime_layer_remove(wax_runtime_layer *layer) {
  pthread_mutex_lock(&writers);
  _Atomic(wax_runtime_layer *) *link = &layer->slot->newest;
  wax_runtime_layer *at = atomic_load_explicit(link, memory_order_relaxed);
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

static wax_runtime_restore restore(wax_runtime_slot *slot) {
  if (atomic_load_explicit(&slot->newest, memory_order_relaxed)) return WAX_RUNTIME_RESTORE_LAYERED;
  _Atomic(void *) *at = holder(slot);
  if (!at) return WAX_RUNTIME_RESTORE_TAMPERED;
  atomic_store_explicit(at, (void *)resting_word(slot), memory_order_release);
  return WAX_RUNTIME_RESTORE_DONE;
}

wax_runtime_restore wax_runtime_slot_restore(wax_runtime_slot *slot) {
  pthread_mutex_lock(&writers);
  wax_runtime_restore outcome = restore(slot);
  pthread_mutex_unlock(&writers);
  return outcome;
}

/* ====== }== */
