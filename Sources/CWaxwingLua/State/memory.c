/* SPDX-License-Identifier: MIT
 *
 * What states may hold: each for itself, and all of them together.
 *
 * When an allocation is refused, Lua collects all garbage at once, in the middle of whatever it was
 * doing, and asks again. It is not always ready for that: 5.4.4 frees a table that only a weak
 * metatable leads to while it is writing to it (luaV_finishset, luaH_resize), and a script can make
 * any metatable weak, as Lua looks for `__mode` at each collection. So nothing is refused in the
 * middle of something. A state may overshoot its limit: the next instruction, or the next function
 * of ours that charges for its work, collects, where everything is anchored, and ends the call if
 * what is left is still too much (wax_lua_check_memory). One instruction allocates no more than
 * twice the largest table, as it grows by doubling, and functions of the library make strings of a
 * megabyte at most.
 *
 * Strings are what is refused, at twice the limit: `..` makes one of up to 250 others, and Lua has
 * all that it needs on the stack meanwhile.
 *
 * Where the system has no memory left, a reserve is given up for blocks that cannot be refused. If
 * that does not do, the process ends, and says whose fault it was. */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "wax_lua_budget.h"
#include "wax_lua_state_private.h"
#include "wax_lua_turn.h"

/* States take from what the process grants all of them in pieces of this size: the common counter
   is touched seldom. */
#define PIECE (64 * 1024)

/* What one instruction may need, and the collection after it. */
#define RESERVE ((size_t)1 << 20)

/* What the system has to have left for the program's own threads, which end the process where it
   has not: a state that has grown by a step finds out. */
#define HEADROOM ((size_t)8 << 20)
#define HEADROOM_STEP ((size_t)512 << 10)

static _Atomic size_t granted_to_all;
static _Atomic size_t limit_of_all; /* 0: none */
static _Atomic(void *) reserve;

void wax_lua_set_total_memory_limit(size_t bytes) { atomic_store(&limit_of_all, bytes); }

size_t wax_lua_state_memory(const wax_lua_state *state) {
  return atomic_load_explicit(&state->memory, memory_order_relaxed);
}

size_t wax_lua_state_most_memory(const wax_lua_state *state) { return state->most_memory; }

size_t wax_lua_total_memory(void) {
  return atomic_load_explicit(&granted_to_all, memory_order_relaxed);
}

void wax_lua_trim_memory(void) { malloc_trim(0); }

void wax_lua_fill_memory_reserve(void) {
  if (atomic_load_explicit(&reserve, memory_order_relaxed)) return;
  void *none = NULL, *filled = malloc(RESERVE);
  if (!atomic_compare_exchange_strong(&reserve, &none, filled)) free(filled);
}

/* Nothing is touched: this asks for address space, and for what the system is ready to promise. */
static bool has_headroom(void) {
  void *room = mmap(NULL, HEADROOM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (room == MAP_FAILED) return false;
  munmap(room, HEADROOM);
  return true;
}

static void check_headroom(wax_lua_state *state, size_t memory) {
  if (memory < state->headroom_checked_at + HEADROOM_STEP) return;
  state->headroom_checked_at = memory;
  if (!has_headroom()) wax_lua_budget_overshot(state, true);
}

/* {==================================================================
** Limits
** =================================================================== */

static bool is_all_over(size_t more) {
  size_t limit = atomic_load_explicit(&limit_of_all, memory_order_relaxed);
  size_t granted = atomic_load_explicit(&granted_to_all, memory_order_relaxed);
  return limit && (granted > limit || more > limit - granted);
}

/* In percent of what is alive: so much there is before Lua collects garbage again. Small states,
   as most are, would go over all that they hold for every few strings. */
#define SMALL_STATE ((size_t)1 << 20)
#define PAUSE_OF_SMALL 400
#define PAUSE_OF_LARGE 200

/* Nothing is collected here: Lua notes the number. */
void wax_lua_set_collector_pause(wax_lua_state *state, size_t memory) {
  bool is_small = memory < SMALL_STATE;
  if (!state->main || is_small == state->has_long_pause) return;
  state->has_long_pause = is_small;
  lua_gc(state->main, LUA_GCSETPAUSE, is_small ? PAUSE_OF_SMALL : PAUSE_OF_LARGE);
}

static void grant(wax_lua_state *state, size_t memory) {
  size_t more = (memory - state->granted + PIECE - 1) / PIECE * PIECE;
  atomic_fetch_add_explicit(&granted_to_all, more, memory_order_relaxed);
  state->granted += more;
  wax_lua_set_collector_pause(state, memory);
}

/* Keeps a piece, so that a state at an edge does not take and give all the time. */
static void give_back(wax_lua_state *state, size_t memory) {
  if (state->granted - memory < 3 * PIECE) return;
  size_t spare = (state->granted - memory - PIECE) / PIECE * PIECE;
  state->granted -= spare;
  atomic_fetch_sub_explicit(&granted_to_all, spare, memory_order_relaxed);
  wax_lua_set_collector_pause(state, memory);
}

void wax_lua_forget_memory(wax_lua_state *state) {
  atomic_fetch_sub_explicit(&granted_to_all, state->granted, memory_order_relaxed);
  state->granted = 0;
}

static bool exceeds(size_t limit, size_t memory, size_t growth) {
  return limit && (memory > limit || growth > limit - memory);
}

bool wax_lua_memory_fits(const wax_lua_state *state, size_t growth) {
  size_t memory = wax_lua_state_memory(state);
  if (exceeds(state->memory_limit, memory, growth)) return false;
  size_t free = state->granted > memory ? state->granted - memory : 0;
  return !is_all_over(growth > free ? growth - free : 0);
}

/* Whether a string is refused. */
static bool is_far_over(const wax_lua_state *state, size_t memory, size_t growth) {
  if (growth < PIECE) return false;
  size_t limit = atomic_load_explicit(&limit_of_all, memory_order_relaxed);
  return exceeds(2 * state->memory_limit, memory, growth) ||
         exceeds(2 * limit, atomic_load_explicit(&granted_to_all, memory_order_relaxed), growth);
}

/* }================================================================== */

/* {==================================================================
** Stacks
**
** A value with `__call` is put before its arguments, which are moved up, and what `__call` is gets
** called: a value like it, perhaps, or the same. Lua goes on with that until the stack has a
*million
** slots, which takes minutes, and executes no instruction meanwhile: no hook runs. But the stack
** grows, and is asked for here. To refuse it is safe: Lua collects garbage before, anyway.
** =================================================================== */

/* Moving so many bytes, once for each slot in them, takes 5 ms. */
#define LONG_STACK ((size_t)64 << 10)

/* lua_State begins with so many bytes, in which the addresses of its stack are. */
#define STATE_BYTES 128
/* Slots behind a stack's end, in bytes (EXTRA_STACK in lstate.h). */
#define BEHIND_STACK (5 * 16)

/* Where these are, in bytes; 0: not known yet. */
static _Atomic size_t offset_of_stack, offset_of_stack_end;

/* The block that was replaced while this was the allocator. */
typedef struct growth_watch {
  void *context; /* of the allocator in place of which it is */
  char *block;
  size_t size;
} growth_watch;

static void *allocate_watched(void *context, void *block, size_t old_size, size_t new_size) {
  growth_watch *watch = context;
  if (block) {
    watch->block = block;
    watch->size = old_size;
  }
  return wax_lua_allocate(watch->context, block, old_size, new_size);
}

bool wax_lua_find_stacks(lua_State *L) {
  if (atomic_load_explicit(&offset_of_stack, memory_order_acquire)) return true;
  char *words[STATE_BYTES / sizeof(char *)];
  growth_watch watch = {0};
  memcpy(words, L, sizeof words);
  lua_getallocf(L, &watch.context);
  lua_setallocf(L, allocate_watched, &watch);
  bool grows = lua_checkstack(L, 10 * LUA_MINSTACK);
  lua_setallocf(L, wax_lua_allocate, watch.context);
  if (!grows || watch.size <= BEHIND_STACK) return false;
  size_t stack = 0, end = 0;
  for (size_t i = 0; i < STATE_BYTES / sizeof(char *); i++) {
    if (words[i] == watch.block) stack = i * sizeof(char *);
    if (words[i] == watch.block + watch.size - BEHIND_STACK) end = i * sizeof(char *);
  }
  if (!stack || !end) return false;
  atomic_store_explicit(&offset_of_stack_end, end, memory_order_relaxed);
  atomic_store_explicit(&offset_of_stack, stack, memory_order_release);
  return true;
}

static const char *address_at(const lua_State *L, size_t offset) {
  const char *address;
  memcpy(&address, (const char *)L + offset, sizeof address);
  return address;
}

/* Whether the stack of the running coroutine is to grow, and its call has had its time. Lua 5.4.4
   makes a new one, of twice the size; later releases have the old one made larger. */
static bool is_stack_of_spent(wax_lua_state *state, const void *block, size_t size) {
  const wax_lua_coroutine *coroutine = wax_lua_running_coroutine(state);
  if (!coroutine || !coroutine->running) return false;
  size_t offset = atomic_load_explicit(&offset_of_stack, memory_order_relaxed);
  size_t end = atomic_load_explicit(&offset_of_stack_end, memory_order_relaxed);
  const char *stack = address_at(coroutine->running, offset);
  size_t slots = (size_t)(address_at(coroutine->running, end) - stack);
  bool is_stack = block ? block == stack : size == 2 * slots + BEHIND_STACK;
  return is_stack && wax_lua_budget_is_spent(state);
}

/* }================================================================== */

static void die(const wax_lua_state *state, size_t size) {
  char text[256];
  int count =
      snprintf(text, sizeof text,
               "waxwing: the system has no memory left (%zu bytes more were wanted for the patch "
               "`%s`); the process ends\n",
               size, state->name);
  if (count > 0) fwrite(text, 1, (size_t)count < sizeof text ? (size_t)count : sizeof text, stderr);
  abort();
}

void *wax_lua_allocate_lines(size_t size) {
  return aligned_alloc(WAX_LUA_CACHE_LINE,
                       (size + WAX_LUA_CACHE_LINE - 1) / WAX_LUA_CACHE_LINE * WAX_LUA_CACHE_LINE);
}

static inline void *resize(const wax_lua_state *state, void *block, size_t size) {
  if (__builtin_expect(state->takes_lines && !block, 0)) return wax_lua_allocate_lines(size);
  return realloc(block, size);
}

static void *allocate(wax_lua_state *state, void *block, size_t size, bool is_refusable) {
  void *grown = resize(state, block, size);
  if (__builtin_expect(grown != NULL, 1) || is_refusable) return grown;
  free(atomic_exchange(&reserve, NULL));
  wax_lua_budget_overshot(state, true);
  grown = resize(state, block, size);
  if (!grown) die(state, size);
  return grown;
}

void *wax_lua_allocate(void *context, void *block, size_t old_size, size_t new_size) {
  wax_lua_state *state = context;
  bool is_string = !block && old_size == LUA_TSTRING;
  bool is_refusable = is_string && new_size > WAX_LUA_SURE_STRING;
  bool is_vector = block || old_size == 0;
  if (!block) old_size = 0; /* it is a type then, not a size */
  size_t memory = atomic_load_explicit(&state->memory, memory_order_relaxed);
  size_t growth = new_size > old_size ? new_size - old_size : 0;
  if (is_refusable && is_far_over(state, memory, growth)) {
    wax_lua_budget_refused(state);
    return NULL;
  }
  if (__builtin_expect(growth >= LONG_STACK, 0) && is_vector &&
      is_stack_of_spent(state, block, new_size))
    return NULL;
  void *grown = NULL;
  if (new_size == 0) {
    free(block);
  } else if (!(grown = allocate(state, block, new_size, is_refusable))) {
    wax_lua_budget_refused(state);
    return NULL;
  }
  memory = memory - old_size + new_size;
  atomic_store_explicit(&state->memory, memory, memory_order_relaxed);
  if (growth) {
    if (memory > state->most_memory) state->most_memory = memory;
    bool takes_more = memory > state->granted;
    if (takes_more) {
      grant(state, memory);
      check_headroom(state, memory);
    }
    if (__builtin_expect(exceeds(state->memory_limit, memory, 0) || (takes_more && is_all_over(0)),
                         0))
      wax_lua_budget_overshot(state, false);
    wax_lua_budget_allocated(state, growth);
    wax_lua_budget_grown(state, new_size, is_string);
  } else {
    give_back(state, memory);
    if (memory < state->headroom_checked_at) state->headroom_checked_at = memory;
  }
  return grown;
}
