/* SPDX-License-Identifier: MIT */

#include "waxwing_override.h"

#include <lauxlib.h>
#include <lua.h>

#include "waxwing_crumbs.h"
#include "waxwing_moves.h"
#include "waxwing_turn.h"

bool waxwing_takes_long_way(void) { return waxwing_environment("WAXWING_LONG_WAY") != NULL; }

/* Where the function is called, and its first result is: directly above what every lane keeps. */
#define FIRST_RESULT (WAXWING_LANE_BASE + 1)

/* {==================================================================
** Arguments
** =================================================================== */

/* One call while its arguments go onto Lua's stack. */
typedef struct started {
  const waxwing_override *override;
  const waxwing_frame *frame;
  waxwing_lane *lane;
} started;

/* [-0, +1, -] or [-0, +0, -] and false: it might raise. */
static inline bool push_object(const started *call, void *object) {
  waxwing_lane *lane = call->lane;
  lua_State *L = lane->L;
  if (lua_rawgetp(L, WAXWING_LANE_PROXIES, object) == LUA_TUSERDATA) {
    waxwing_proxy_seen_again(L);
    return true;
  }
  lua_settop(L, -2);
  if (call->override->lends && waxwing_lend(lane, object)) return true;
  return waxwing_push_sure_object(L, object);
}

/* [-0, +1, -] or [-0, +0, -] and false: it might raise. */
static inline bool push_argument(const started *call, const waxwing_step *step) {
  const void *source = (const char *)call->frame + step->offset;
  if (step->move == WAXWING_MOVE_OBJECT) return push_object(call, *(void **)source);
  if (step->move == WAXWING_MOVE_STRING) return waxwing_push_sure_string(call->lane->L, source);
  return waxwing_push_number(call->lane->L, step->move, source);
}

/* [-0, +n, -]  All arguments. False: one of them might raise, and those before it are there. */
static inline bool push_arguments(const started *call) {
  const waxwing_override *override = call->override;
  if (override->has_receiver && !push_object(call, (void *)call->frame->self)) return false;
  if (override->class_reference)
    lua_rawgeti(call->lane->L, LUA_REGISTRYINDEX, override->class_reference);
  for (int i = 0; i < override->count; i++)
    if (!push_argument(call, &override->steps[i])) return false;
  return true;
}

/* [-0, +1, me] */
static void push_new_object(lua_State *L, void *object) {
  if (!waxwing_push_known_object(L, object))
    waxwing_push_proxy(L, WAXWING_PROXY_OBJECT, object, *(void **)object);
}

/* (call) -> results: the same for arguments of which one may raise. */
static int push_and_call(lua_State *L) {
  started *call = lua_touserdata(L, 1);
  const waxwing_override *override = call->override;
  const char *base = (const char *)call->frame;
  lua_settop(L, 0);
  luaL_checkstack(L, override->count + 8, NULL);
  lua_rawgeti(L, LUA_REGISTRYINDEX, override->reference);
  if (override->has_receiver) push_new_object(L, (void *)call->frame->self);
  if (override->class_reference) lua_rawgeti(L, LUA_REGISTRYINDEX, override->class_reference);
  for (int i = 0; i < override->count; i++) {
    const waxwing_step *step = &override->steps[i];
    const void *source = base + step->offset;
    if (step->move == WAXWING_MOVE_OBJECT)
      push_new_object(L, *(void **)source);
    else if (step->move == WAXWING_MOVE_STRING)
      waxwing_push_string(L, source);
    else if (!waxwing_push_number(L, step->move, source))
      waxwing_push_proxy(L, WAXWING_PROXY_UINT64, *(void **)source, NULL);
  }
  lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
  return lua_gettop(L);
}

/* }================================================================== */

/* [-0, +n, -]  Calls the Lua function. Returns Lua's status. */
static inline int call_function(started *call) {
  waxwing_lane *lane = call->lane;
  lua_State *L = lane->L;
  lua_rawgeti(L, LUA_REGISTRYINDEX, call->override->reference);
  if (__builtin_expect(push_arguments(call), 1))
    return lua_pcall(L, lua_gettop(L) - FIRST_RESULT, LUA_MULTRET, WAXWING_LANE_HANDLER);
  waxwing_end_lent(lane);
  waxwing_settle_lane(lane);
  lua_pushcfunction(L, push_and_call);
  lua_pushlightuserdata(L, call);
  lane->outer_frames = 1; /* push_and_call */
  int status = lua_pcall(L, 1, LUA_MULTRET, WAXWING_LANE_HANDLER);
  lane->outer_frames = 0;
  return status;
}

/* Puts the Lua function's result where the caller expects it. False: it takes Swift to do so, or
   to say what is wrong with it. */
static inline bool take_result(const waxwing_override *override, lua_State *L,
                               waxwing_frame *frame) {
  void *target = (char *)frame + override->result.offset;
  switch ((waxwing_move) override->result.move) {
    case WAXWING_MOVE_NOTHING: return true;
    case WAXWING_MOVE_OTHER: return false;
    case WAXWING_MOVE_STRING:
      return waxwing_read_string(L, FIRST_RESULT, target, override->make_string);
    case WAXWING_MOVE_OBJECT:
      return waxwing_read_object(L, FIRST_RESULT, target, override->result_class);
    default: return waxwing_read_number(L, FIRST_RESULT, override->result.move, target);
  }
}

static inline void begin_record(waxwing_call_record *record, const waxwing_override *override,
                                waxwing_frame *frame) {
  waxwing_call_record *previous = waxwing_activation();
  record->override = override->override;
  record->gate = override->gate;
  record->point = override->point;
  record->plan = override->plan;
  record->receiver = override->has_receiver ? frame->self : 0;
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
  started call = {override, frame, lane};
  waxwing_call_record record;
  begin_record(&record, override, frame);
  waxwing_gate_count(override->gate);
  lane->drops_proxies = override->keeps_nothing;
  lane->function = override->reference;
  lane->frame_count = 0;
  waxwing_budget_renew(lane);
  waxwing_lane *outer = waxwing_budget_begin(lane);
  int status = call_function(&call);
  waxwing_budget_end(lane, outer);
  bool is_done =
      status == LUA_OK && !override->owns_arguments && take_result(override, lane->L, frame);
  if (__builtin_expect(!is_done, 0))
    return override->conclude(override->context, frame, lane, &record, status, FIRST_RESULT);
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

static bool can_read_strings(const waxwing_override *override, const waxwing_frame *frame) {
  for (int i = 0; i < override->count; i++) {
    const waxwing_step *step = &override->steps[i];
    const void *source = (const char *)frame + step->offset;
    if (step->move == WAXWING_MOVE_STRING && !waxwing_can_read_string(source)) return false;
  }
  return true;
}

bool waxwing_run_override(void *context, waxwing_frame *frame) {
  const waxwing_override *override = context;
  waxwing_state *state = override->state;
  bool is_usual = waxwing_gate_admission(override->gate) == WAXWING_ADMITS_ALL &&
                  has_room(override) &&
                  (!override->metatype || (uintptr_t) override->metatype == frame->self) &&
                  (!override->has_strings || can_read_strings(override, frame));
  if (__builtin_expect(!is_usual, 0)) return override->run(override->context, frame);
  if (__builtin_expect(!waxwing_enter_at_once(state), 0))
    return override->run(override->context, frame);
  /* Asked again: it may have ended before this thread was in. */
  waxwing_lane *lane = waxwing_gate_admission(override->gate) == WAXWING_ADMITS_ALL
                           ? waxwing_take_idle_lane(state)
                           : NULL;
  if (__builtin_expect(!lane, 0)) {
    waxwing_leave_at_once(state);
    return override->run(override->context, frame);
  }
  waxwing_crumb crumb = waxwing_crumb_enter(override->crumb);
  bool handled = run_in(lane, override, frame);
  waxwing_crumb_leave(crumb);
  return handled;
}
