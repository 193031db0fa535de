/* SPDX-License-Identifier: MIT
 *
 * Calls from Swift into Lua and from Lua into Swift.
 */
#include "wax_lua.h"

#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

#include "wax_lua_call_private.h"
#include "wax_lua_lent.h"
#include "wax_lua_turn.h"

/* {==================================================================
** From Swift into Lua
** =================================================================== */

int wax_lua_keep_receiver(lua_State *L, wax_lua_coroutine *coroutine, int function) {
  if (!coroutine->keeps_receiver) return function;
  lua_pushvalue(L, function + 1);
  lua_insert(L, function);
  coroutine->receiver = coroutine->state->objects->proxy_at(L, function);
  return function + 1;
}

/* (coroutine) -> the kept receiver, if any, and the results. For values that need memory. */
static int call_protected(lua_State *L) {
  wax_lua_coroutine *coroutine = lua_touserdata(L, 1);
  lua_settop(L, 0);
  lua_rawgeti(L, LUA_REGISTRYINDEX, coroutine->function);
  wax_lua_push_values(L, &coroutine->buffer);
  int function = wax_lua_keep_receiver(L, coroutine, 1);
  lua_call(L, lua_gettop(L) - function, LUA_MULTRET);
  return lua_gettop(L);
}

static int run_protected(wax_lua_coroutine *coroutine) {
  lua_State *L = coroutine->L;
  lua_pushcfunction(L, call_protected);
  lua_pushlightuserdata(L, coroutine);
  coroutine->outer_frames = 1; /* call_protected */
  int status = lua_pcall(L, 1, LUA_MULTRET, WAX_LUA_COROUTINE_HANDLER);
  coroutine->outer_frames = 0;
  if (status != LUA_OK) coroutine->state->objects->discard(coroutine->state, &coroutine->buffer);
  return status;
}

/* [-0, +n, -]  The results, or an error value; *first is where the first result is. */
static int run(wax_lua_coroutine *coroutine, int *first) {
  lua_State *L = coroutine->L;
  int function = lua_gettop(L) + 1;
  lua_rawgeti(L, LUA_REGISTRYINDEX, coroutine->function);
  if (!coroutine->buffer.failed &&
      wax_lua_push_plain(L, &coroutine->buffer, WAX_LUA_COROUTINE_PROXIES,
                         WAX_LUA_COROUTINE_SLOTS - function)) {
    *first = wax_lua_keep_receiver(L, coroutine, function);
    return lua_pcall(L, (int)coroutine->buffer.count, LUA_MULTRET, WAX_LUA_COROUTINE_HANDLER);
  }
  lua_settop(L, function - 1);
  *first = coroutine->keeps_receiver ? function + 1 : function;
  return run_protected(coroutine);
}

wax_lua_status wax_lua_read_coroutine_results(wax_lua_coroutine *coroutine, int first,
                                              int *result_count) {
  lua_State *L = coroutine->L;
  wax_lua_buffer_clear(&coroutine->buffer);
  int top = lua_gettop(L);
  *result_count = top - first + 1;
  coroutine->first_result = first;
  for (int i = first; i <= top; i++) {
    if (lua_isinteger(L, i)) /* not only most results are, it is also the cheapest to ask */
      wax_lua_buffer_add(&coroutine->buffer, WAX_LUA_VALUE_INTEGER, lua_tointeger(L, i));
    else
      wax_lua_read(L, i, &coroutine->buffer);
  }
  return coroutine->buffer.failed ? WAX_LUA_STATUS_NO_MEMORY : WAX_LUA_STATUS_OK;
}

wax_lua_status wax_lua_coroutine_show_results(wax_lua_coroutine *coroutine) {
  int count, top = lua_gettop(coroutine->L);
  for (int i = coroutine->first_result; i <= top; i++) {
    int status = wax_lua_show_lent(coroutine->L, i);
    if (status != LUA_OK) return wax_lua_read_coroutine_error(coroutine, status);
  }
  return wax_lua_read_coroutine_results(coroutine, coroutine->first_result, &count);
}

wax_lua_status wax_lua_coroutine_outcome(wax_lua_coroutine *coroutine, int status, int first,
                                         int *result_count) {
  *result_count = 0;
  if (status != LUA_OK) return wax_lua_read_coroutine_error(coroutine, status);
  return wax_lua_read_coroutine_results(coroutine, first, result_count);
}

wax_lua_status wax_lua_coroutine_call(wax_lua_coroutine *coroutine, int reference,
                                      int *result_count) {
  int first;
  coroutine->function = reference;
  coroutine->frame_count = 0;
  wax_lua_budget_renew(coroutine);
  *result_count = 0;
  if (__builtin_expect(wax_lua_stack_refuses_call(), 0))
    return wax_lua_read_coroutine_error(coroutine, wax_lua_refuse_call(coroutine));
  wax_lua_coroutine *outer = wax_lua_budget_begin(coroutine);
  int status = run(coroutine, &first);
  wax_lua_budget_end(coroutine, outer);
  return wax_lua_coroutine_outcome(coroutine, status, first, result_count);
}

static int append(lua_State *L, const void *bytes, size_t count, void *context) {
  (void)L;
  wax_lua_compiled *compiled = context;
  unsigned char *grown = realloc(compiled->bytes, compiled->count + count);
  if (!grown) return 1;
  memcpy(grown + compiled->count, bytes, count);
  compiled->bytes = grown;
  compiled->count += count;
  return 0;
}

bool wax_lua_dump(lua_State *L, bool is_stripped, wax_lua_compiled *compiled) {
  if (lua_dump(L, append, compiled, is_stripped) == 0) return true;
  free(compiled->bytes);
  *compiled = (wax_lua_compiled){NULL, 0};
  return false;
}

typedef struct load_request {
  const char *source;
  size_t count;
  const char *chunk_name;
  const char *environment;
  wax_lua_compiled *compiled; /* NULL: it is not to be kept */
  int reference;
} load_request;

static int load_protected(lua_State *L) {
  load_request *request = lua_touserdata(L, 1);
  wax_lua_compiled *compiled = request->compiled;
  bool is_compiled = compiled && compiled->bytes;
  const char *bytes = is_compiled ? (const char *)compiled->bytes : request->source;
  size_t count = is_compiled ? compiled->count : request->count;
  if (luaL_loadbufferx(L, bytes, count, request->chunk_name, is_compiled ? "b" : "t") != LUA_OK)
    return lua_error(L);
  /* Without memory for it the source is compiled again the next time. */
  if (compiled && !is_compiled) wax_lua_dump(L, false, compiled);
  if (request->environment) {
    lua_getglobal(L, request->environment);
    lua_setupvalue(L, -2, 1); /* the only upvalue of a main chunk is _ENV */
  }
  request->reference = luaL_ref(L, LUA_REGISTRYINDEX);
  return 0;
}

static wax_lua_status load(wax_lua_coroutine *coroutine, load_request request, int *reference) {
  coroutine->frame_count = 0;
  lua_pushcfunction(coroutine->L, load_protected);
  lua_pushlightuserdata(coroutine->L, &request);
  int status = lua_pcall(coroutine->L, 1, 0, 0);
  *reference = request.reference;
  return status == LUA_OK ? WAX_LUA_STATUS_OK : wax_lua_read_coroutine_error(coroutine, status);
}

wax_lua_status wax_lua_load(wax_lua_coroutine *coroutine, const char *source, size_t count,
                            const char *chunk_name, const char *environment, int *reference) {
  load_request request = {source, count, chunk_name, environment, NULL, 0};
  return load(coroutine, request, reference);
}

wax_lua_status wax_lua_load_chunk(wax_lua_coroutine *coroutine, const char *source, size_t count,
                                  const char *chunk_name, wax_lua_compiled *compiled,
                                  int *reference) {
  load_request request = {source, count, chunk_name, NULL, compiled, 0};
  return load(coroutine, request, reference);
}

static int define_protected(lua_State *L) {
  const char *name = lua_touserdata(L, 2);
  lua_settop(L, 1);
  lua_setglobal(L, name);
  return 0;
}

bool wax_lua_define_global(wax_lua_state *state, const char *name, lua_CFunction function) {
  lua_State *L = state->main;
  if (!lua_checkstack(L, 4)) return false;
  lua_pushcfunction(L, define_protected);
  lua_pushcfunction(L, function);
  lua_pushlightuserdata(L, (void *)name);
  bool defined = lua_pcall(L, 2, 0, 0) == LUA_OK;
  if (!defined) lua_pop(L, 1);
  return defined;
}

/* }================================================================== */

/* {==================================================================
** From Lua into Swift
** =================================================================== */

/* [-0, +n, -] or an error value on top. Frees nothing. */
static int push_results(lua_State *L, wax_lua_buffer *results) {
  int top = lua_gettop(L);
  if (!results->failed && wax_lua_push_plain(L, results, 0, LUA_MINSTACK)) return LUA_OK;
  lua_settop(L, top);
  lua_pushcfunction(L, wax_lua_push_protected);
  lua_pushlightuserdata(L, results);
  return lua_pcall(L, 1, LUA_MULTRET, 0);
}

void wax_lua_push_call_results(wax_lua_host_call *call) {
  call->push_status = push_results(call->L, &call->results);
  if (call->push_status != LUA_OK) call->state->objects->discard(call->state, &call->results);
  call->is_pushed = true;
}

/* The Swift function has returned before anything here can raise: no frame of it is skipped. */
void wax_lua_return_argument(wax_lua_host_call *call, int index) {
  lua_pushvalue(call->L, index); /* the stack has room: see below */
  call->is_pushed = true;
  call->push_status = LUA_OK;
}

static void read_arguments(wax_lua_host_call *call) {
  for (int i = 1; i <= call->argument_count; i++) wax_lua_read(call->L, i, &call->arguments);
}

/* [-0, +0, e]  What is lent among the first so many values. */
static void show_lent(lua_State *L, int count) {
  for (int i = 1; i <= count; i++)
    if (wax_lua_show_lent(L, i) != LUA_OK) lua_error(L);
}

int wax_lua_run_member_callback(lua_State *L, wax_lua_callback *callback, int argument_count,
                                wax_lua_member *member) {
  if (callback->direct) {
    int results = callback->direct(L, callback->direct_plan, argument_count);
    if (__builtin_expect(results >= 0, 1)) return results;
  }
  wax_lua_host_call call;
  call.state = wax_lua_state_of(L);
  call.L = L;
  call.member = NULL;
  call.field = 0;
  call.accessor_function = 0;
  call.keeps_result = false;
  call.changed_receiver = false;
  call.wants_shown = false;
  call.waits = NULL;
  call.is_pushed = false;
  call.argument_count = argument_count;
  wax_lua_buffer_init(&call.arguments);
  wax_lua_buffer_init(&call.results);
  call.arguments.L = call.results.L = L;
  read_arguments(&call);
  if (__builtin_expect(call.arguments.has_lent && !callback->takes_lent, 0)) {
    wax_lua_buffer_free(&call.arguments);
    show_lent(L, argument_count);
    call.arguments.L = L;
    read_arguments(&call);
  }
  wax_lua_budget_add(L, call.arguments.count); /* of a table, each element */
  int top = lua_gettop(L);
  bool succeeded = false;
  int64_t crossed_at = wax_lua_budget_cross(L);
  if (wax_lua_stack_is_low()) {
    const char *problem = wax_lua_stack_problem();
    wax_lua_buffer_add_string(&call.results, problem, strlen(problem));
  } else if (!call.arguments.failed && lua_checkstack(L, LUA_MINSTACK))
    succeeded = callback->function(callback->context, &call);
  else
    wax_lua_buffer_add_string(&call.results, "not enough memory", 17);
  if (__builtin_expect(call.wants_shown, 0)) {
    wax_lua_buffer_free(&call.arguments);
    wax_lua_buffer_free(&call.results);
    wax_lua_budget_return(L, crossed_at, callback->declares, true);
    show_lent(L, argument_count);
    return wax_lua_run_member_callback(L, callback, argument_count, member);
  }
  if (!call.is_pushed) wax_lua_push_call_results(&call);
  int status = call.push_status;
  wax_lua_buffer_free(&call.arguments);
  wax_lua_buffer_free(&call.results);
  if (!succeeded) wax_lua_budget_add(L, callback->failure_cost);
  if (member)
    *member = (wax_lua_member){call.member, call.field, call.accessor_function, call.keeps_result};
  wax_lua_release_backlog(call.state);
  wax_lua_budget_return(L, crossed_at, callback->declares, succeeded);
  if (status == LUA_OK && succeeded && call.waits) return wax_lua_yield_until(L, call.waits);
  int results = lua_gettop(L) - top;
  /* As in Swift, also after an error. */
  if (status == LUA_OK && call.changed_receiver) call.state->objects->write_back(L, 1);
  if (status == LUA_OK && succeeded) return results;
  if (status == LUA_OK) wax_lua_add_position(L);
  return lua_error(L);
}

int wax_lua_run_callback(lua_State *L, wax_lua_callback *callback) {
  wax_lua_budget_consume_inline(L, WAX_LUA_SWIFT_CALL_COST + callback->cost);
  return wax_lua_run_member_callback(L, callback, lua_gettop(L), NULL);
}

static int call_from_lua(lua_State *L) {
  return wax_lua_run_callback(L, lua_touserdata(L, lua_upvalueindex(1)));
}

void wax_lua_push_callback(lua_State *L, wax_lua_callback *callback) {
  lua_pushlightuserdata(L, callback);
  lua_pushcclosure(L, call_from_lua, 1);
}

bool wax_lua_is_original(lua_State *L, int index) {
  if (lua_tocfunction(L, index) != call_from_lua || !lua_getupvalue(L, index, 1)) return false;
  const wax_lua_callback *callback = lua_touserdata(L, -1);
  lua_pop(L, 1);
  return callback && callback->is_original;
}

/* }================================================================== */
