/* SPDX-License-Identifier: MIT
 *
 * One call of a Swift function by Lua code: receiver and arguments from Lua's stack into a frame,
 * and what has come of it back. The state has been entered. Between the two, direct.c calls
 * the function, and async_call.c waits for it.
 */
#ifndef WAX_CALL_HOST_CALL_H
#define WAX_CALL_HOST_CALL_H

#include <lauxlib.h>
#include <lua.h>
#include <stdlib.h>

#include "wax_lua_budget.h"
#include "wax_lua_call_private.h"
#include "wax_call_direct.h"
#include "wax_abi_made_class.h"
#include "wax_call_moves.h"
#include "wax_runtime.h"
#include "wax_lua_turn.h"

extern void swift_release(void *object);
extern void swift_bridgeObjectRelease(void *object);

/* One call while it lasts. */
typedef struct direct_call {
  wax_call_direct *direct;
  const void *code; /* what runs where it is no original */
  lua_State *L;
  wax_lua_state *state;
  wax_call_active *record; /* of the override whose original it is; NULL: it is no original */
  wax_runtime_frame frame;
} direct_call;

/* [-0, +0, e]  Raises what the function has thrown. */
int wax_call_raise_thrown(direct_call *call) __attribute__((visibility("hidden"), cold));

/* {==================================================================
** Arguments
** =================================================================== */

static inline bool inherits(const void *type, const void *from) {
  for (; type; type = ((const void *const *)type)[1]) /* of a class's metadata: the superclass */
    if (type == from) return true;
  return false;
}

/* Whether an object of this class may be the receiver. */
static inline bool takes_class(wax_call_direct *direct, const void *type) {
  if (!inherits(type, direct->receiver_class)) return false;
  if (direct->passes_made_classes && wax_abi_made_class_of(type)) return false;
  direct->other_class = type;
  return true;
}

static inline bool read_receiver(direct_call *call) {
  wax_call_direct *direct = call->direct;
  const wax_proxy *proxy = wax_proxy_to_proxy(call->L, 1);
  if (!proxy || proxy->kind != WAX_PROXY_KIND_OBJECT) return false;
  const void *type = *(const void **)proxy->pointer;
  call->frame.self_register = (uint64_t)(uintptr_t)proxy->pointer;
  return type == direct->receiver_class || type == direct->other_class || takes_class(direct, type);
}

static inline void release_value(uint8_t move, void *value) {
  if (move == WAX_LUA_MOVE_STRING) swift_bridgeObjectRelease(((void **)value)[1]);
  if (move == WAX_LUA_MOVE_OBJECT) swift_release(*(void **)value);
  if (move == WAX_LUA_MOVE_FUNCTION) swift_release(((void **)value)[1]);
}

/* Releases the first `count` arguments, which have been made for the call. */
static inline void release_arguments(const direct_call *call, const char *saved, int count,
                                     bool only_borrowed) {
  for (int i = 0; i < count; i++) {
    const wax_call_step *step = &call->direct->steps[i];
    if (step->move < WAX_LUA_MOVE_OBJECT || (only_borrowed && step->is_owned)) continue;
    release_value(step->move, (char *)saved + step->offset);
  }
}

/* Reads a function of Lua: functions of C may stand for closures of Swift. */
static inline bool read_function(const direct_call *call, int index, const void *plan,
                                 void *target) {
  if (!lua_isfunction(call->L, index) || lua_iscfunction(call->L, index)) return false;
  int reference = wax_lua_reference_at_once(call->L, index);
  return reference && call->direct->make_function(plan, call->state, reference, target);
}

static inline bool read_argument(direct_call *call, int index, int step_index) {
  const wax_call_direct *direct = call->direct;
  const wax_call_step *step = &direct->steps[step_index];
  void *target = (char *)&call->frame + step->offset;
  if (step->move == WAX_LUA_MOVE_VALUE)
    return wax_call_read_value(call->L, index, &call->frame, direct->types[step_index]);
  if (step->move == WAX_LUA_MOVE_STRING)
    return wax_call_take_lent_string(call->L, index, target) ||
           (call->record &&
            wax_call_pass_argument(call->L, index, call->record->frame, direct->steps,
                                   direct->count, step_index, target)) ||
           wax_call_read_string(call->L, index, target, direct->make_string);
  if (step->move == WAX_LUA_MOVE_OBJECT)
    return wax_call_read_object(call->L, index, target, direct->types[step_index]);
  if (step->move == WAX_LUA_MOVE_FUNCTION)
    return read_function(call, index, direct->types[step_index], target);
  return wax_call_read_number(call->L, index, step->move, target);
}

/* False: one of them takes Swift to be read, and none is there. What is released then is Lua's,
   too: no deinitializer runs. */
static inline bool read_arguments(direct_call *call, int first) {
  for (int i = 0; i < call->direct->count; i++) {
    if (__builtin_expect(read_argument(call, first + i, i), 1)) continue;
    release_arguments(call, (const char *)&call->frame, i, false);
    return false;
  }
  return true;
}

/* }================================================================== */

/* {==================================================================
** Results
** =================================================================== */

/* [-0, +1, -] or [-0, +0, -] and false: it might raise. */
static inline bool push_sure(lua_State *L, uint8_t move, const void *source) {
  if (move == WAX_LUA_MOVE_STRING) return wax_call_push_sure_string(L, source);
  if (move == WAX_LUA_MOVE_OBJECT) return wax_proxy_push_object_at_once(L, *(void **)source);
  return wax_call_push_number(L, move, source);
}

/* (move, source) -> value */
static inline int push_protected(lua_State *L) {
  uint8_t move = (uint8_t)lua_tointeger(L, 1);
  const void *source = lua_touserdata(L, 2);
  if (move == WAX_LUA_MOVE_STRING)
    wax_call_push_string(L, source);
  else if (move == WAX_LUA_MOVE_OBJECT)
    wax_proxy_push(L, WAX_PROXY_KIND_OBJECT, *(void **)source, **(void ***)source);
  else
    wax_proxy_push(L, WAX_PROXY_KIND_UINT64, *(void **)source, NULL);
  return 1;
}

/* [-0, +1, -]  The result, or an error. Returns Lua's status. */
static inline int push_result(lua_State *L, uint8_t move, void *source) {
  if (__builtin_expect(push_sure(L, move, source), 1)) return LUA_OK;
  lua_pushcfunction(L, push_protected);
  lua_pushinteger(L, move);
  lua_pushlightuserdata(L, source);
  return lua_pcall(L, 2, 1, 0);
}

/* (box, type) -> proxy */
static inline int push_value_protected(lua_State *L) {
  return wax_proxy_push(L, WAX_PROXY_KIND_VALUE, lua_touserdata(L, 1), lua_touserdata(L, 2));
}

/* [-0, +1, e]  The result, of a trivial type: should a proxy not be made, its box is just freed. */
static inline int push_value(const direct_call *call) {
  lua_State *L = call->L;
  const wax_call_value_layout *layout = &call->direct->layouts[call->direct->count];
  void *box = wax_call_box_value(&call->frame, layout);
  if (__builtin_expect(wax_call_has_metatable(L, layout->type), 1))
    return wax_proxy_push(L, WAX_PROXY_KIND_VALUE, box, layout->type);
  lua_pushcfunction(L, push_value_protected);
  lua_pushlightuserdata(L, box);
  lua_pushlightuserdata(L, (void *)layout->type);
  if (lua_pcall(L, 2, 1, 0) == LUA_OK) return 1;
  free(box);
  return lua_error(L);
}

/* The override whose original has returned keeps the result. Returns where. */
static inline void *keep_result(const direct_call *call, void *result) {
  wax_call_active *record = call->record;
  uint8_t move = call->direct->result.move;
  record->original_ran = true;
  record->codec = NULL;
  if (move == WAX_LUA_MOVE_NOTHING) return result;
  record->codec = call->direct->codec;
  memcpy(record->place, result, move == WAX_LUA_MOVE_STRING ? 16 : 8);
  if (move >= WAX_LUA_MOVE_OBJECT) record->owns = true;
  return record->place;
}

/* }================================================================== */

/* The call of an override at the point that this thread is in, the innermost. */
static inline wax_call_active *find_record(const void *point) {
  wax_call_active *record = wax_lua_active_call();
  while (record && record->point != point) record = record->previous;
  return record;
}

/* Whether the call is one of the original of the record's own call: its result is that of it. */
static inline bool is_own(const direct_call *call) {
  const wax_call_active *record = call->record;
  if (record->owns || record->plan != call->direct->plan) return false;
  return !record->receiver || record->receiver == call->frame.self_register;
}

/* The coroutine that the thread runs, if a call can be made from it; NULL: it cannot, or not here.
 */
static inline wax_lua_coroutine *usable_coroutine(const wax_lua_state *state) {
  wax_lua_coroutine *coroutine = wax_lua_running_coroutine(state);
  if (!coroutine || coroutine->budget.paused_at || wax_lua_stack_is_low()) return NULL;
  return coroutine;
}

/* [-0, +1, -] or [-0, +0, -] and false. Lends the function what its original has returned. */
static inline bool lend_result(const direct_call *call, const void *result) {
  wax_call_active *record = call->record;
  if (!record || !record->lends_results || call->direct->result.move != WAX_LUA_MOVE_STRING)
    return false;
  if (wax_abi_is_small_string(result) || !wax_lua_is_called_by(call->L, record->lends_results))
    return false;
  wax_lua_lent *lent = wax_call_lend_string(record, result, call->direct->codec);
  if (!lent) return false;
  memcpy(lent->place, result, 16);
  lent->value = lent->place;
  lent->argument = -1;
  swift_bridgeObjectRetain(((void *const *)result)[1]);
  wax_lua_push_lent(call->L, lent);
  return true;
}

static inline int finish(direct_call *call) {
  const wax_call_direct *direct = call->direct;
  void *result = (char *)&call->frame + direct->result.offset;
  if (direct->result.move == WAX_LUA_MOVE_STRING && !wax_abi_can_read_string(result))
    direct->make_readable(result);
  if (call->record) result = keep_result(call, result);
  if (direct->result.move == WAX_LUA_MOVE_NOTHING) return 0;
  if (direct->result.move == WAX_LUA_MOVE_VALUE) return push_value(call);
  if (__builtin_expect(lend_result(call, result), 0)) return 1;
  int status = push_result(call->L, direct->result.move, result);
  if (!call->record) release_value(direct->result.move, result);
  if (status != LUA_OK) return lua_error(call->L);
  return 1;
}

#endif
