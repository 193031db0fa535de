/* SPDX-License-Identifier: MIT
 *
 * What states may hold: each for itself, and all of them together.
 */
#include <stdlib.h>

#include "waxwing_lua.h"
#include "waxwing_state_private.h"

/* States take from what the process grants all of them in pieces of this size: the common counter
   is touched seldom. */
#define PIECE (64 * 1024)

static _Atomic size_t granted_to_all;
static _Atomic size_t limit_of_all; /* 0: none */

void waxwing_set_total_memory_limit(size_t bytes) { atomic_store(&limit_of_all, bytes); }

size_t waxwing_state_memory(const waxwing_state *state) {
  return atomic_load_explicit(&state->memory, memory_order_relaxed);
}

static bool grant(waxwing_state *state, size_t memory) {
  size_t more = (memory - state->granted + PIECE - 1) / PIECE * PIECE;
  size_t limit = atomic_load_explicit(&limit_of_all, memory_order_relaxed);
  size_t before = atomic_fetch_add_explicit(&granted_to_all, more, memory_order_relaxed);
  if (limit && (before > limit || more > limit - before)) {
    atomic_fetch_sub_explicit(&granted_to_all, more, memory_order_relaxed);
    return false;
  }
  state->granted += more;
  return true;
}

/* Keeps a piece, so that a state at an edge does not take and give all the time. */
static void give_back(waxwing_state *state, size_t memory) {
  if (state->granted - memory < 3 * PIECE) return;
  size_t spare = (state->granted - memory - PIECE) / PIECE * PIECE;
  state->granted -= spare;
  atomic_fetch_sub_explicit(&granted_to_all, spare, memory_order_relaxed);
}

void waxwing_forget_memory(waxwing_state *state) {
  atomic_fetch_sub_explicit(&granted_to_all, state->granted, memory_order_relaxed);
  state->granted = 0;
}

static bool may_grow(waxwing_state *state, size_t memory, size_t growth) {
  size_t limit = state->memory_limit;
  if (limit && (memory > limit || growth > limit - memory)) return false;
  return memory + growth <= state->granted || grant(state, memory + growth);
}

void *waxwing_allocate(void *context, void *block, size_t old_size, size_t new_size) {
  waxwing_state *state = context;
  bool is_string = !block && old_size == LUA_TSTRING;
  if (!block) old_size = 0; /* it is a type then, not a size */
  size_t memory = atomic_load_explicit(&state->memory, memory_order_relaxed);
  if (new_size > old_size && !may_grow(state, memory, new_size - old_size)) {
    waxwing_budget_refused(state);
    return NULL;
  }
  void *grown = NULL;
  if (new_size == 0)
    free(block);
  else if (!(grown = realloc(block, new_size)))
    return NULL;
  memory = memory - old_size + new_size;
  atomic_store_explicit(&state->memory, memory, memory_order_relaxed);
  if (new_size > old_size) {
    waxwing_budget_allocated(state, new_size - old_size);
    waxwing_budget_grown(state, new_size, is_string);
  } else {
    give_back(state, memory);
  }
  return grown;
}
