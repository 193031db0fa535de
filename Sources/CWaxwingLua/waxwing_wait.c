/* SPDX-License-Identifier: MIT
 *
 * Calls that wait: lanes as coroutines.
 */
#include <lauxlib.h>

#include "waxwing_call_private.h"
#include "waxwing_turn.h"

static const char waxwing_wait_key = 0; /* its address is the key */

/* {==================================================================
** Inside
** =================================================================== */

bool waxwing_call_may_wait(const waxwing_lua_call *call) { return lua_isyieldable(call->L); }

static int finish_wait(lua_State *L, int status, lua_KContext context) {
  (void)status; /* LUA_YIELD: errors do not come here */
  return waxwing_run_member_callback(L, (waxwing_callback *)context, lua_gettop(L) ? 1 : 0, NULL);
}

static int reference_key(lua_State *L) {
  lua_pushlightuserdata(L, (void *)&waxwing_wait_key);
  lua_pushinteger(L, luaL_ref(L, LUA_REGISTRYINDEX));
  return 1;
}

static int reference_raise(lua_State *L) {
  lua_pushcfunction(L, waxwing_raise_again);
  lua_pushinteger(L, luaL_ref(L, LUA_REGISTRYINDEX));
  return 1;
}

static int reference_made_by(waxwing_state *state, lua_CFunction make) {
  lua_State *L = state->main;
  lua_pushcfunction(L, make);
  int reference = lua_pcall(L, 0, 1, 0) == LUA_OK ? (int)lua_tointeger(L, -1) : 0;
  lua_pop(L, 1);
  return reference;
}

int waxwing_reference_wait_key(waxwing_state *state) {
  return reference_made_by(state, reference_key);
}

int waxwing_reference_raise(waxwing_state *state) {
  return reference_made_by(state, reference_raise);
}

int waxwing_wait_for(lua_State *L, waxwing_callback *waits) {
  lua_pushlightuserdata(L, (void *)&waxwing_wait_key);
  lua_pushlightuserdata(L, waits);
  return lua_yieldk(L, 2, (lua_KContext)waits, finish_wait);
}

/* (lane) -> the kept receiver, if any, and the results */
static int finish_call(lua_State *L, int status, lua_KContext context) {
  (void)status, (void)context;
  return lua_gettop(L);
}

static int call_lane(lua_State *L) {
  waxwing_lane *lane = lua_touserdata(L, 1);
  lua_settop(L, 0);
  lua_rawgeti(L, LUA_REGISTRYINDEX, lane->function);
  waxwing_push_values(L, &lane->buffer);
  int function = waxwing_keep_receiver(L, lane, 1);
  lua_callk(L, lua_gettop(L) - function, LUA_MULTRET, 0, finish_call);
  return finish_call(L, LUA_OK, 0);
}

/* (handler, function, arguments …) -> the results, or an error, which `lane->status` says */
static int finish_turns(lua_State *L, int status, lua_KContext context) {
  ((waxwing_lane *)context)->status = status == LUA_YIELD ? LUA_OK : status;
  return lua_gettop(L) - 1; /* the handler stays */
}

static int begin_turns(lua_State *L) {
  lua_KContext lane = (lua_KContext)waxwing_running;
  int argument_count = lua_gettop(L) - 2;
  return finish_turns(L, lua_pcallk(L, argument_count, LUA_MULTRET, 1, lane, finish_turns), lane);
}

/* }================================================================== */

/* {==================================================================
** Turns
** =================================================================== */

/* The lane's stack holds what `begin_turns` returned. */
static waxwing_status end_call(waxwing_lane *lane, int *result_count) {
  int first = WAXWING_LANE_BASE + 1;
  lane->outer_frames = 0;
  if (lane->status != LUA_OK) {
    lane->state->objects->discard(lane->state, &lane->buffer);
    return waxwing_read_lane_error(lane, lane->status);
  }
  return waxwing_read_lane_results(lane, lane->keeps_receiver ? first + 1 : first, result_count);
}

/* The coroutine is not fit for use any more. */
static waxwing_status end_lane(waxwing_lane *lane, int status) {
  lane->state->objects->discard(lane->state, &lane->buffer);
  lane->outer_frames = 0;
  lane->is_broken = true;
  return waxwing_read_lane_error(lane, status);
}

/* Lua's status; LUA_YIELD: it waits. */
static int resume_lane(waxwing_lane *lane, waxwing_lane *outer, int argument_count,
                       waxwing_callback **waits) {
  int count;
  *waits = NULL;
  int status = lua_resume(lane->L, NULL, argument_count, &count);
  waxwing_budget_end(lane, outer);
  if (status != LUA_YIELD) return status;
  if (!(count == 2 && lua_touserdata(lane->L, -2) == &waxwing_wait_key)) {
    lua_pop(lane->L, count);
    lua_pushliteral(lane->L, "attempt to yield from outside a coroutine");
    return LUA_ERRRUN;
  }
  *waits = lua_touserdata(lane->L, -1);
  lua_pop(lane->L, count);
  lane->thread = 0;
  lane->state->objects->park_lane(lane);
  return LUA_YIELD;
}

static waxwing_status run_turn(waxwing_lane *lane, int argument_count, int *result_count,
                               waxwing_callback **waits) {
  int status = resume_lane(lane, waxwing_budget_begin(lane), argument_count, waits);
  if (status == LUA_OK) return end_call(lane, result_count);
  return status == LUA_YIELD ? WAXWING_OK : end_lane(lane, status);
}

waxwing_lane *waxwing_lane_prepare(waxwing_lane *lane, int reference) {
  lane->function = reference;
  lane->frame_count = 0;
  lane->may_wait = true;
  waxwing_budget_renew(lane);
  waxwing_lane *outer = waxwing_budget_begin(lane);
  lua_pushcfunction(lane->L, begin_turns);
  lua_pushvalue(lane->L, WAXWING_LANE_HANDLER);
  lua_rawgeti(lane->L, LUA_REGISTRYINDEX, reference);
  return outer;
}

/* What has come of a turn, of a lane that was prepared. */
static int end_prepared(waxwing_lane *lane, int status) {
  if (status == LUA_YIELD) return status;
  lane->outer_frames = 0;
  if (status != LUA_OK) {
    lane->is_broken = true;
    return status;
  }
  return lane->status;
}

int waxwing_lane_begin(waxwing_lane *lane, waxwing_lane *outer, waxwing_callback **waits) {
  lane->outer_frames = 1; /* begin_turns */
  int argument_count = lua_gettop(lane->L) - WAXWING_LANE_BASE - 1;
  return end_prepared(lane, resume_lane(lane, outer, argument_count, waits));
}

int waxwing_lane_continue(waxwing_lane *lane, waxwing_callback **waits) {
  waxwing_lane_moved(lane);
  return end_prepared(lane, resume_lane(lane, waxwing_budget_begin(lane), 0, waits));
}

waxwing_status waxwing_lane_start(waxwing_lane *lane, int reference, int *result_count,
                                  waxwing_callback **waits) {
  lane->function = reference;
  lane->frame_count = 0;
  lane->may_wait = true;
  lane->outer_frames = 2; /* begin_turns and call_lane */
  waxwing_budget_renew(lane);
  lua_pushcfunction(lane->L, begin_turns);
  lua_pushvalue(lane->L, WAXWING_LANE_HANDLER);
  lua_pushcfunction(lane->L, call_lane);
  lua_pushlightuserdata(lane->L, lane);
  return run_turn(lane, 3, result_count, waits);
}

waxwing_status waxwing_lane_go_on(waxwing_lane *lane, int *result_count, waxwing_callback **waits) {
  waxwing_lane_moved(lane);
  return run_turn(lane, 0, result_count, waits);
}

/* }================================================================== */
