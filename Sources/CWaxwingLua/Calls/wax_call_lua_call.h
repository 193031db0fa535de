/* SPDX-License-Identifier: MIT
 *
 * One call of a Lua function by Swift: arguments from the registers onto Lua's stack, the call, the
 * result back. The state has been entered, and the coroutine is the call's.
 */
#ifndef WAX_CALL_LUA_CALL_H
#define WAX_CALL_LUA_CALL_H

#include <lauxlib.h>
#include <lua.h>

#include "wax_call_moves.h"
#include "wax_proxy_coroutine_end.h"

/* The stack index at which the function is called, and where its first result is: directly above
   the values that every coroutine keeps. */
#define WAX_CALL_FIRST_RESULT (WAX_LUA_COROUTINE_BASE + 1)

/* {==================================================================
** Arguments
** =================================================================== */

/* While its arguments go onto Lua's stack. */
typedef struct wax_call_lua_call {
  const wax_call_arguments *arguments;
  const wax_runtime_frame *frame;
  wax_lua_coroutine *coroutine;
  int reference;           /* of the Lua function */
  wax_call_active *record; /* NULL: nothing is lent */
} wax_call_lua_call;

/* [-0, +1, -] or [-0, +0, -] and false: it is not to be lent. */
static inline bool wax_call_lend_argument(const wax_call_lua_call *call, int index) {
  const wax_call_arguments *arguments = call->arguments;
  if (__builtin_expect(!(arguments->lent_steps >> index & 1), 1) || !call->record) return false;
  void *source = (char *)call->record->frame + arguments->steps[index].offset;
  wax_lua_lent *lent = wax_call_lend_string(call->record, source, arguments->string_codec);
  if (!lent) return false;
  lent->value = source;
  lent->argument = index;
  wax_lua_push_lent(call->coroutine->L, lent);
  return true;
}

/* [-0, +1, -] or [-0, +0, -] and false: it might raise. */
static inline bool wax_call_push_object(const wax_call_lua_call *call, void *object) {
  wax_lua_coroutine *coroutine = call->coroutine;
  lua_State *L = coroutine->L;
  /* Also an object that has a proxy: what sees both compares them as objects. */
  if (call->arguments->lends && wax_call_lend(coroutine, object)) return true;
  if (lua_rawgetp(L, WAX_LUA_COROUTINE_PROXIES, object) == LUA_TUSERDATA) {
    wax_proxy_seen_again(L);
    return true;
  }
  lua_settop(L, -2);
  return wax_call_push_sure_object(L, object);
}

/* [-0, +1, -] or [-0, +0, -] and false: it might raise. */
static inline bool wax_call_push_argument(const wax_call_lua_call *call,
                                          const wax_call_step *step) {
  const void *source = (const char *)call->frame + step->offset;
  if (step->move == WAX_LUA_MOVE_OBJECT) return wax_call_push_object(call, *(void **)source);
  if (step->move == WAX_LUA_MOVE_STRING)
    return wax_call_push_sure_string(call->coroutine->L, source);
  return wax_call_push_number(call->coroutine->L, step->move, source);
}

/* [-0, +n, -]  All arguments. False: one of them might raise, and those before it are there. */
static inline bool wax_call_push_arguments(const wax_call_lua_call *call) {
  const wax_call_arguments *arguments = call->arguments;
  if (arguments->has_receiver && !wax_call_push_object(call, (void *)call->frame->self_register))
    return false;
  if (arguments->class_reference)
    lua_rawgeti(call->coroutine->L, LUA_REGISTRYINDEX, arguments->class_reference);
  for (int i = 0; i < arguments->count; i++)
    if (!wax_call_lend_argument(call, i) && !wax_call_push_argument(call, &arguments->steps[i]))
      return false;
  return true;
}

/* [-0, +1, me] */
static inline void wax_call_push_new_object(lua_State *L, void *object) {
  if (!wax_proxy_push_known_object(L, object))
    wax_proxy_push(L, WAX_PROXY_KIND_OBJECT, object, *(void **)object);
}

/* (call) -> results: the same for arguments of which one may raise. */
static inline int wax_call_push_and_call(lua_State *L) {
  wax_call_lua_call *call = lua_touserdata(L, 1);
  const wax_call_arguments *arguments = call->arguments;
  const char *base = (const char *)call->frame;
  lua_settop(L, 0);
  luaL_checkstack(L, arguments->count + 8, NULL);
  lua_rawgeti(L, LUA_REGISTRYINDEX, call->reference);
  if (arguments->has_receiver) wax_call_push_new_object(L, (void *)call->frame->self_register);
  if (arguments->class_reference) lua_rawgeti(L, LUA_REGISTRYINDEX, arguments->class_reference);
  for (int i = 0; i < arguments->count; i++) {
    const wax_call_step *step = &arguments->steps[i];
    const void *source = base + step->offset;
    if (wax_call_lend_argument(call, i)) continue;
    if (step->move == WAX_LUA_MOVE_OBJECT)
      wax_call_push_new_object(L, *(void **)source);
    else if (step->move == WAX_LUA_MOVE_STRING)
      wax_call_push_string(L, source);
    else if (!wax_call_push_number(L, step->move, source))
      wax_proxy_push(L, WAX_PROXY_KIND_UINT64, *(void **)source, NULL);
  }
  lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
  return lua_gettop(L);
}

/* }================================================================== */

/* [-0, +n, -]  Calls the Lua function. Returns Lua's status. */
static inline int wax_call_lua_function(wax_call_lua_call *call) {
  wax_lua_coroutine *coroutine = call->coroutine;
  lua_State *L = coroutine->L;
  lua_rawgeti(L, LUA_REGISTRYINDEX, call->reference);
  if (__builtin_expect(wax_call_push_arguments(call), 1))
    return lua_pcall(L, lua_gettop(L) - WAX_CALL_FIRST_RESULT, LUA_MULTRET,
                     WAX_LUA_COROUTINE_HANDLER);
  wax_proxy_end_lent(coroutine);
  wax_lua_reset_coroutine(coroutine);
  lua_pushcfunction(L, wax_call_push_and_call);
  lua_pushlightuserdata(L, call);
  coroutine->outer_frames = 1; /* wax_call_push_and_call */
  int status = lua_pcall(L, 1, LUA_MULTRET, WAX_LUA_COROUTINE_HANDLER);
  coroutine->outer_frames = 0;
  return status;
}

/* The string that the Lua function has returned, if it is what its original has, or what the call
   came with. */
static inline bool wax_call_take_passed_string(const wax_call_arguments *arguments,
                                               const wax_call_active *record, lua_State *L,
                                               wax_runtime_frame *frame, void *target) {
  if (!record) return false;
  if (record->lent && wax_call_take_lent_string(L, WAX_CALL_FIRST_RESULT, target)) return true;
  if (record->codec && wax_call_pass_string(L, WAX_CALL_FIRST_RESULT, record->place, target))
    return true;
  return arguments->has_strings &&
         wax_call_pass_argument(L, WAX_CALL_FIRST_RESULT, frame, arguments->steps, arguments->count,
                                -1, target);
}

/* Puts the Lua function's result where the caller expects it. False: it takes Swift to do so, or
   to say what is wrong with it. `record` is NULL for a closure. */
static inline bool wax_call_take_result(const wax_call_result *result,
                                        const wax_call_arguments *arguments,
                                        const wax_call_active *record, lua_State *L,
                                        wax_runtime_frame *frame) {
  void *target = (char *)frame + result->step.offset;
  switch ((wax_lua_move)result->step.move) {
    case WAX_LUA_MOVE_NOTHING: return true;
    case WAX_LUA_MOVE_OTHER: return false;
    case WAX_LUA_MOVE_STRING:
      return wax_call_take_passed_string(arguments, record, L, frame, target) ||
             wax_call_read_string(L, WAX_CALL_FIRST_RESULT, target, result->make_string);
    case WAX_LUA_MOVE_OBJECT:
      return wax_call_read_object(L, WAX_CALL_FIRST_RESULT, target, result->type);
    default: return wax_call_read_number(L, WAX_CALL_FIRST_RESULT, result->step.move, target);
  }
}

/* Whether the strings among them are of a form that C reads. */
static inline bool wax_call_can_push(const wax_call_arguments *arguments,
                                     const wax_runtime_frame *frame) {
  if (!arguments->has_strings) return true;
  for (int i = 0; i < arguments->count; i++) {
    const wax_call_step *step = &arguments->steps[i];
    const void *source = (const char *)frame + step->offset;
    if (step->move == WAX_LUA_MOVE_STRING && !wax_abi_can_read_string(source)) return false;
  }
  return true;
}

#endif
