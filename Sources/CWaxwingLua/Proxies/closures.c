/* SPDX-License-Identifier: MIT
 *
 * Swift closures as Lua functions, and what scripts give as a fallback of their own functions.
 */
#include "wax_proxy_closures.h"

#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

#include "wax_lua_call_private.h"
#include "wax_proxy_coroutine_end.h"
#include "wax_proxy_private.h"

static const char fallbacks_key = 0; /* function -> value, weak keys */
static const char metatable_key = 0; /* of the proxies behind functions; [1] is their live count */

/* {==================================================================
** Swift closures
** =================================================================== */

/* [-0, +n, e]  Calls the closure behind the proxy, which is at the index, with what is on the
   stack. */
static int run_closure(lua_State *L, const wax_proxy *proxy, int index) {
  wax_lua_callback *callback = (wax_lua_callback *)proxy->type;
  int count = lua_gettop(L);
  wax_lua_budget_consume_inline(L, WAX_LUA_SWIFT_CALL_COST + callback->cost);
  int results = callback->closure ? callback->closure(L, proxy, count) : -1;
  if (__builtin_expect(results >= 0, 1)) return results;
  lua_pushvalue(L, index);
  lua_insert(L, 1);
  return wax_lua_run_member_callback(L, callback, count + 1, NULL);
}

/* The first upvalue is the proxy. The script cannot reach it, and it lives as long as the call. */
static int call_closure(lua_State *L) {
  const wax_proxy *proxy = lua_touserdata(L, lua_upvalueindex(1));
  return run_closure(L, proxy, lua_upvalueindex(1));
}

bool wax_proxy_is_lent_closure(lua_State *L, int index) {
  if (lua_tocfunction(L, index) != call_closure || !lua_getupvalue(L, index, 1)) return false;
  const wax_proxy *proxy = wax_proxy_to_proxy(L, -1);
  lua_pop(L, 1);
  return proxy && proxy->kind == WAX_PROXY_KIND_LENT_CLOSURE;
}

static wax_proxy_live_count *live_count_of(lua_State *L) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &metatable_key);
  lua_rawgeti(L, -1, 1);
  wax_proxy_live_count *live_count = lua_touserdata(L, -1);
  lua_pop(L, 2);
  return live_count;
}

static void give_up(wax_lua_state *state, wax_proxy_live_count *live_count, wax_proxy *proxy) {
  uint32_t kind = proxy->kind;
  proxy->kind = 0;
  wax_proxy_live_count_add(state, live_count, -1);
  wax_lua_defer_release(state, kind, proxy->pointer, NULL);
}

/* Its upvalue is the live count. */
static int collect_closure(lua_State *L) {
  wax_proxy *proxy = wax_proxy_to_proxy(L, 1);
  if (wax_proxy_postpone(L, proxy)) return 0;
  if (proxy) wax_proxy_collected(L, proxy);
  if (proxy && wax_proxy_is_closure(proxy->kind))
    give_up(wax_lua_state_of(L), lua_touserdata(L, lua_upvalueindex(1)), proxy);
  return 0;
}

void wax_proxy_end_lent_closure(wax_lua_state *state, wax_proxy *proxy) {
  if (proxy->kind == WAX_PROXY_KIND_LENT_CLOSURE) give_up(state, live_count_of(state->main), proxy);
}

void wax_proxy_drop_closure(wax_lua_state *state, wax_proxy *proxy) {
  give_up(state, live_count_of(state->main), proxy);
}

/* [-0, +1, me]  From the moment that it is pushed the function owns what `pointer` owns. */
int wax_proxy_push_closure(lua_State *L, uint32_t kind, void *pointer, wax_lua_callback *callback) {
  wax_proxy *proxy = wax_proxy_new(L, 0, wax_proxy_dies_with_call(wax_lua_state_of(L)));
  proxy->pointer = pointer;
  proxy->type = callback;
  lua_rawgetp(L, LUA_REGISTRYINDEX, &metatable_key);
  lua_setmetatable(L, -2);
  lua_pushvalue(L, -1);
  lua_pushcclosure(L, call_closure, 1);
  lua_insert(L, -2);
  if (kind == WAX_PROXY_KIND_LENT_CLOSURE) wax_proxy_add_transient(L, proxy);
  lua_pop(L, 1);
  proxy->kind = kind; /* nothing raises from here on */
  wax_proxy_live_count_add(wax_lua_state_of(L), live_count_of(L), 1);
  if (kind == WAX_PROXY_KIND_CLOSURE) wax_proxy_seen(wax_lua_state_of(L), proxy);
  wax_proxy_collector_pace(L);
  return 1;
}

/* }================================================================== */

wax_proxy *wax_proxy_function_closure(const wax_lua_buffer *buffer, const wax_lua_value *value) {
  if (!wax_lua_push_function(buffer, value)) return NULL;
  lua_State *L = buffer->L;
  wax_proxy *proxy = NULL;
  if (lua_tocfunction(L, -1) == call_closure) {
    lua_getupvalue(L, -1, 1);
    proxy = wax_proxy_to_proxy(L, -1);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  return proxy;
}

/* {==================================================================
** Fallbacks
** =================================================================== */

/* (function, value) -> function */
static int set_fallback(lua_State *L) {
  luaL_checktype(L, 1, LUA_TFUNCTION);
  luaL_checkany(L, 2);
  lua_settop(L, 2);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &fallbacks_key);
  lua_pushvalue(L, 1);
  lua_pushvalue(L, 2);
  lua_rawset(L, -3);
  lua_settop(L, 1);
  wax_proxy_state_of(wax_lua_state_of(L))->has_fallbacks = true;
  return 1;
}

bool wax_proxy_define_fallback(wax_lua_state *state, const char *name) {
  return wax_lua_define_global(state, name, set_fallback);
}

bool wax_proxy_has_fallbacks(const wax_lua_state *state) {
  return wax_proxy_state_in(state)->has_fallbacks;
}

bool wax_proxy_read_fallback(wax_lua_state *state, int reference, wax_lua_buffer *buffer) {
  lua_State *L = state->main;
  if (!lua_checkstack(L, 6)) return false;
  lua_rawgetp(L, LUA_REGISTRYINDEX, &fallbacks_key);
  lua_rawgeti(L, LUA_REGISTRYINDEX, reference);
  lua_rawget(L, -2);
  lua_replace(L, -2);
  if (lua_isnil(L, -1)) {
    lua_pop(L, 1);
    return false;
  }
  buffer->L = L;
  wax_lua_read(L, -1, buffer);
  return true;
}

/* Functions are found again on the stack: the value has to stay there meanwhile. */
void wax_proxy_end_fallback(wax_lua_state *state) { lua_pop(state->main, 1); }

/* }================================================================== */

static void make_metatable(lua_State *L) {
  wax_proxy_live_count *live_count =
      wax_proxy_live_count_of(wax_lua_state_of(L), NULL, WAX_PROXY_KIND_CLOSURE);
  if (!live_count) luaL_error(L, "not enough memory");
  lua_createtable(L, 1, 2);
  lua_pushlightuserdata(L, live_count);
  lua_pushcclosure(L, collect_closure, 1);
  lua_setfield(L, -2, "__gc");
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_pushlightuserdata(L, live_count);
  lua_rawseti(L, -2, 1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &metatable_key);
}

void wax_proxy_open_closures(lua_State *L) {
  make_metatable(L);
  wax_proxy_push_weak_table(L, "k");
  lua_rawsetp(L, LUA_REGISTRYINDEX, &fallbacks_key);
}
