/* SPDX-License-Identifier: MIT */

/* Entries: how the calls of a patch point are led to the stub of its slot, and back to the
 * program's own code. One interface for entries of every kind; each kind is a file of its own.
 *
 *   kind          the calls of a function are led by                          file
 *   replacement   the first word of its replacement entry, `…TX`, which the   replacement_entry.c
 *                 function itself asks for
 *   word          a word of a table or of metadata, which callers read        word_entry.c
 *   async pointer the async function pointer, `…Tu`, that a value of an       async_pointer_entry.c
 *                 async function leads to
 *   code          a jump in place of the first instructions of a function    code_entry.c
 *
 * A slot has one entry, which stays where it is for as long as the process lives. The functions
 * below are called under the lock of writers (slot.c), one at a time; calls read the entry and the
 * slot meanwhile, without a lock. So a function that leads calls elsewhere does it by one store, or
 * in steps of which each leaves the program whole. */

#ifndef ENTRY_H
#define ENTRY_H

#include "slot.h"

typedef struct wax_runtime_entry_functions {
  /* By the first claim of the slot: notes what `entry` leads to now, which is the baseline, and how
     the original is called. Writes nothing into the entry. */
  wax_runtime_claim (*prepare)(wax_runtime_slot *slot);
  /* Whether the entry leads to the baseline or to the stub. False: somebody else has written it,
     and `install` must not be called. */
  bool (*is_ours)(const wax_runtime_slot *slot);
  /* Leads calls to the slot's stub. What they are to find there has been written before. Other than
     WAX_RUNTIME_CLAIM_OK: calls go where they went before. */
  wax_runtime_claim (*install)(wax_runtime_slot *slot);
  /* Leads calls to where they go when nothing is overridden. WAX_RUNTIME_CLAIM_FOREIGN: somebody
     else has written the entry, which is left alone. */
  wax_runtime_claim (*remove)(wax_runtime_slot *slot);
  /* Whether calls go there now, read from the entry itself. */
  bool (*verify)(const wax_runtime_slot *slot);
  /* Whether an entry leads to a word that it held before a slot was claimed for it. */
  bool (*leads_to)(const void *const *entry, const void *word);
} wax_runtime_entry_functions;

extern const wax_runtime_entry_functions wax_runtime_replacement_entry WAX_RUNTIME_HIDDEN;
extern const wax_runtime_entry_functions wax_runtime_word_entry WAX_RUNTIME_HIDDEN;
extern const wax_runtime_entry_functions wax_runtime_async_pointer_entry WAX_RUNTIME_HIDDEN;
extern const wax_runtime_entry_functions wax_runtime_code_entry WAX_RUNTIME_HIDDEN;

/* What a call of the original goes to: code, or of a slot that is async its async function pointer.
 * `is_marked`: the look-up has to find the entry on the thread (lookup.c), after which nothing but
 * loads may come before the call. */
static inline const void *wax_runtime_entry_original(const wax_runtime_slot *slot,
                                                     bool *is_marked) {
  *is_marked = slot->asks_lookup;
  return slot->original;
}

/* The stub of a slot: its code, or of one that is async its async function pointer. NULL where the
 * CPU is not supported. */
void *wax_runtime_stub_of(const wax_runtime_slot *) WAX_RUNTIME_HIDDEN;

/* What an entry of words holds when nothing is overridden. */
static inline const void *wax_runtime_resting_word(const wax_runtime_slot *slot) {
  return atomic_load_explicit(&slot->stays, memory_order_relaxed) ? wax_runtime_stub_of(slot)
                                                                  : slot->original;
}

/* Whether a word leads to the baseline or to the stub. */
static inline bool wax_runtime_word_is_ours(const wax_runtime_slot *slot, const void *word) {
  return word == slot->original || word == wax_runtime_stub_of(slot);
}

/* Whether aligned words of an image's data are there that stay writable. */
bool wax_runtime_is_data(const void *at, size_t size) WAX_RUNTIME_HIDDEN;

/* Whether the word of an entry is this one. The entry may belong to no slot yet. */
static inline bool wax_runtime_entry_holds(const void *const *entry, const void *word) {
  return __atomic_load_n(entry, __ATOMIC_RELAXED) == word;
}

static inline void *wax_runtime_entry_word(const wax_runtime_slot *slot) {
  return atomic_load_explicit(slot->entry, memory_order_relaxed);
}

#endif
