/* SPDX-License-Identifier: MIT */

/* Entries that are async function pointers, symbol `…Tu`: eight bytes in a program's data that say
 * where the code of an async function is, from there, and how large the context is that its callers
 * allocate. A function value, a vtable and a witness table lead to them; one aligned store leads
 * such calls elsewhere, and back. A direct call reads only the size, and goes to the code: it is
 * not seen. So this is the entry of functions that are called by their values only: closures.
 *
 * Callers read the two halves one after the other, and direct callers only the second: the size
 * never changes.
 *
 * The code has to be within 2 GB: a record leads to an *island* near it, which leads to the slot's
 * stub, and has a record of its own that leads to the original (async_islands.c). */

#include "async_islands.h"

#if WAX_RUNTIME_CPU_SUPPORTED

static _Atomic uint64_t *word_of(const wax_runtime_slot *slot) {
  return (_Atomic uint64_t *)slot->entry;
}

static wax_runtime_async_record read_entry(const wax_runtime_slot *slot) {
  return (wax_runtime_async_record){.word =
                                        atomic_load_explicit(word_of(slot), memory_order_relaxed)};
}

/* The slot's island, by the record in its data that the original is called by. */
static const wax_runtime_async_island *island_of(const wax_runtime_slot *slot) {
  return (const wax_runtime_async_island *)((const char *)slot->original -
                                            offsetof(wax_runtime_async_island, original));
}

static wax_runtime_async_record baseline_of(const wax_runtime_slot *slot) {
  const wax_runtime_async_record *original = slot->original;
  wax_runtime_async_record result;
  (void)wax_runtime_async_lead((const wax_runtime_async_record *)slot->entry,
                               wax_runtime_async_code_of(original, *original),
                               original->context_size, &result);
  return result;
}

static wax_runtime_async_record led_to_stub(const wax_runtime_slot *slot) {
  const wax_runtime_async_record *original = slot->original;
  wax_runtime_async_record result;
  (void)wax_runtime_async_lead((const wax_runtime_async_record *)slot->entry,
                               wax_runtime_async_island_code(island_of(slot)),
                               original->context_size, &result);
  return result;
}

static bool is_pointer(const wax_runtime_slot *slot) {
  if (!slot->is_async || !wax_runtime_is_data(slot->entry, sizeof(wax_runtime_async_record)))
    return false;
  wax_runtime_async_record found = read_entry(slot);
  return found.code != 0 && found.context_size >= WAX_RUNTIME_LEAST_CONTEXT;
}

static wax_runtime_claim prepare(wax_runtime_slot *slot) {
  if (!is_pointer(slot)) return WAX_RUNTIME_CLAIM_NO_POINTER;
  const wax_runtime_async_record *entry = (const wax_runtime_async_record *)slot->entry;
  wax_runtime_async_record found = read_entry(slot);
  wax_runtime_async_island *island = wax_runtime_async_island_take(entry);
  if (!island) return WAX_RUNTIME_CLAIM_NO_ROOM_NEARBY;
  island->slot = slot;
  wax_runtime_async_record leads_there;
  bool is_reached =
      wax_runtime_async_lead(entry, wax_runtime_async_island_code(island), found.context_size,
                             &leads_there) &&
      wax_runtime_async_lead(&island->original, wax_runtime_async_code_of(entry, found),
                             found.context_size, &island->original);
  if (!is_reached) {
    wax_runtime_async_island_return(island);
    return WAX_RUNTIME_CLAIM_NO_ROOM_NEARBY;
  }
  slot->original = &island->original;
  slot->asks_lookup = false;
  return WAX_RUNTIME_CLAIM_OK;
}

static bool is_ours(const wax_runtime_slot *slot) {
  uint64_t word = read_entry(slot).word;
  return word == baseline_of(slot).word || word == led_to_stub(slot).word;
}

/* Release: a call that arrives at the island finds its data. */
static void write_entry(wax_runtime_slot *slot, wax_runtime_async_record value) {
  if (read_entry(slot).word == value.word) return;
  atomic_store_explicit(word_of(slot), value.word, memory_order_release);
}

static wax_runtime_claim install(wax_runtime_slot *slot) {
  write_entry(slot, led_to_stub(slot));
  return WAX_RUNTIME_CLAIM_OK;
}

static wax_runtime_claim remove_entry(wax_runtime_slot *slot) {
  if (!is_ours(slot)) return WAX_RUNTIME_CLAIM_FOREIGN;
  write_entry(slot, baseline_of(slot));
  return WAX_RUNTIME_CLAIM_OK;
}

static bool verify(const wax_runtime_slot *slot) {
  return read_entry(slot).word == baseline_of(slot).word;
}

const wax_runtime_entry_functions wax_runtime_async_pointer_entry = {
    .prepare = prepare,
    .is_ours = is_ours,
    .install = install,
    .remove = remove_entry,
    .verify = verify,
    .leads_to = wax_runtime_entry_holds,
};

#endif
