/* SPDX-License-Identifier: MIT */

#include "waxwing_held.h"

#include <time.h>

#include "waxwing_breadcrumbs.h"
#include "waxwing_function_call.h"
#include "waxwing_process.h"

/* {==================================================================
** Those that Swift holds
** =================================================================== */

static inline void lock(waxwing_held *held) { waxwing_lock_take(&held->lock); }
static inline void unlock(waxwing_held *held) { waxwing_lock_give(&held->lock); }

void waxwing_held_lock(waxwing_held *held) { lock(held); }
void waxwing_held_unlock(waxwing_held *held) { unlock(held); }

void waxwing_held_init(waxwing_held *held, waxwing_state *state, uint64_t crumb) {
  *held = (waxwing_held){.state = state, .crumb = crumb};
}

static uint64_t coarse_time(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static inline bool enter(waxwing_held *held, waxwing_held_call *call) {
  if (waxwing_is_forked_child()) return false;
  call->thread = waxwing_kernel_thread();
  call->began = coarse_time();
  call->newer = NULL;
  lock(held);
  bool is_open =
      !held->is_ended || held->exception == call->thread || (call->is_for_object && !held->is_over);
  if (is_open) {
    call->number = ++held->calls_made;
    call->older = held->newest;
    if (call->older) call->older->newer = call;
    held->newest = call;
  }
  unlock(held);
  return is_open;
}

static inline void leave(waxwing_held *held, waxwing_held_call *call) {
  lock(held);
  if (call->older) call->older->newer = call->newer;
  if (call->newer)
    call->newer->older = call->older;
  else
    held->newest = call->older;
  unlock(held);
}

bool waxwing_held_enter(waxwing_held *held, waxwing_held_call *call) { return enter(held, call); }

void waxwing_held_leave(waxwing_held *held, waxwing_held_call *call) { leave(held, call); }

void waxwing_held_add(waxwing_held *held, waxwing_held_closure *closure) {
  closure->newer = closure->older = NULL;
  if (waxwing_is_forked_child()) return;
  lock(held);
  closure->older = held->newest_closure;
  if (closure->older) closure->older->newer = closure;
  held->newest_closure = closure;
  held->closure_count++;
  unlock(held);
}

void waxwing_held_remove(waxwing_held *held, waxwing_held_closure *closure) {
  if (waxwing_is_forked_child()) return;
  lock(held);
  if (closure->older) closure->older->newer = closure->newer;
  if (closure->newer)
    closure->newer->older = closure->older;
  else if (held->newest_closure == closure)
    held->newest_closure = closure->older;
  held->closure_count--;
  if (!held->is_ended) waxwing_return_reference(held->state, closure->reference);
  unlock(held);
}

/* }================================================================== */

/* [state entered]  Runs the call in a lane, and leaves the state and the call. */
static inline void run_in(waxwing_lane *lane, waxwing_held_closure *closure, waxwing_frame *frame,
                          waxwing_held_call *call) {
  const waxwing_held_plan *plan = closure->plan;
  waxwing_held *held = closure->held;
  waxwing_function_call function_call = {&plan->arguments, frame, lane, closure->reference};
  lane->function = closure->reference;
  lane->frame_count = 0;
  waxwing_budget_renew(lane);
  waxwing_lane *outer = waxwing_budget_begin(lane);
  int status = waxwing_call_function(&function_call);
  waxwing_budget_end(lane, outer);
  bool is_done = status == LUA_OK && !plan->arguments.are_owned &&
                 waxwing_take_result(&plan->result, lane->L, frame);
  if (__builtin_expect(!is_done, 0)) {
    plan->conclude(closure, frame, lane, call, status, WAXWING_FIRST_RESULT);
    return;
  }
  waxwing_give_back_lane(lane);
  waxwing_leave_at_once(held->state);
  leave(held, call);
}

static inline bool has_room(void) {
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  return waxwing_stack.floor && here >= waxwing_stack.entry && here < waxwing_stack.top;
}

void waxwing_run_held(void *context, waxwing_frame *frame) {
  waxwing_held_closure *closure = context;
  const waxwing_held_plan *plan = closure->plan;
  waxwing_held *held = closure->held;
  waxwing_held_call call = {.method = NULL, .is_for_object = false};
  if (!held || !has_room() || !waxwing_can_push(&plan->arguments, frame) || !enter(held, &call)) {
    plan->run(closure, frame);
    return;
  }
  bool is_in = waxwing_enter_at_once(held->state);
  waxwing_lane *lane = is_in ? waxwing_take_idle_lane(held->state) : NULL;
  if (__builtin_expect(!lane, 0)) {
    if (is_in) waxwing_leave_at_once(held->state);
    leave(held, &call);
    plan->run(closure, frame);
    return;
  }
  waxwing_crumb crumb = waxwing_crumb_enter(held->crumb);
  run_in(lane, closure, frame, &call);
  waxwing_crumb_leave(crumb);
}
