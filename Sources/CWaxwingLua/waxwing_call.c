/* SPDX-License-Identifier: MIT
 *
 * Calls from Swift into Lua and from Lua into Swift.
 */
#include "waxwing_lua.h"

#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

#include "waxwing_call_private.h"
#include "waxwing_turn.h"

/* {==================================================================
** From Swift into Lua
** =================================================================== */

int waxwing_keep_receiver(lua_State *L, waxwing_lane *lane, int function) {
  if (!lane->keeps_receiver) return function;
  lua_pushvalue(L, function + 1);
  lua_insert(L, function);
  lane->receiver = lane->state->objects->proxy_at(L, function);
  return function + 1;
}

/* (lane) -> the kept receiver, if any, and the results. For values that need memory. */
static int call_protected(lua_State *L) {
  waxwing_lane *lane = lua_touserdata(L, 1);
  lua_settop(L, 0);
  lua_rawgeti(L, LUA_REGISTRYINDEX, lane->function);
  waxwing_push_values(L, &lane->buffer);
  int function = waxwing_keep_receiver(L, lane, 1);
  lua_call(L, lua_gettop(L) - function, LUA_MULTRET);
  return lua_gettop(L);
}

static int run_protected(waxwing_lane *lane) {
  lua_State *L = lane->L;
  lua_pushcfunction(L, call_protected);
  lua_pushlightuserdata(L, lane);
  lane->outer_frames = 1; /* call_protected */
  int status = lua_pcall(L, 1, LUA_MULTRET, WAXWING_LANE_HANDLER);
  lane->outer_frames = 0;
  if (status != LUA_OK) lane->state->objects->discard(lane->state, &lane->buffer);
  return status;
}

/* [-0, +n, -]  The results, or an error value; *first is where the first result is. */
static int run(waxwing_lane *lane, int *first) {
  lua_State *L = lane->L;
  int function = lua_gettop(L) + 1;
  lua_rawgeti(L, LUA_REGISTRYINDEX, lane->function);
  if (!lane->buffer.failed &&
      waxwing_push_plain(L, &lane->buffer, WAXWING_LANE_PROXIES, WAXWING_LANE_SLOTS - function)) {
    *first = waxwing_keep_receiver(L, lane, function);
    return lua_pcall(L, (int)lane->buffer.count, LUA_MULTRET, WAXWING_LANE_HANDLER);
  }
  lua_settop(L, function - 1);
  *first = lane->keeps_receiver ? function + 1 : function;
  return run_protected(lane);
}

waxwing_status waxwing_read_lane_results(waxwing_lane *lane, int first, int *result_count) {
  lua_State *L = lane->L;
  waxwing_buffer_clear(&lane->buffer);
  int top = lua_gettop(L);
  *result_count = top - first + 1;
  for (int i = first; i <= top; i++) {
    if (lua_isinteger(L, i)) /* not only most results are, it is also the cheapest to ask */
      waxwing_buffer_add(&lane->buffer, WAXWING_INTEGER, lua_tointeger(L, i));
    else
      waxwing_read(L, i, &lane->buffer);
  }
  return lane->buffer.failed ? WAXWING_NO_MEMORY : WAXWING_OK;
}

waxwing_status waxwing_lane_outcome(waxwing_lane *lane, int status, int first, int *result_count) {
  *result_count = 0;
  if (status != LUA_OK) return waxwing_read_lane_error(lane, status);
  return waxwing_read_lane_results(lane, first, result_count);
}

waxwing_status waxwing_lane_call(waxwing_lane *lane, int reference, int *result_count) {
  int first;
  lane->function = reference;
  lane->frame_count = 0;
  waxwing_budget_renew(lane);
  waxwing_lane *outer = waxwing_budget_begin(lane);
  int status = run(lane, &first);
  waxwing_budget_end(lane, outer);
  return waxwing_lane_outcome(lane, status, first, result_count);
}

static int append(lua_State *L, const void *bytes, size_t count, void *context) {
  (void)L;
  waxwing_compiled *compiled = context;
  unsigned char *grown = realloc(compiled->bytes, compiled->count + count);
  if (!grown) return 1;
  memcpy(grown + compiled->count, bytes, count);
  compiled->bytes = grown;
  compiled->count += count;
  return 0;
}

bool waxwing_dump(lua_State *L, bool is_stripped, waxwing_compiled *compiled) {
  if (lua_dump(L, append, compiled, is_stripped) == 0) return true;
  free(compiled->bytes);
  *compiled = (waxwing_compiled){NULL, 0};
  return false;
}

typedef struct load_request {
  const char *source;
  size_t count;
  const char *chunk_name;
  const char *environment;
  waxwing_compiled *compiled; /* NULL: it is not to be kept */
  int reference;
} load_request;

static int load_protected(lua_State *L) {
  load_request *request = lua_touserdata(L, 1);
  waxwing_compiled *compiled = request->compiled;
  bool is_compiled = compiled && compiled->bytes;
  const char *bytes = is_compiled ? (const char *)compiled->bytes : request->source;
  size_t count = is_compiled ? compiled->count : request->count;
  if (luaL_loadbufferx(L, bytes, count, request->chunk_name, is_compiled ? "b" : "t") != LUA_OK)
    return lua_error(L);
  /* Without memory for it the source is compiled again the next time. */
  if (compiled && !is_compiled) waxwing_dump(L, false, compiled);
  if (request->environment) {
    lua_getglobal(L, request->environment);
    lua_setupvalue(L, -2, 1); /* the only upvalue of a main chunk is _ENV */
  }
  request->reference = luaL_ref(L, LUA_REGISTRYINDEX);
  return 0;
}

static waxwing_status load(waxwing_lane *lane, load_request request, int *reference) {
  lane->frame_count = 0;
  lua_pushcfunction(lane->L, load_protected);
  lua_pushlightuserdata(lane->L, &request);
  int status = lua_pcall(lane->L, 1, 0, 0);
  *reference = request.reference;
  return status == LUA_OK ? WAXWING_OK : waxwing_read_lane_error(lane, status);
}

waxwing_status waxwing_load(waxwing_lane *lane, const char *source, size_t count,
                            const char *chunk_name, const char *environment, int *reference) {
  load_request request = {source, count, chunk_name, environment, NULL, 0};
  return load(lane, request, reference);
}

waxwing_status waxwing_load_own(waxwing_lane *lane, const char *source, size_t count,
                                const char *chunk_name, waxwing_compiled *compiled,
                                int *reference) {
  load_request request = {source, count, chunk_name, NULL, compiled, 0};
  return load(lane, request, reference);
}

static int define_protected(lua_State *L) {
  const char *name = lua_touserdata(L, 2);
  lua_settop(L, 1);
  lua_setglobal(L, name);
  return 0;
}

bool waxwing_define_global(waxwing_state *state, const char *name, lua_CFunction function) {
  lua_State *L = state->main;
  if (!lua_checkstack(L, 4)) return false;
  lua_pushcfunction(L, define_protected);
  lua_pushcfunction(L, function);
  lua_pushlightuserdata(L, (void *)name);
  bool defined = lua_pcall(L, 2, 0, 0) == LUA_OK;
  if (!defined) lua_pop(L, 1);
  return defined;
}

typedef struct global_request {
  const char *name;
  waxwing_buffer *buffer;
} global_request;

static int set_global_protected(lua_State *L) {
  global_request *request = lua_touserdata(L, 1);
  lua_pushcfunction(L, waxwing_push_protected);
  lua_pushlightuserdata(L, request->buffer);
  lua_call(L, 1, 1);
  lua_setglobal(L, request->name);
  return 0;
}

waxwing_status waxwing_set_global(waxwing_lane *lane, const char *name) {
  global_request request = {name, &lane->buffer};
  lua_pushcfunction(lane->L, set_global_protected);
  lua_pushlightuserdata(lane->L, &request);
  int status = lua_pcall(lane->L, 1, 0, 0);
  if (status != LUA_OK) lane->state->objects->discard(lane->state, &lane->buffer);
  return status == LUA_OK ? WAXWING_OK : waxwing_read_lane_error(lane, status);
}

/* }================================================================== */

/* {==================================================================
** From Lua into Swift
** =================================================================== */

/* [-0, +n, -] or an error value on top. Frees nothing. */
static int push_results(lua_State *L, waxwing_buffer *results) {
  int top = lua_gettop(L);
  if (!results->failed && waxwing_push_plain(L, results, 0, LUA_MINSTACK)) return LUA_OK;
  lua_settop(L, top);
  lua_pushcfunction(L, waxwing_push_protected);
  lua_pushlightuserdata(L, results);
  return lua_pcall(L, 1, LUA_MULTRET, 0);
}

void waxwing_push_call_results(waxwing_lua_call *call) {
  call->push_status = push_results(call->L, &call->results);
  if (call->push_status != LUA_OK) call->state->objects->discard(call->state, &call->results);
  call->is_pushed = true;
}

/* The Swift function has returned before anything here can raise: no frame of it is skipped. */
void waxwing_return_argument(waxwing_lua_call *call, int index) {
  lua_pushvalue(call->L, index); /* the stack has room: see below */
  call->is_pushed = true;
  call->push_status = LUA_OK;
}

int waxwing_run_member_callback(lua_State *L, waxwing_callback *callback, int argument_count,
                                waxwing_member *member) {
  if (callback->direct) {
    int results = callback->direct(L, callback->direct_plan, argument_count);
    if (__builtin_expect(results >= 0, 1)) return results;
  }
  waxwing_lua_call call;
  call.state = waxwing_state_of(L);
  call.L = L;
  call.member = NULL;
  call.field = 0;
  call.accessor_function = 0;
  call.keeps_result = false;
  call.changed_receiver = false;
  call.waits = NULL;
  call.is_pushed = false;
  call.argument_count = argument_count;
  waxwing_buffer_init(&call.arguments);
  waxwing_buffer_init(&call.results);
  call.arguments.L = call.results.L = L;
  for (int i = 1; i <= call.argument_count; i++) waxwing_read(L, i, &call.arguments);
  waxwing_spend(L, call.arguments.count); /* of a table, each element */
  int top = lua_gettop(L);
  bool succeeded = false;
  int64_t crossed_at = waxwing_budget_cross(L);
  if (waxwing_stack_is_low()) {
    const char *problem = waxwing_stack_problem();
    waxwing_buffer_add_string(&call.results, problem, strlen(problem));
  } else if (!call.arguments.failed && lua_checkstack(L, LUA_MINSTACK))
    succeeded = callback->function(callback->context, &call);
  else
    waxwing_buffer_add_string(&call.results, "not enough memory", 17);
  if (!call.is_pushed) waxwing_push_call_results(&call);
  int status = call.push_status;
  waxwing_buffer_free(&call.arguments);
  waxwing_buffer_free(&call.results);
  if (!succeeded) waxwing_spend(L, callback->failure_cost);
  if (member)
    *member = (waxwing_member){call.member, call.field, call.accessor_function, call.keeps_result};
  waxwing_release_backlog(call.state);
  waxwing_budget_back(L, crossed_at, callback->declares, succeeded);
  if (status == LUA_OK && succeeded && call.waits) return waxwing_wait_for(L, call.waits);
  int results = lua_gettop(L) - top;
  /* As in Swift, also after an error. */
  if (status == LUA_OK && call.changed_receiver) call.state->objects->write_back(L, 1);
  if (status == LUA_OK && succeeded) return results;
  if (status == LUA_OK) waxwing_add_position(L);
  return lua_error(L);
}

int waxwing_run_callback(lua_State *L, waxwing_callback *callback) {
  waxwing_charge_inline(L, WAXWING_SWIFT_CALL_INSTRUCTIONS + callback->cost);
  return waxwing_run_member_callback(L, callback, lua_gettop(L), NULL);
}

static int call_from_lua(lua_State *L) {
  return waxwing_run_callback(L, lua_touserdata(L, lua_upvalueindex(1)));
}

void waxwing_push_callback(lua_State *L, waxwing_callback *callback) {
  lua_pushlightuserdata(L, callback);
  lua_pushcclosure(L, call_from_lua, 1);
}

bool waxwing_is_original(lua_State *L, int index) {
  if (lua_tocfunction(L, index) != call_from_lua || !lua_getupvalue(L, index, 1)) return false;
  const waxwing_callback *callback = lua_touserdata(L, -1);
  lua_pop(L, 1);
  return callback && callback->is_original;
}

/* }================================================================== */
