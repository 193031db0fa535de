/* SPDX-License-Identifier: MIT
 *
 * The beginning and the end of a stay in a state, and of a call in a lane: what every call does,
 * inlined. All of it is for the thread that is in, but for waxwing_enter_at_once.
 */
#ifndef WAXWING_TURN_H
#define WAXWING_TURN_H

#include <lua.h>
#include <stdlib.h>

#include "waxwing_budget.h"
#include "waxwing_state_private.h"

#define WAXWING_OWN extern __attribute__((visibility("hidden")))

/* The id of the calling thread as the kernel knows it; 0: not asked yet. */
WAXWING_OWN _Thread_local uint64_t waxwing_known_thread __attribute__((tls_model("initial-exec")));

uint64_t waxwing_ask_thread(void) __attribute__((visibility("hidden"), cold));

/* For as long as the thread lives; a child of fork keeps its parent's, in reports only. */
static inline uint64_t waxwing_kernel_thread(void) {
  uint64_t known = waxwing_known_thread;
  return __builtin_expect(known != 0, 1) ? known : waxwing_ask_thread();
}

/* Something that no other running thread has. */
static inline uintptr_t waxwing_this_thread(void) { return (uintptr_t)&waxwing_current_activation; }

/* What is there for the length of the thread's calls, the newest first: of CWaxwingProxies. */
WAXWING_OWN _Thread_local void *waxwing_transients __attribute__((tls_model("initial-exec")));

/* How many states the calling thread is in. */
WAXWING_OWN _Thread_local uint32_t waxwing_states_entered
    __attribute__((tls_model("initial-exec")));

/* The lock has been taken. */
static inline void waxwing_begin_turn(waxwing_state *state) {
  waxwing_states_entered++;
  uint64_t turn = atomic_load_explicit(&state->turns, memory_order_relaxed) + 1;
  atomic_store_explicit(&state->turns, turn, memory_order_relaxed);
  atomic_store_explicit(&state->owner_thread, waxwing_kernel_thread(), memory_order_relaxed);
  /* Release: who sees an owner sees its turn. */
  atomic_store_explicit(&state->owner, waxwing_this_thread(), memory_order_release);
  state->depth = 1;
  if (__builtin_expect(atomic_load_explicit(&state->has_returned, memory_order_relaxed), 0))
    waxwing_drop_returned(state);
}

/* Enters without waiting. False: another thread is in. */
static inline bool waxwing_enter_at_once(waxwing_state *state) {
  uintptr_t owner = atomic_load_explicit(&state->owner, memory_order_relaxed);
  if (owner == waxwing_this_thread()) {
    state->depth++;
    return true;
  }
  if (!waxwing_lock_try(&state->lock)) return false;
  waxwing_begin_turn(state);
  return true;
}

/* The end of the outermost stay, in which nothing was left to be released. */
static inline void waxwing_end_turn(waxwing_state *state) {
  waxwing_states_entered--;
  state->depth = 0;
  atomic_store_explicit(&state->owner, 0, memory_order_relaxed);
  waxwing_lock_give(&state->lock);
}

/* waxwing_leave, for who has nothing to be released as a rule. */
static inline void waxwing_leave_at_once(waxwing_state *state) {
  if (state->depth > 1)
    state->depth--;
  else if (__builtin_expect(state->pending_count != 0, 0))
    waxwing_leave(state);
  else
    waxwing_end_turn(state);
}

/* {==================================================================
** What a call spends
** =================================================================== */

/* The lane whose Lua code this thread runs. */
WAXWING_OWN _Thread_local waxwing_lane *waxwing_running __attribute__((tls_model("initial-exec")));

/* The same if it is one of the state; NULL: none. */
static inline waxwing_lane *waxwing_running_lane(const waxwing_state *state) {
  waxwing_lane *lane = waxwing_running;
  return lane && lane->state == state ? lane : NULL;
}

/* Charged work between two looks; a power of two. */
#define WAXWING_CHARGED_BETWEEN_LOOKS 4096

static inline bool waxwing_is_look_due(int64_t before, int64_t after) {
  return (before ^ after) & ~(int64_t)(WAXWING_CHARGED_BETWEEN_LOOKS - 1);
}

/* waxwing_charge, of little work and on paths where each instruction counts. */
static inline void waxwing_charge_inline(lua_State *L, uint32_t instructions) {
  waxwing_state *state = waxwing_state_of(L);
  waxwing_lane *lane = waxwing_running_lane(state);
  int64_t before = lane ? lane->spending.instructions : 0, after = before + instructions;
  bool is_plain =
      lane && !waxwing_stack_is_low() && !lane->spending.trip && !state->is_over &&
      !waxwing_is_look_due(before, after) &&
      (!lane->spending.limits.instructions || after <= lane->spending.limits.instructions);
  if (__builtin_expect(is_plain, 1))
    lane->spending.instructions = after;
  else
    waxwing_charge(L, instructions);
}

/* A call begins in the lane. */
static inline void waxwing_budget_renew(waxwing_lane *lane) {
  waxwing_spending *spending = &lane->spending;
  if (__builtin_expect(lane->step != lane->state->hook_step, 0)) waxwing_budget_use_step(lane);
  spending->limits = lane->state->limits;
  spending->instructions = -lane->state->hook_step; /* the hook was on its way before the call */
  spending->nanoseconds = spending->earlier_own_time = 0;
  spending->calls = spending->called = 0;
  spending->longest_call = spending->called_looked_at = 0;
  spending->refusals = 0;
  spending->trip = WAXWING_TRIP_NONE;
  spending->trip_is_placed = false;
}

/* Around a turn of the lane: what it runs is counted. The first returns what the second wants. */
static inline waxwing_lane *waxwing_budget_begin(waxwing_lane *lane) {
  waxwing_lane *outer = waxwing_running;
  lane->spending.clock_runs = false;
  lane->spending.elsewhere = 0;
  lane->spending.paused_at = 0;
  lane->spending.turn_began_at = lane->spending.instructions;
  lane->running = lane->L;
  waxwing_running = lane;
  if (__builtin_expect(lane->state->is_over, 0)) waxwing_budget_urge(lane);
  return outer;
}

/* What a call costs besides its instructions. */
#define WAXWING_CALL_INSTRUCTIONS 50

static inline void waxwing_budget_end(waxwing_lane *lane, waxwing_lane *outer) {
  waxwing_running = outer;
  if (__builtin_expect(lane->spending.calls != 0, 0)) waxwing_budget_keep_own_time(lane);
  if (!outer) return;
  int64_t spent = lane->spending.instructions - lane->spending.turn_began_at;
  outer->spending.instructions += WAXWING_CALL_INSTRUCTIONS + (spent > 0 ? spent : 0);
}

/* }================================================================== */

/* {==================================================================
** Lanes
** =================================================================== */

/* The lane becomes the busy one of a call that begins. */
static inline waxwing_lane *waxwing_begin_lane(waxwing_lane *lane) {
  waxwing_state *state = lane->state;
  lane->transients_mark = waxwing_transients;
  lane->thread = waxwing_kernel_thread();
  lane->previous = NULL;
  lane->next = state->busy_lanes;
  if (lane->next) lane->next->previous = lane;
  state->busy_lanes = lane;
  return lane;
}

/* NULL: none is idle. */
static inline waxwing_lane *waxwing_take_idle_lane(waxwing_state *state) {
  waxwing_lane *lane = state->idle_lanes;
  if (!lane) return NULL;
  state->idle_lanes = lane->next;
  state->idle_lane_count--;
  return waxwing_begin_lane(lane);
}

/* It is not among the busy ones any more. */
static inline void waxwing_end_lane(waxwing_lane *lane) {
  if (lane->next) lane->next->previous = lane->previous;
  if (lane->previous)
    lane->previous->next = lane->next;
  else
    lane->state->busy_lanes = lane->next;
}

static inline void waxwing_settle_lane(waxwing_lane *lane) {
  lua_settop(lane->L, WAXWING_LANE_BASE);
}

/* As many as calls are in flight in a storm. */
#define WAXWING_MOST_IDLE_LANES 1024

/* As many as in a busy program: what is left over from a storm goes with the next collection. */
#define WAXWING_MOST_KEPT_LANES 256

/* }================================================================== */

/* {==================================================================
** Memory that calls use again
** =================================================================== */

/* NULL: there is none. */
static inline void *waxwing_spare_take(waxwing_spare *spare) {
  void *block = spare->first;
  if (!block) return NULL;
  spare->first = *(void **)block;
  spare->count--;
  return block;
}

static inline void waxwing_spare_give(waxwing_spare *spare, void *block) {
  if (__builtin_expect(spare->count == WAXWING_MOST_IDLE_LANES, 0)) {
    free(block);
    return;
  }
  *(void **)block = spare->first;
  spare->first = block;
  spare->count++;
}

/* All but so many. */
static inline void waxwing_spare_trim(waxwing_spare *spare, size_t count) {
  while (spare->count > count) free(waxwing_spare_take(spare));
}

/* }================================================================== */

#endif
