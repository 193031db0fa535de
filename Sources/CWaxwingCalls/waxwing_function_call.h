/* SPDX-License-Identifier: MIT
 *
 * One call of a Lua function by Swift: arguments from the registers onto Lua's stack, the call, the
 * result back. The state has been entered, and the lane is the call's.
 */
#ifndef WAXWING_FUNCTION_CALL_H
#define WAXWING_FUNCTION_CALL_H

#include <lauxlib.h>
#include <lua.h>

#include "waxwing_moves.h"
#include "waxwing_lane_end.h"

/* Where the function is called, and its first result is: directly above what every lane keeps. */
#define WAXWING_FIRST_RESULT (WAXWING_LANE_BASE + 1)

/* {==================================================================
** Arguments
** =================================================================== */

/* While its arguments go onto Lua's stack. */
typedef struct waxwing_function_call {
  const waxwing_arguments *arguments;
  const waxwing_frame *frame;
  waxwing_lane *lane;
  int reference; /* of the Lua function */
} waxwing_function_call;

/* [-0, +1, -] or [-0, +0, -] and false: it might raise. */
static inline bool waxwing_push_object(const waxwing_function_call *call, void *object) {
  waxwing_lane *lane = call->lane;
  lua_State *L = lane->L;
  /* Also an object that has a proxy: what sees both compares them as objects. */
  if (call->arguments->lends && waxwing_lend(lane, object)) return true;
  if (lua_rawgetp(L, WAXWING_LANE_PROXIES, object) == LUA_TUSERDATA) {
    waxwing_proxy_seen_again(L);
    return true;
  }
  lua_settop(L, -2);
  return waxwing_push_sure_object(L, object);
}

/* [-0, +1, -] or [-0, +0, -] and false: it might raise. */
static inline bool waxwing_push_argument(const waxwing_function_call *call,
                                         const waxwing_step *step) {
  const void *source = (const char *)call->frame + step->offset;
  if (step->move == WAXWING_MOVE_OBJECT) return waxwing_push_object(call, *(void **)source);
  if (step->move == WAXWING_MOVE_STRING) return waxwing_push_sure_string(call->lane->L, source);
  return waxwing_push_number(call->lane->L, step->move, source);
}

/* [-0, +n, -]  All arguments. False: one of them might raise, and those before it are there. */
static inline bool waxwing_push_arguments(const waxwing_function_call *call) {
  const waxwing_arguments *arguments = call->arguments;
  if (arguments->has_receiver && !waxwing_push_object(call, (void *)call->frame->self))
    return false;
  if (arguments->class_reference)
    lua_rawgeti(call->lane->L, LUA_REGISTRYINDEX, arguments->class_reference);
  for (int i = 0; i < arguments->count; i++)
    if (!waxwing_push_argument(call, &arguments->steps[i])) return false;
  return true;
}

/* [-0, +1, me] */
static inline void waxwing_push_new_object(lua_State *L, void *object) {
  if (!waxwing_push_known_object(L, object))
    waxwing_push_proxy(L, WAXWING_PROXY_OBJECT, object, *(void **)object);
}

/* (call) -> results: the same for arguments of which one may raise. */
static inline int waxwing_push_and_call(lua_State *L) {
  waxwing_function_call *call = lua_touserdata(L, 1);
  const waxwing_arguments *arguments = call->arguments;
  const char *base = (const char *)call->frame;
  lua_settop(L, 0);
  luaL_checkstack(L, arguments->count + 8, NULL);
  lua_rawgeti(L, LUA_REGISTRYINDEX, call->reference);
  if (arguments->has_receiver) waxwing_push_new_object(L, (void *)call->frame->self);
  if (arguments->class_reference) lua_rawgeti(L, LUA_REGISTRYINDEX, arguments->class_reference);
  for (int i = 0; i < arguments->count; i++) {
    const waxwing_step *step = &arguments->steps[i];
    const void *source = base + step->offset;
    if (step->move == WAXWING_MOVE_OBJECT)
      waxwing_push_new_object(L, *(void **)source);
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
static inline int waxwing_call_function(waxwing_function_call *call) {
  waxwing_lane *lane = call->lane;
  lua_State *L = lane->L;
  lua_rawgeti(L, LUA_REGISTRYINDEX, call->reference);
  if (__builtin_expect(waxwing_push_arguments(call), 1))
    return lua_pcall(L, lua_gettop(L) - WAXWING_FIRST_RESULT, LUA_MULTRET, WAXWING_LANE_HANDLER);
  waxwing_end_lent(lane);
  waxwing_settle_lane(lane);
  lua_pushcfunction(L, waxwing_push_and_call);
  lua_pushlightuserdata(L, call);
  lane->outer_frames = 1; /* waxwing_push_and_call */
  int status = lua_pcall(L, 1, LUA_MULTRET, WAXWING_LANE_HANDLER);
  lane->outer_frames = 0;
  return status;
}

/* Puts the Lua function's result where the caller expects it. False: it takes Swift to do so, or
   to say what is wrong with it. */
static inline bool waxwing_take_result(const waxwing_result *result, lua_State *L,
                                       waxwing_frame *frame) {
  void *target = (char *)frame + result->step.offset;
  switch ((waxwing_move)result->step.move) {
    case WAXWING_MOVE_NOTHING: return true;
    case WAXWING_MOVE_OTHER: return false;
    case WAXWING_MOVE_STRING:
      return waxwing_read_string(L, WAXWING_FIRST_RESULT, target, result->make_string);
    case WAXWING_MOVE_OBJECT:
      return waxwing_read_object(L, WAXWING_FIRST_RESULT, target, result->type);
    default: return waxwing_read_number(L, WAXWING_FIRST_RESULT, result->step.move, target);
  }
}

/* Whether the strings among them are of a form that C reads. */
static inline bool waxwing_can_push(const waxwing_arguments *arguments,
                                    const waxwing_frame *frame) {
  if (!arguments->has_strings) return true;
  for (int i = 0; i < arguments->count; i++) {
    const waxwing_step *step = &arguments->steps[i];
    const void *source = (const char *)frame + step->offset;
    if (step->move == WAXWING_MOVE_STRING && !waxwing_can_read_string(source)) return false;
  }
  return true;
}

#endif
