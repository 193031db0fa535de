/* SPDX-License-Identifier: MIT
 *
 * Calls of overrides of async functions: turns in Lua, and waits for calls of async functions
 * between them. A call that waits for something else, or ends in an unusual way, goes over to
 * Swift.
 */
#include <stdlib.h>

#include "waxwing_async_call.h"
#include "waxwing_call_private.h"
#include "waxwing_override_call.h"
#include "waxwing_waiting.h"

/* One call, while it lasts. */
typedef struct turns {
  waxwing_call_record record; /* first: who adopts the call frees this as one */
  waxwing_lane *lane;
  waxwing_async_call *call; /* what it waits for */
  waxwing_waiting_call waiting;
  bool has_waited; /* it is counted as one that has gone on */
} turns;

/* Where an async function runs that belongs to no actor: in the concurrent pool, no executor's. */
static const waxwing_executor pool = {0, 0};

/* {==================================================================
** Turns
** =================================================================== */

/* [state entered]  NULL: there is no memory. */
static turns *make_turns(const waxwing_override *override, waxwing_lane *lane,
                         waxwing_frame *frame) {
  turns *made = waxwing_spare_take(&override->state->spare_turns);
  if (!made) made = malloc(sizeof *made);
  if (!made) return NULL;
  waxwing_call_record *outer = waxwing_activation();
  begin_record(&made->record, override, frame);
  waxwing_set_activation(outer);
  made->record.previous = NULL; /* the call does not stay on this thread */
  made->record.depth = 1;
  made->lane = lane;
  made->call = NULL;
  made->waiting.context = override->context;
  made->has_waited = false;
  return made;
}

/* The end of all turns, in Lua. */
static void end(const waxwing_override *override, turns *ended, waxwing_call_record *outer) {
  waxwing_state *state = override->state;
  bool was_running = ended->has_waited, owns = ended->record.owns;
  waxwing_call_record record;
  if (__builtin_expect(owns, 0)) record = ended->record;
  waxwing_set_activation(outer);
  ended->lane->may_wait = false;
  waxwing_give_back_lane(ended->lane);
  waxwing_spare_give(&state->spare_turns, ended);
  waxwing_leave_at_once(state);
  if (was_running) waxwing_waiting_end(override->waiting);
  if (__builtin_expect(owns, 0)) override->forget(&record);
}

/* What comes of a turn. */
typedef enum turn_end {
  TURN_IS_LAST,
  TURN_WAITS, /* for turns.call */
  TURN_IS_SWIFTS
} turn_end;

/* [state entered]  A turn has ended with this status of Lua's. Leaves the state. `*next` is what
   the run is to wait for where the call is Swift's from here on. */
static turn_end end_turn(const waxwing_override *override, waxwing_run *run, turns *turn,
                         waxwing_call_record *outer, int status, waxwing_callback *waits,
                         const waxwing_wait **next) {
  turn->call = status == LUA_YIELD ? waxwing_async_call_of(waits) : NULL;
  if (turn->call) {
    waxwing_async_call_adopt(turn->call);
    waxwing_set_activation(outer);
    waxwing_leave_at_once(override->state);
    waxwing_waiting_begin(override->waiting, &turn->waiting, turn->has_waited);
    turn->has_waited = true;
    return TURN_WAITS;
  }
  if (status == LUA_OK && !override->arguments.are_owned &&
      waxwing_take_result(&override->result, turn->lane->L, run->frame)) {
    end(override, turn, outer);
    return TURN_IS_LAST;
  }
  run->state = NULL;
  run->compiled = NULL;
  if (turn->has_waited) waxwing_waiting_end(override->waiting);
  *next = override->adopt(override->context, run, turn->lane, &turn->record, outer, status, waits);
  return TURN_IS_SWIFTS;
}

/* }================================================================== */

/* {==================================================================
** After a wait
** =================================================================== */

/* Its script has ended: the state may be gone. */
static const waxwing_wait *abandon(const waxwing_override *override, waxwing_run *run,
                                   turns *abandoned) {
  waxwing_frame *outcome = waxwing_async_call_take_outcome(abandoned->call);
  run->state = NULL;
  run->compiled = NULL;
  run->declines = !override->abandon(override->context, run->frame, &abandoned->record, outcome);
  override->forget(&abandoned->record);
  waxwing_async_call_drop(abandoned->call);
  free(abandoned);
  return NULL;
}

static turn_end run_turn(const waxwing_override *override, waxwing_run *run, turns *turn,
                         const waxwing_wait **next) {
  waxwing_call_record *outer = waxwing_activation();
  waxwing_callback *waits;
  waxwing_set_activation(&turn->record);
  waxwing_crumb crumb = waxwing_crumb_enter(override->crumb);
  waxwing_async_call_hand_over(turn->call);
  int status = waxwing_lane_continue(turn->lane, &waits);
  turn_end ended = end_turn(override, run, turn, outer, status, waits, next);
  waxwing_crumb_leave(crumb);
  return ended;
}

/* Until it waits, or has ended. */
static const waxwing_wait *go_on(const waxwing_override *override, waxwing_run *run, turns *turn) {
  for (;;) {
    const waxwing_wait *next = waxwing_async_call_next(turn->call);
    if (next) return next;
    if (!waxwing_waiting_resume(override->waiting, &turn->waiting))
      return abandon(override, run, turn);
    if (!waxwing_enter_unless_given_up(override->state)) {
      waxwing_waiting_end(override->waiting);
      return abandon(override, run, turn);
    }
    if (run_turn(override, run, turn, &next) != TURN_WAITS) return next;
  }
}

/* }================================================================== */

/* {==================================================================
** The first turn
** =================================================================== */

/* [state entered]  What is called and its arguments have been pushed. */
static const waxwing_wait *begin(const waxwing_override *override, waxwing_run *run, turns *turn,
                                 waxwing_lane *outer_lane) {
  waxwing_call_record *outer = waxwing_activation();
  waxwing_callback *waits;
  const waxwing_wait *next = NULL;
  waxwing_gate_count(override->gate);
  waxwing_set_activation(&turn->record);
  waxwing_crumb crumb = waxwing_crumb_enter(override->crumb);
  int status = waxwing_lane_begin(turn->lane, outer_lane, &waits);
  turn_end ended = end_turn(override, run, turn, outer, status, waits, &next);
  waxwing_crumb_leave(crumb);
  if (ended != TURN_WAITS) return next;
  run->state = turn;
  run->compiled = override;
  return go_on(override, run, turn);
}

/* [state entered]  False: nothing has happened, and the state has been left. */
static bool begin_in(waxwing_lane *lane, const waxwing_override *override, waxwing_run *run,
                     const waxwing_wait **next) {
  lane->drops_proxies = override->keeps_nothing;
  waxwing_lane *outer = waxwing_lane_prepare(lane, override->reference);
  waxwing_function_call call = {&override->arguments, run->frame, lane, override->reference};
  turns *turn = make_turns(override, lane, run->frame);
  if (turn && waxwing_push_arguments(&call)) {
    run->activity.has_home = true;
    run->activity.home = pool;
    *next = begin(override, run, turn, outer);
    return true;
  }
  if (turn) waxwing_spare_give(&override->state->spare_turns, turn);
  waxwing_budget_end(lane, outer);
  waxwing_lane_release(lane);
  waxwing_leave_at_once(override->state);
  return false;
}

const waxwing_wait *waxwing_step_override(void *context, waxwing_run *run) {
  const waxwing_override *override = context;
  if (run->state && run->compiled) return go_on(run->compiled, run, run->state);
  bool is_first = !run->state && waxwing_executor_current().identity == pool.identity;
  waxwing_lane *lane = is_first && is_usual(override, run->frame) ? enter(override) : NULL;
  const waxwing_wait *next;
  if (lane && begin_in(lane, override, run, &next)) return next;
  return override->step(override->context, run);
}

/* }================================================================== */
