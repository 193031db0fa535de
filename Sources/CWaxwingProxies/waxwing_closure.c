/* SPDX-License-Identifier: MIT
 *
 * Swift closures as Lua functions, and what scripts give as a fallback of their own functions.
 */
#include "waxwing_closure.h"

#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

#include "waxwing_call_private.h"
#include "waxwing_lane_end.h"
#include "waxwing_proxy_private.h"

static const char fallbacks_key = 0; /* function -> value, weak keys */
static const char metatable_key = 0; /* of the proxies behind functions; [1] is their tally */

/* {==================================================================
** Swift closures
** =================================================================== */

/* [-0, +n, e]  Calls the closure behind the proxy, which is at the index, with what is on the
   stack. */
static int run_closure(lua_State *L, const waxwing_proxy *proxy, int index) {
  waxwing_callback *callback = (waxwing_callback *)proxy->type;
  int count = lua_gettop(L);
  waxwing_charge_inline(L, WAXWING_SWIFT_CALL_INSTRUCTIONS + callback->cost);
  int results = callback->closure ? callback->closure(L, proxy, count) : -1;
  if (__builtin_expect(results >= 0, 1)) return results;
  lua_pushvalue(L, index);
  lua_insert(L, 1);
  return waxwing_run_member_callback(L, callback, count + 1, NULL);
}

/* The first upvalue is the proxy. The script cannot reach it, and it lives as long as the call. */
static int call_closure(lua_State *L) {
  const waxwing_proxy *proxy = lua_touserdata(L, lua_upvalueindex(1));
  return run_closure(L, proxy, lua_upvalueindex(1));
}

static waxwing_tally *tally_of(lua_State *L) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &metatable_key);
  lua_rawgeti(L, -1, 1);
  waxwing_tally *tally = lua_touserdata(L, -1);
  lua_pop(L, 2);
  return tally;
}

static void give_up(waxwing_state *state, waxwing_tally *tally, waxwing_proxy *proxy) {
  uint32_t kind = proxy->kind;
  proxy->kind = 0;
  waxwing_tally_proxy(state, tally, -1);
  waxwing_defer_release(state, kind, proxy->pointer, NULL);
}

/* Its upvalue is the tally. */
static int collect_closure(lua_State *L) {
  waxwing_proxy *proxy = waxwing_to_proxy(L, 1);
  if (waxwing_postpone(L, proxy)) return 0;
  if (proxy) waxwing_proxy_collected(L, proxy);
  if (proxy && waxwing_is_closure(proxy->kind))
    give_up(waxwing_state_of(L), lua_touserdata(L, lua_upvalueindex(1)), proxy);
  return 0;
}

void waxwing_end_lent_closure(waxwing_state *state, waxwing_proxy *proxy) {
  if (proxy->kind == WAXWING_PROXY_LENT_CLOSURE) give_up(state, tally_of(state->main), proxy);
}

void waxwing_drop_closure(waxwing_state *state, waxwing_proxy *proxy) {
  give_up(state, tally_of(state->main), proxy);
}

/* [-0, +1, me]  From the moment that it is pushed the function owns what `pointer` owns. */
int waxwing_push_closure(lua_State *L, uint32_t kind, void *pointer, waxwing_callback *callback) {
  waxwing_proxy *proxy = waxwing_new_proxy(L, 0, waxwing_dies_with_call(waxwing_state_of(L)));
  proxy->pointer = pointer;
  proxy->type = callback;
  lua_rawgetp(L, LUA_REGISTRYINDEX, &metatable_key);
  lua_setmetatable(L, -2);
  lua_pushvalue(L, -1);
  lua_pushcclosure(L, call_closure, 1);
  lua_insert(L, -2);
  if (kind == WAXWING_PROXY_LENT_CLOSURE) waxwing_add_transient(L, proxy);
  lua_pop(L, 1);
  proxy->kind = kind; /* nothing raises from here on */
  waxwing_tally_proxy(waxwing_state_of(L), tally_of(L), 1);
  if (kind == WAXWING_PROXY_CLOSURE) waxwing_proxy_seen(waxwing_state_of(L), proxy);
  waxwing_pace(L);
  return 1;
}

/* }================================================================== */

waxwing_proxy *waxwing_function_closure(const waxwing_buffer *buffer, const waxwing_value *value) {
  if (!waxwing_push_function(buffer, value)) return NULL;
  lua_State *L = buffer->L;
  waxwing_proxy *proxy = NULL;
  if (lua_tocfunction(L, -1) == call_closure) {
    lua_getupvalue(L, -1, 1);
    proxy = waxwing_to_proxy(L, -1);
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
  waxwing_proxies_of(waxwing_state_of(L))->has_fallbacks = true;
  return 1;
}

bool waxwing_define_fallback(waxwing_state *state, const char *name) {
  return waxwing_define_global(state, name, set_fallback);
}

bool waxwing_has_fallbacks(const waxwing_state *state) {
  return waxwing_proxies_in(state)->has_fallbacks;
}

bool waxwing_read_fallback(waxwing_state *state, int reference, waxwing_buffer *buffer) {
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
  waxwing_read(L, -1, buffer);
  return true;
}

/* Functions are found again on the stack: the value has to stay there meanwhile. */
void waxwing_end_fallback(waxwing_state *state) { lua_pop(state->main, 1); }

/* }================================================================== */

static void make_metatable(lua_State *L) {
  waxwing_tally *tally = waxwing_add_tally(waxwing_state_of(L), NULL, WAXWING_PROXY_CLOSURE);
  if (!tally) luaL_error(L, "not enough memory");
  lua_createtable(L, 1, 2);
  lua_pushlightuserdata(L, tally);
  lua_pushcclosure(L, collect_closure, 1);
  lua_setfield(L, -2, "__gc");
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_pushlightuserdata(L, tally);
  lua_rawseti(L, -2, 1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &metatable_key);
}

void waxwing_open_closures(lua_State *L) {
  make_metatable(L);
  lua_newtable(L);
  lua_createtable(L, 0, 1);
  lua_pushliteral(L, "k");
  lua_setfield(L, -2, "__mode");
  lua_setmetatable(L, -2);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &fallbacks_key);
}
