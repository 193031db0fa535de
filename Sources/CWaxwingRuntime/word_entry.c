/* SPDX-License-Identifier: MIT */

/* Entries that are words of a table or of metadata: requirements in witness tables, methods in the
 * vtables of classes made at run time, the function that frees the objects of a class. Callers read
 * the word, and the function does not know of it: its original is called like any function. */

#include "entry.h"

static wax_runtime_claim prepare(wax_runtime_slot *slot) {
  slot->original = wax_runtime_entry_word(slot);
  slot->asks_lookup = false;
  return WAX_RUNTIME_CLAIM_OK;
}

static bool is_ours(const wax_runtime_slot *slot) {
  return wax_runtime_word_is_ours(slot, wax_runtime_entry_word(slot));
}

static wax_runtime_claim install(wax_runtime_slot *slot) {
  if (wax_runtime_entry_word(slot) != wax_runtime_stub_of(slot))
    atomic_store_explicit(slot->entry, wax_runtime_stub_of(slot), memory_order_release);
  return WAX_RUNTIME_CLAIM_OK;
}

static wax_runtime_claim remove_entry(wax_runtime_slot *slot) {
  if (!is_ours(slot)) return WAX_RUNTIME_CLAIM_FOREIGN;
  atomic_store_explicit(slot->entry, (void *)wax_runtime_resting_word(slot), memory_order_release);
  return WAX_RUNTIME_CLAIM_OK;
}

static bool verify(const wax_runtime_slot *slot) {
  return wax_runtime_entry_word(slot) == wax_runtime_resting_word(slot);
}

const wax_runtime_entry_functions wax_runtime_word_entry = {
    .prepare = prepare,
    .is_ours = is_ours,
    .install = install,
    .remove = remove_entry,
    .verify = verify,
    .leads_to = wax_runtime_entry_holds,
};
