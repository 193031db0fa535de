/* SPDX-License-Identifier: MIT
 *
 * Calls that wait: coroutines that yield.
 */
#include <lauxlib.h>

#include "wax_lua_call_private.h"
#include "wax_lua_turn.h"

static const char wax_lua_wait_key = 0; /* its address is the key */

/* {==================================================================
** Inside
** =================================================================== */

bool wax_lua_call_may_wait(const wax_lua_host_call *call) { return lua_isyieldable(call->L); }

static int finish_wait(lua_State *L, int status, lua_KContext context) {
  (void)status; /* LUA_YIELD: errors do not come here */
  return wax_lua_run_member_callback(L, (wax_lua_callback *)context, lua_gettop(L) ? 1 : 0, NULL);
}

static int reference_key(lua_State *L) {
  lua_pushlightuserdata(L, (void *)&wax_lua_wait_key);
  lua_pushinteger(L, luaL_ref(L, LUA_REGISTRYINDEX));
  return 1;
}

static int reference_raise(lua_State *L) {
  lua_pushcfunction(L, wax_lua_raise_again);
  lua_pushinteger(L, luaL_ref(L, LUA_REGISTRYINDEX));
  return 1;
}

static int reference_made_by(wax_lua_state *state, lua_CFunction make) {
  lua_State *L = state->main;
  lua_pushcfunction(L, make);
  int reference = lua_pcall(L, 0, 1, 0) == LUA_OK ? (int)lua_tointeger(L, -1) : 0;
  lua_pop(L, 1);
  return reference;
}

int wax_lua_reference_wait_key(wax_lua_state *state) {
  return reference_made_by(state, reference_key);
}

int wax_lua_reference_raise(wax_lua_state *state) {
  return reference_made_by(state, reference_raise);
}

int wax_lua_yield_until(lua_State *L, wax_lua_callback *waits) {
  lua_pushlightuserdata(L, (void *)&wax_lua_wait_key);
  lua_pushlightuserdata(L, waits);
  return lua_yieldk(L, 2, (lua_KContext)waits, finish_wait);
}

/* (coroutine) -> the kept receiver, if any, and the results */
static int finish_call(lua_State *L, int status, lua_KContext context) {
  (void)status, (void)context;
  return lua_gettop(L);
}

static int call_coroutine(lua_State *L) {
  wax_lua_coroutine *coroutine = lua_touserdata(L, 1);
  lua_settop(L, 0);
  lua_rawgeti(L, LUA_REGISTRYINDEX, coroutine->function);
  wax_lua_push_values(L, &coroutine->buffer);
  int function = wax_lua_keep_receiver(L, coroutine, 1);
  lua_callk(L, lua_gettop(L) - function, LUA_MULTRET, 0, finish_call);
  return finish_call(L, LUA_OK, 0);
}

/* (handler, function, arguments …) -> the results, or an error, which `coroutine->status` says */
static int finish_turns(lua_State *L, int status, lua_KContext context) {
  ((wax_lua_coroutine *)context)->status = status == LUA_YIELD ? LUA_OK : status;
  return lua_gettop(L) - 1; /* the handler stays */
}

static int begin_turns(lua_State *L) {
  lua_KContext coroutine = (lua_KContext)wax_lua_running;
  int argument_count = lua_gettop(L) - 2;
  return finish_turns(L, lua_pcallk(L, argument_count, LUA_MULTRET, 1, coroutine, finish_turns),
                      coroutine);
}

/* }================================================================== */

/* {==================================================================
** Turns
** =================================================================== */

/* The coroutine's stack holds what `begin_turns` returned. */
static wax_lua_status end_call(wax_lua_coroutine *coroutine, int *result_count) {
  int first = WAX_LUA_COROUTINE_BASE + 1;
  coroutine->outer_frames = 0;
  if (coroutine->status != LUA_OK) {
    coroutine->state->objects->discard(coroutine->state, &coroutine->buffer);
    return wax_lua_read_coroutine_error(coroutine, coroutine->status);
  }
  return wax_lua_read_coroutine_results(coroutine, coroutine->keeps_receiver ? first + 1 : first,
                                        result_count);
}

/* The coroutine is not fit for use any more. */
static wax_lua_status end_coroutine(wax_lua_coroutine *coroutine, int status) {
  coroutine->state->objects->discard(coroutine->state, &coroutine->buffer);
  coroutine->outer_frames = 0;
  coroutine->is_broken = true;
  return wax_lua_read_coroutine_error(coroutine, status);
}

/* Lua's status; LUA_YIELD: it waits. */
static int resume_coroutine(wax_lua_coroutine *coroutine, wax_lua_coroutine *outer,
                            int argument_count, wax_lua_callback **waits) {
  int count;
  *waits = NULL;
  int status = lua_resume(coroutine->L, NULL, argument_count, &count);
  wax_lua_budget_end(coroutine, outer);
  if (status != LUA_YIELD) return status;
  if (!(count == 2 && lua_touserdata(coroutine->L, -2) == &wax_lua_wait_key)) {
    lua_pop(coroutine->L, count);
    lua_pushliteral(coroutine->L, "attempt to yield from outside a coroutine");
    return LUA_ERRRUN;
  }
  *waits = lua_touserdata(coroutine->L, -1);
  lua_pop(coroutine->L, count);
  coroutine->thread = 0;
  coroutine->state->objects->park_coroutine(coroutine);
  return LUA_YIELD;
}

static wax_lua_status run_turn(wax_lua_coroutine *coroutine, int argument_count, int *result_count,
                               wax_lua_callback **waits) {
  int status = resume_coroutine(coroutine, wax_lua_budget_begin(coroutine), argument_count, waits);
  if (status == LUA_OK) return end_call(coroutine, result_count);
  return status == LUA_YIELD ? WAX_LUA_STATUS_OK : end_coroutine(coroutine, status);
}

wax_lua_coroutine *wax_lua_coroutine_prepare(wax_lua_coroutine *coroutine, int reference) {
  coroutine->function = reference;
  coroutine->frame_count = 0;
  coroutine->may_wait = true;
  wax_lua_budget_renew(coroutine);
  wax_lua_coroutine *outer = wax_lua_budget_begin(coroutine);
  lua_pushcfunction(coroutine->L, begin_turns);
  lua_pushvalue(coroutine->L, WAX_LUA_COROUTINE_HANDLER);
  lua_rawgeti(coroutine->L, LUA_REGISTRYINDEX, reference);
  return outer;
}

/* What has come of a turn, of a coroutine that was prepared. */
static int end_prepared(wax_lua_coroutine *coroutine, int status) {
  if (status == LUA_YIELD) return status;
  coroutine->outer_frames = 0;
  if (status != LUA_OK) {
    coroutine->is_broken = true;
    return status;
  }
  return coroutine->status;
}

int wax_lua_coroutine_begin(wax_lua_coroutine *coroutine, wax_lua_coroutine *outer,
                            wax_lua_callback **waits) {
  coroutine->outer_frames = 1; /* begin_turns */
  int argument_count = lua_gettop(coroutine->L) - WAX_LUA_COROUTINE_BASE - 1;
  return end_prepared(coroutine, resume_coroutine(coroutine, outer, argument_count, waits));
}

int wax_lua_coroutine_continue(wax_lua_coroutine *coroutine, wax_lua_callback **waits) {
  wax_lua_coroutine_moved(coroutine);
  return end_prepared(coroutine,
                      resume_coroutine(coroutine, wax_lua_budget_begin(coroutine), 0, waits));
}

wax_lua_status wax_lua_coroutine_start(wax_lua_coroutine *coroutine, int reference,
                                       int *result_count, wax_lua_callback **waits) {
  coroutine->function = reference;
  coroutine->frame_count = 0;
  coroutine->may_wait = true;
  wax_lua_budget_renew(coroutine);
  if (__builtin_expect(wax_lua_stack_refuses_call(), 0))
    return wax_lua_read_coroutine_error(coroutine, wax_lua_refuse_call(coroutine));
  coroutine->outer_frames = 2; /* begin_turns and its caller */
  lua_pushcfunction(coroutine->L, begin_turns);
  lua_pushvalue(coroutine->L, WAX_LUA_COROUTINE_HANDLER);
  lua_pushcfunction(coroutine->L, call_coroutine);
  lua_pushlightuserdata(coroutine->L, coroutine);
  return run_turn(coroutine, 3, result_count, waits);
}

wax_lua_status wax_lua_coroutine_resume(wax_lua_coroutine *coroutine, int *result_count,
                                        wax_lua_callback **waits) {
  wax_lua_coroutine_moved(coroutine);
  return run_turn(coroutine, 0, result_count, waits);
}

/* }================================================================== */
