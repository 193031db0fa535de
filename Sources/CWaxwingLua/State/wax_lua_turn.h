/* SPDX-License-Identifier: MIT
 *
 * The beginning and the end of a stay in a state, and of a call in a coroutine: what every call
 * does, inlined. All of it is for the thread that is in, but for wax_lua_enter_at_once.
 */
#ifndef WAX_LUA_TURN_H
#define WAX_LUA_TURN_H

#include <lua.h>
#include <stdlib.h>

#include "wax_lua_budget.h"
#include "wax_lua_state_private.h"

#define WAX_LUA_HIDDEN extern __attribute__((visibility("hidden")))

/* The id of the calling thread as the kernel knows it; 0: not asked yet. */
WAX_LUA_HIDDEN _Thread_local uint64_t wax_lua_known_thread
    __attribute__((tls_model("initial-exec")));

uint64_t wax_lua_ask_thread(void) __attribute__((visibility("hidden"), cold));

/* The kernel's id of the thread, for as long as it lives; a child of fork keeps its parent's, in
   reports only. */
static inline uint64_t wax_lua_kernel_thread(void) {
  uint64_t known = wax_lua_known_thread;
  return __builtin_expect(known != 0, 1) ? known : wax_lua_ask_thread();
}

/* Something that no other running thread has. */
static inline uintptr_t wax_lua_this_thread(void) {
  return (uintptr_t)&wax_lua_current_active_call;
}

/* The transients of the thread's calls, newest first: the folder Proxies has them. */
WAX_LUA_HIDDEN _Thread_local void *wax_lua_transients __attribute__((tls_model("initial-exec")));

/* The number of states that the calling thread is in. */
WAX_LUA_HIDDEN _Thread_local uint32_t wax_lua_states_entered
    __attribute__((tls_model("initial-exec")));

/* The lock has been taken. */
static inline void wax_lua_begin_turn(wax_lua_state *state) {
  wax_lua_states_entered++;
  uint64_t turn = atomic_load_explicit(&state->turns, memory_order_relaxed) + 1;
  atomic_store_explicit(&state->turns, turn, memory_order_relaxed);
  atomic_store_explicit(&state->owner_thread, wax_lua_kernel_thread(), memory_order_relaxed);
  /* Release: who sees an owner sees its turn. */
  atomic_store_explicit(&state->owner, wax_lua_this_thread(), memory_order_release);
  state->depth = 1;
  if (__builtin_expect(atomic_load_explicit(&state->has_returned, memory_order_relaxed), 0))
    wax_lua_release_returned(state);
}

/* Enters without waiting. False: another thread is in. */
static inline bool wax_lua_enter_at_once(wax_lua_state *state) {
  uintptr_t owner = atomic_load_explicit(&state->owner, memory_order_relaxed);
  if (owner == wax_lua_this_thread()) {
    state->depth++;
    return true;
  }
  if (!wax_lua_lock_try(&state->lock)) return false;
  wax_lua_begin_turn(state);
  return true;
}

/* The end of the outermost stay, in which nothing was left to be released. */
static inline void wax_lua_end_turn(wax_lua_state *state) {
  wax_lua_states_entered--;
  state->depth = 0;
  atomic_store_explicit(&state->owner, 0, memory_order_relaxed);
  wax_lua_lock_give(&state->lock);
}

/* wax_lua_leave, for who has nothing to be released as a rule. */
static inline void wax_lua_leave_at_once(wax_lua_state *state) {
  if (state->depth > 1)
    state->depth--;
  else if (__builtin_expect(state->pending_count != 0, 0))
    wax_lua_leave(state);
  else
    wax_lua_end_turn(state);
}

/* {==================================================================
** What a call spends
** =================================================================== */

/* The coroutine whose Lua code this thread runs. */
WAX_LUA_HIDDEN _Thread_local wax_lua_coroutine *wax_lua_running
    __attribute__((tls_model("initial-exec")));

/* The running coroutine if it is one of the state; NULL: none. */
static inline wax_lua_coroutine *wax_lua_running_coroutine(const wax_lua_state *state) {
  wax_lua_coroutine *coroutine = wax_lua_running;
  return coroutine && coroutine->state == state ? coroutine : NULL;
}

/* Charged work between two looks; a power of two. */
#define WAX_LUA_CONSUMED_BETWEEN_POLLS 4096

static inline bool wax_lua_is_poll_due(int64_t before, int64_t after) {
  return (before ^ after) & ~(int64_t)(WAX_LUA_CONSUMED_BETWEEN_POLLS - 1);
}

/* wax_lua_budget_consume, of little work and on paths where each instruction counts. */
static inline void wax_lua_budget_consume_inline(lua_State *L, uint32_t instructions) {
  wax_lua_state *state = wax_lua_state_of(L);
  wax_lua_coroutine *coroutine = wax_lua_running_coroutine(state);
  int64_t before = coroutine ? coroutine->budget.instructions : 0, after = before + instructions;
  bool is_plain =
      coroutine && !wax_lua_stack_is_low() && !coroutine->budget.exceeded_limit &&
      !state->is_over && !wax_lua_is_poll_due(before, after) &&
      (!coroutine->budget.limits.instructions || after <= coroutine->budget.limits.instructions);
  if (__builtin_expect(is_plain, 1))
    coroutine->budget.instructions = after;
  else
    wax_lua_budget_consume(L, instructions);
}

/* A call begins in the coroutine. */
static inline void wax_lua_budget_renew(wax_lua_coroutine *coroutine) {
  wax_lua_budget *budget = &coroutine->budget;
  if (__builtin_expect(coroutine->step != coroutine->state->hook_step, 0))
    wax_lua_budget_use_step(coroutine);
  budget->limits = coroutine->state->limits;
  budget->instructions = -coroutine->state->hook_step; /* the hook was on its way before the call */
  budget->nanoseconds = budget->earlier_own_time = 0;
  budget->calls = budget->called = 0;
  budget->longest_call = budget->called_polled_at = 0;
  budget->refusals = 0;
  budget->exceeded_limit = WAX_LUA_LIMIT_NONE;
  budget->marks = 0;
}

/* Around a turn of the coroutine: what it runs is counted. The first returns what the second wants.
 */
static inline wax_lua_coroutine *wax_lua_budget_begin(wax_lua_coroutine *coroutine) {
  wax_lua_coroutine *outer = wax_lua_running;
  coroutine->budget.clock_runs = false;
  coroutine->budget.elsewhere = 0;
  coroutine->budget.paused_at = 0;
  coroutine->budget.turn_began_at = coroutine->budget.instructions;
  coroutine->running = coroutine->L;
  coroutine->outer = outer;
  wax_lua_running = coroutine;
  if (__builtin_expect(coroutine->state->is_over, 0)) wax_lua_budget_poll_soon(coroutine);
  return outer;
}

/* The cost of a call besides its instructions. */
#define WAX_LUA_CALL_COST 50

static inline void wax_lua_budget_end(wax_lua_coroutine *coroutine, wax_lua_coroutine *outer) {
  wax_lua_running = outer;
  if (__builtin_expect(coroutine->budget.calls != 0, 0)) wax_lua_budget_keep_own_time(coroutine);
  if (!outer) return;
  int64_t spent = coroutine->budget.instructions - coroutine->budget.turn_began_at;
  outer->budget.instructions += WAX_LUA_CALL_COST + (spent > 0 ? spent : 0);
}

/* }================================================================== */

/* {==================================================================
** Coroutines
** =================================================================== */

/* The coroutine becomes the busy one of a call that begins. */
static inline wax_lua_coroutine *wax_lua_take_coroutine(wax_lua_coroutine *coroutine) {
  wax_lua_state *state = coroutine->state;
  coroutine->transients_mark = wax_lua_transients;
  coroutine->thread = wax_lua_kernel_thread();
  coroutine->previous = NULL;
  coroutine->next = state->busy_coroutines;
  if (coroutine->next) coroutine->next->previous = coroutine;
  state->busy_coroutines = coroutine;
  return coroutine;
}

/* NULL: none is idle. */
static inline wax_lua_coroutine *wax_lua_take_idle_coroutine(wax_lua_state *state) {
  wax_lua_coroutine *coroutine = state->idle_coroutines;
  if (!coroutine) return NULL;
  state->idle_coroutines = coroutine->next;
  state->idle_coroutine_count--;
  return wax_lua_take_coroutine(coroutine);
}

/* Gives back a coroutine, which is not among the busy ones any more. */
static inline void wax_lua_give_coroutine(wax_lua_coroutine *coroutine) {
  if (coroutine->next) coroutine->next->previous = coroutine->previous;
  if (coroutine->previous)
    coroutine->previous->next = coroutine->next;
  else
    coroutine->state->busy_coroutines = coroutine->next;
}

static inline void wax_lua_reset_coroutine(wax_lua_coroutine *coroutine) {
  lua_settop(coroutine->L, WAX_LUA_COROUTINE_BASE);
}

/* The number of idle coroutines that are kept, as many as calls are in flight in a burst. */
#define WAX_LUA_MAX_IDLE_COROUTINES 1024

/* The number of coroutines that a busy program keeps; the rest of a burst goes with the next
   collection. */
#define WAX_LUA_MAX_KEPT_COROUTINES 256

/* }================================================================== */

/* {==================================================================
** Memory that calls use again
** =================================================================== */

/* NULL: there is none. */
static inline void *wax_lua_spare_take(wax_lua_spare *spare) {
  void *block = spare->first;
  if (!block) return NULL;
  spare->first = *(void **)block;
  spare->count--;
  return block;
}

static inline void wax_lua_spare_give(wax_lua_spare *spare, void *block) {
  if (__builtin_expect(spare->count == WAX_LUA_MAX_IDLE_COROUTINES, 0)) {
    free(block);
    return;
  }
  *(void **)block = spare->first;
  spare->first = block;
  spare->count++;
}

/* All but so many. */
static inline void wax_lua_spare_trim(wax_lua_spare *spare, size_t count) {
  while (spare->count > count) free(wax_lua_spare_take(spare));
}

/* }================================================================== */

#endif
