/* SPDX-License-Identifier: MIT */

#include "waxwing_override.h"

#include <lua.h>
#include <stdlib.h>

#include "waxwing_crumbs.h"
#include "waxwing_function_call.h"
#include "waxwing_turn.h"

int waxwing_first_result(void) { return WAXWING_FIRST_RESULT; }

bool waxwing_takes_long_way(void) { return waxwing_environment("WAXWING_LONG_WAY") != NULL; }

static inline void begin_record(waxwing_call_record *record, const waxwing_override *override,
                                waxwing_frame *frame) {
  waxwing_call_record *previous = waxwing_activation();
  record->override = override->override;
  record->gate = override->gate;
  record->point = override->point;
  record->plan = override->plan;
  record->receiver = override->arguments.has_receiver ? frame->self : 0;
  record->previous = previous;
  record->depth = previous ? previous->depth + 1 : 1;
  record->serial = 0;
  record->frame = frame;
  record->original_ran = record->original_threw_opaque = record->owns = false;
  record->caller_actor[0] = record->caller_actor[1] = 0;
  record->error = 0;
  record->codec = NULL;
  record->box = NULL;
  record->inouts = NULL;
  waxwing_set_activation(record);
}

/* [state entered]  Runs the call in a lane, and leaves the state. */
static inline bool run_in(waxwing_lane *lane, const waxwing_override *override,
                          waxwing_frame *frame) {
  waxwing_function_call call = {&override->arguments, frame, lane, override->reference};
  waxwing_call_record record;
  begin_record(&record, override, frame);
  waxwing_gate_count(override->gate);
  lane->drops_proxies = override->keeps_nothing;
  lane->function = override->reference;
  lane->frame_count = 0;
  waxwing_budget_renew(lane);
  waxwing_lane *outer = waxwing_budget_begin(lane);
  int status = waxwing_call_function(&call);
  waxwing_budget_end(lane, outer);
  bool is_done = status == LUA_OK && !override->arguments.are_owned &&
                 waxwing_take_result(&override->result, lane->L, frame);
  if (__builtin_expect(!is_done, 0))
    return override->conclude(override->context, frame, lane, &record, status,
                              WAXWING_FIRST_RESULT);
  waxwing_set_activation(record.previous);
  waxwing_give_back_lane(lane);
  waxwing_leave_at_once(override->state);
  if (__builtin_expect(record.owns, 0)) override->forget(&record); /* deinitializers may run */
  return true;
}

static inline bool has_room(const waxwing_override *override) {
  const waxwing_call_record *outer = waxwing_activation();
  if (outer && outer->depth >= override->depth) return false;
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  return waxwing_stack.floor && here >= waxwing_stack.entry && here < waxwing_stack.top;
}

/* Whether there is nothing about the call that takes Swift from the beginning. */
static inline bool is_usual(const waxwing_override *override, const waxwing_frame *frame) {
  return waxwing_gate_admission(override->gate) == WAXWING_ADMITS_ALL && has_room(override) &&
         (!override->metatype || (uintptr_t) override->metatype == frame->self) &&
         waxwing_can_push(&override->arguments, frame);
}

/* Enters the state, in which a lane is taken; NULL: neither is done. */
static inline waxwing_lane *enter(const waxwing_override *override) {
  waxwing_state *state = override->state;
  if (__builtin_expect(!waxwing_enter_at_once(state), 0)) return NULL;
  /* Asked again: it may have ended before this thread was in. */
  waxwing_lane *lane = waxwing_gate_admission(override->gate) == WAXWING_ADMITS_ALL
                           ? waxwing_take_idle_lane(state)
                           : NULL;
  if (__builtin_expect(!lane, 0)) waxwing_leave_at_once(state);
  return lane;
}

bool waxwing_run_override(void *context, waxwing_frame *frame) {
  const waxwing_override *override = context;
  waxwing_lane *lane = is_usual(override, frame) ? enter(override) : NULL;
  if (__builtin_expect(!lane, 0)) return override->run(override->context, frame);
  waxwing_crumb crumb = waxwing_crumb_enter(override->crumb);
  bool handled = run_in(lane, override, frame);
  waxwing_crumb_leave(crumb);
  return handled;
}

/* {==================================================================
** Async functions
** =================================================================== */

/* The call's record, which stays where it is while the call waits; NULL: there is no memory. */
static waxwing_call_record *make_record(const waxwing_override *override, waxwing_frame *frame) {
  waxwing_call_record *record = malloc(sizeof *record);
  if (!record) return NULL;
  waxwing_call_record *outer = waxwing_activation();
  begin_record(record, override, frame);
  waxwing_set_activation(outer);
  record->gate = NULL; /* its calls of originals may wait */
  record->previous = NULL;
  record->depth = 1;
  return record;
}

/* The lane's stack as it was, and the state left. */
static void back_out(const waxwing_override *override, waxwing_lane *lane, waxwing_lane *outer) {
  waxwing_budget_end(lane, outer);
  waxwing_lane_release(lane);
  waxwing_leave_at_once(override->state);
}

/* [state entered]  What is called and its arguments have been pushed. Leaves the state. */
static const waxwing_wait *begin(const waxwing_override *override, waxwing_run *run,
                                 waxwing_lane *lane, waxwing_lane *outer_lane,
                                 waxwing_call_record *record) {
  waxwing_callback *waits;
  waxwing_call_record *outer = waxwing_activation();
  waxwing_gate_count(override->gate);
  waxwing_set_activation(record);
  int status = waxwing_lane_begin(lane, outer_lane, &waits);
  bool is_done = status == LUA_OK && !override->arguments.are_owned &&
                 waxwing_take_result(&override->result, lane->L, run->frame);
  if (__builtin_expect(!is_done, 0))
    return override->adopt(override->context, run, lane, record, outer, status, waits);
  waxwing_set_activation(outer);
  lane->may_wait = false;
  waxwing_give_back_lane(lane);
  waxwing_leave_at_once(override->state);
  if (__builtin_expect(record->owns, 0)) override->forget(record);
  free(record);
  return NULL;
}

/* Where an async function runs that belongs to no actor: in the concurrent pool, no executor's. */
static const waxwing_executor pool = {0, 0};

const waxwing_wait *waxwing_step_override(void *context, waxwing_run *run) {
  const waxwing_override *override = context;
  waxwing_lane *lane = NULL;
  waxwing_call_record *record = NULL;
  bool is_first = !run->state && waxwing_executor_current().identity == pool.identity;
  if (is_first && is_usual(override, run->frame)) record = make_record(override, run->frame);
  if (record) lane = enter(override);
  if (lane) {
    lane->drops_proxies = override->keeps_nothing;
    waxwing_lane *outer = waxwing_lane_prepare(lane, override->reference);
    waxwing_function_call call = {&override->arguments, run->frame, lane, override->reference};
    if (waxwing_push_arguments(&call)) {
      run->activity.has_home = true;
      run->activity.home = pool;
      waxwing_crumb crumb = waxwing_crumb_enter(override->crumb);
      const waxwing_wait *wait = begin(override, run, lane, outer, record);
      waxwing_crumb_leave(crumb);
      return wait;
    }
    back_out(override, lane, outer);
  }
  free(record);
  return override->step(override->context, run);
}

/* }================================================================== */
