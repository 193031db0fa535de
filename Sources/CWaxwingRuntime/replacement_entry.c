/* SPDX-License-Identifier: MIT */

/* Replacement entries, symbol `…TX`, of functions that are compiled with implicit dynamic. The
 * function begins by asking its entry who replaces it (lookup.c): by whatever way a call comes, it
 * sees the word that is there. Of an `async` function the word is an async function pointer.
 *
 * A replacement in Swift code that a library brings puts a link behind the entry, which holds what
 * the entry held before; then the word that leads to us is in the link. */

#include "entry.h"

/* What a replacement entry begins with, and the links behind it, one for each replacement in Swift
 * code that is on: DynamicReplacementChainEntry in the runtime's FunctionReplacement.h, Swift 6.3.
 * The link of a replacement holds what the entry held before it. Links are in images' data alone.
 */
typedef struct chain_entry {
  _Atomic(void *) word;
  struct chain_entry *next;
} chain_entry;

#define MOST_LINKS 64

static bool leads_to(const void *const *entry, const void *word) {
  const chain_entry *at = (const chain_entry *)entry;
  if (atomic_load_explicit(&at->word, memory_order_relaxed) == word) return true;
  for (int i = 0; i < MOST_LINKS && wax_runtime_is_data(at, sizeof *at); i++) {
    if (atomic_load_explicit(&at->word, memory_order_relaxed) == word) return true;
    at = at->next;
  }
  return false;
}

static wax_runtime_claim prepare(wax_runtime_slot *slot) {
  slot->original = wax_runtime_entry_word(slot);
  /* Someone else's replacement that is there already asks for nothing. */
  slot->asks_lookup = slot->original == slot->function;
  return WAX_RUNTIME_CLAIM_OK;
}

static bool is_ours(const wax_runtime_slot *slot) {
  return wax_runtime_word_is_ours(slot, wax_runtime_entry_word(slot));
}

/* The word that leads to the stub or to the baseline: the entry, or the link of a replacement in
 * Swift code that a library has brought since. NULL: somebody else has written the entry. */
static _Atomic(void *) *holder(const wax_runtime_slot *slot) {
  if (is_ours(slot)) return slot->entry;
  chain_entry *at = (chain_entry *)slot->entry;
  for (int i = 0; i < MOST_LINKS && wax_runtime_is_data(at, sizeof *at); i++) {
    void *word = atomic_load_explicit(&at->word, memory_order_relaxed);
    if (wax_runtime_word_is_ours(slot, word)) return &at->word;
    at = at->next;
  }
  return NULL;
}

static wax_runtime_claim install(wax_runtime_slot *slot) {
  if (wax_runtime_entry_word(slot) != wax_runtime_stub_of(slot))
    atomic_store_explicit(slot->entry, wax_runtime_stub_of(slot), memory_order_release);
  return WAX_RUNTIME_CLAIM_OK;
}

static wax_runtime_claim remove_entry(wax_runtime_slot *slot) {
  _Atomic(void *) *at = holder(slot);
  if (!at) return WAX_RUNTIME_CLAIM_FOREIGN;
  atomic_store_explicit(at, (void *)wax_runtime_resting_word(slot), memory_order_release);
  return WAX_RUNTIME_CLAIM_OK;
}

static bool verify(const wax_runtime_slot *slot) {
  _Atomic(void *) *at = holder(slot);
  return at && atomic_load_explicit(at, memory_order_relaxed) == wax_runtime_resting_word(slot);
}

const wax_runtime_entry_functions wax_runtime_replacement_entry = {
    .prepare = prepare,
    .is_ours = is_ours,
    .install = install,
    .remove = remove_entry,
    .verify = verify,
    .leads_to = leads_to,
};
