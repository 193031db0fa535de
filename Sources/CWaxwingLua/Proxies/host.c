/* SPDX-License-Identifier: MIT
 *
 * The functions of the engine's own that the prelude calls, each made when it is asked for.
 */
#include "wax_proxy_host.h"

#include <stdlib.h>
#include <string.h>

#include "wax_lua_call_private.h"
#include "wax_lua_state_private.h"

static int by_name(const void *name, const void *function) {
  return strcmp(name, ((const wax_proxy_host_function *)function)->name);
}

/* (table, name) -> function or nil. Its upvalue is the functions. */
static int find(lua_State *L) {
  const wax_proxy_host_functions *host = lua_touserdata(L, lua_upvalueindex(1));
  const char *name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : NULL;
  if (!name) return 0;
  const wax_proxy_host_function *found =
      bsearch(name, host->functions, host->count, sizeof *found, by_name);
  if (!found) return 0;
  wax_lua_push_callback(L, found->callback);
  lua_pushvalue(L, 2);
  lua_pushvalue(L, -2);
  lua_rawset(L, 1);
  return 1;
}

/* (name, functions) */
static int define_protected(lua_State *L) {
  lua_pushcclosure(L, find, 1);
  lua_setglobal(L, lua_touserdata(L, 1));
  return 0;
}

bool wax_proxy_define_host(wax_lua_state *state, const char *name,
                           const wax_proxy_host_functions *functions) {
  lua_State *L = state->main;
  if (!lua_checkstack(L, 4)) return false;
  lua_pushcfunction(L, define_protected);
  lua_pushlightuserdata(L, (void *)name);
  lua_pushlightuserdata(L, (void *)functions);
  bool defined = lua_pcall(L, 2, 0, 0) == LUA_OK;
  if (!defined) lua_pop(L, 1);
  return defined;
}
