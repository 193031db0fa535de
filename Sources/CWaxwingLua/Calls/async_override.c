/* SPDX-License-Identifier: MIT
 *
 * Calls of overrides of async functions: turns in Lua, and waits for calls of async functions
 * between them. A call that waits for something else, or ends in an unusual way, goes over to
 * Swift.
 */
#include <stdlib.h>

#include "wax_call_async_call.h"
#include "wax_lua_call_private.h"
#include "wax_call_override_call.h"
#include "wax_call_waiting.h"

/* One call, while it lasts. */
typedef struct turns {
  wax_call_active record; /* first: who adopts the call frees this as one */
  wax_lua_coroutine *coroutine;
  wax_call_async_call *call; /* what it waits for */
  wax_call_waiting_call waiting;
  bool has_waited; /* it is counted as one that has gone on */
} turns;

/* Where an async function runs that belongs to no actor: in the concurrent pool, no executor's. */
static const wax_abi_executor pool = {0, 0};

/* {==================================================================
** Turns
** =================================================================== */

/* How many overrides the call's task is in, one called by the other, this one counted. */
static int64_t depth_in(const wax_runtime_async_call *async_call) {
  const wax_call_active *outer = wax_runtime_outer_record(async_call);
  return outer ? outer->depth + 1 : 1;
}

/* [state entered]  NULL: there is no memory. */
static turns *make_turns(const wax_call_override *override, wax_lua_coroutine *coroutine,
                         wax_runtime_async_call *async_call, int64_t depth) {
  turns *made = wax_lua_spare_take(&override->state->spare_turns);
  if (!made) made = malloc(sizeof *made);
  if (!made) return NULL;
  wax_call_active *outer = wax_lua_active_call();
  begin_record(&made->record, override, async_call->frame, coroutine);
  wax_lua_set_active_call(outer);
  made->record.previous = NULL; /* the call does not stay on this thread */
  made->record.depth = depth;
  made->record.async_call = async_call;
  async_call->record = &made->record;
  made->coroutine = coroutine;
  made->call = NULL;
  made->waiting.context = override->context;
  made->has_waited = false;
  return made;
}

/* The end of all turns, in Lua. */
static void end(const wax_call_override *override, turns *ended, wax_call_active *outer) {
  wax_lua_state *state = override->state;
  bool was_running = ended->has_waited, owns = ended->record.owns || ended->record.lent;
  wax_call_active record;
  if (__builtin_expect(owns, 0)) record = ended->record;
  wax_lua_set_active_call(outer);
  ended->coroutine->may_wait = false;
  wax_proxy_give_back_coroutine(ended->coroutine);
  wax_lua_spare_give(&state->spare_turns, ended);
  wax_lua_leave_at_once(state);
  if (was_running) wax_call_waiting_end(override->waiting);
  if (__builtin_expect(owns, 0)) override->long_way->forget(&record);
}

/* What comes of a turn. */
typedef enum turn_end {
  TURN_IS_LAST,
  TURN_WAITS, /* for turns.call */
  TURN_IS_SWIFTS
} turn_end;

/* [state entered]  A turn has ended with this status of Lua's. Leaves the state. `*next` is what
   the call is to wait for where the call is Swift's from here on. */
static turn_end end_turn(const wax_call_override *override, wax_runtime_async_call *async_call,
                         turns *turn, wax_call_active *outer, int status, wax_lua_callback *waits,
                         const wax_runtime_suspension **next) {
  turn->call = status == LUA_YIELD ? wax_call_async_call_of(waits) : NULL;
  if (turn->call) {
    wax_call_async_call_adopt(turn->call);
    wax_lua_set_active_call(outer);
    wax_lua_leave_at_once(override->state);
    wax_call_waiting_begin(override->waiting, &turn->waiting, turn->has_waited);
    turn->has_waited = true;
    return TURN_WAITS;
  }
  if (status == LUA_OK && !override->arguments.are_owned &&
      turn->record.depth != WAX_CALL_ENDING_DEPTH &&
      wax_call_take_result(&override->result, &override->arguments, &turn->record,
                           turn->coroutine->L, async_call->frame)) {
    async_call->record = NULL;
    end(override, turn, outer);
    return TURN_IS_LAST;
  }
  async_call->state = NULL;
  async_call->compiled = NULL;
  if (turn->has_waited) wax_call_waiting_end(override->waiting);
  *next = override->long_way->adopt(override->context, async_call, turn->coroutine, &turn->record,
                                    outer, status, waits);
  return TURN_IS_SWIFTS;
}

/* }================================================================== */

/* {==================================================================
** After a wait
** =================================================================== */

/* Its script has ended: the state may be gone. */
static const wax_runtime_suspension *abandon(const wax_call_override *override,
                                             wax_runtime_async_call *async_call, turns *abandoned) {
  wax_runtime_frame *outcome = wax_call_async_call_take_outcome(abandoned->call);
  async_call->state = NULL;
  async_call->compiled = NULL;
  async_call->record = NULL;
  async_call->declines = !override->long_way->abandon(override->context, async_call->frame,
                                                      &abandoned->record, outcome);
  override->long_way->forget(&abandoned->record);
  wax_call_async_call_drop(abandoned->call);
  free(abandoned);
  return NULL;
}

static turn_end run_turn(const wax_call_override *override, wax_runtime_async_call *async_call,
                         turns *turn, const wax_runtime_suspension **next) {
  wax_call_active *outer = wax_lua_active_call();
  wax_lua_callback *waits;
  wax_lua_set_active_call(&turn->record);
  wax_process_breadcrumb breadcrumb = wax_process_breadcrumb_enter(override->breadcrumb);
  wax_call_async_call_hand_over(turn->call);
  if (__builtin_expect(turn->record.depth == WAX_CALL_ENDING_DEPTH, 0))
    wax_lua_stop_waiting(turn->coroutine);
  int status = wax_lua_coroutine_continue(turn->coroutine, &waits);
  turn_end ended = end_turn(override, async_call, turn, outer, status, waits, next);
  wax_process_breadcrumb_leave(breadcrumb);
  return ended;
}

/* Until it waits, or has ended. */
static const wax_runtime_suspension *go_on(const wax_call_override *override,
                                           wax_runtime_async_call *async_call, turns *turn) {
  for (;;) {
    const wax_runtime_suspension *next = wax_call_async_call_next(turn->call);
    if (next) return next;
    if (!wax_call_waiting_resume(override->waiting, &turn->waiting))
      return abandon(override, async_call, turn);
    if (!wax_lua_enter_unless_abandoned(override->state)) {
      wax_call_waiting_end(override->waiting);
      return abandon(override, async_call, turn);
    }
    if (run_turn(override, async_call, turn, &next) != TURN_WAITS) return next;
  }
}

/* }================================================================== */

/* {==================================================================
** The first turn
** =================================================================== */

/* [state entered]  What is called and its arguments have been pushed. */
static const wax_runtime_suspension *begin(const wax_call_override *override,
                                           wax_runtime_async_call *async_call, turns *turn,
                                           wax_lua_coroutine *outer_coroutine) {
  wax_call_active *outer = wax_lua_active_call();
  wax_lua_callback *waits;
  const wax_runtime_suspension *next = NULL;
  wax_call_gate_count(override->gate);
  wax_lua_set_active_call(&turn->record);
  wax_process_breadcrumb breadcrumb = wax_process_breadcrumb_enter(override->breadcrumb);
  int status = wax_lua_coroutine_begin(turn->coroutine, outer_coroutine, &waits);
  turn_end ended = end_turn(override, async_call, turn, outer, status, waits, &next);
  wax_process_breadcrumb_leave(breadcrumb);
  if (ended != TURN_WAITS) return next;
  async_call->state = turn;
  async_call->compiled = override;
  return go_on(override, async_call, turn);
}

/* [state entered]  False: nothing has happened, and the state has been left. */
static bool begin_in(wax_lua_coroutine *coroutine, const wax_call_override *override,
                     wax_runtime_async_call *async_call, int64_t depth,
                     const wax_runtime_suspension **next) {
  coroutine->drops_proxies = keeps_nothing(override, coroutine->L);
  wax_lua_coroutine *outer = wax_lua_coroutine_prepare(coroutine, override->reference);
  turns *turn = make_turns(override, coroutine, async_call, depth);
  wax_call_lua_call call = {&override->arguments, async_call->frame, coroutine, override->reference,
                            NULL};
  if (turn && may_lend(override, coroutine->L)) {
    if (override->lends_results) turn->record.lends_results = override->reference;
    call.record = &turn->record;
  }
  if (turn && wax_call_push_arguments(&call)) {
    async_call->resumable.has_home = true;
    async_call->resumable.home = pool;
    *next = begin(override, async_call, turn, outer);
    return true;
  }
  if (turn && turn->record.lent) wax_lua_lent_give(turn->record.lent); /* it owns nothing */
  if (turn) wax_lua_spare_give(&override->state->spare_turns, turn);
  async_call->record = NULL;
  wax_lua_budget_end(coroutine, outer);
  wax_lua_coroutine_release(coroutine);
  wax_lua_leave_at_once(override->state);
  return false;
}

const wax_runtime_suspension *wax_call_step_override(void *context,
                                                     wax_runtime_async_call *async_call) {
  const wax_call_override *override = context;
  if (async_call->state && async_call->compiled)
    return go_on(async_call->compiled, async_call, async_call->state);
  bool is_first = !async_call->state && wax_abi_executor_current().identity == pool.identity;
  int64_t depth = is_first ? depth_in(async_call) : 0;
  wax_lua_coroutine *coroutine =
      is_first && depth <= override->depth && is_usual(override, async_call->frame)
          ? enter(override)
          : NULL;
  const wax_runtime_suspension *next;
  if (coroutine && begin_in(coroutine, override, async_call, depth, &next)) return next;
  return override->long_way->step(override->context, async_call);
}

/* }================================================================== */
