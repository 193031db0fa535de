/* SPDX-License-Identifier: MIT
 *
 * Type objects: the Lua values that stand for Swift types. A type object is a table whose metatable
 * has the type's metadata under a key that no script can name; a type that has no name to make a
 * type object by, such as
 * `[Int]`, has a proxy instead. Either is made once: one type, one value.
 */
#include <lauxlib.h>

#include "wax_proxy_private.h"

static const char type_objects_key =
    0; /* in the registry: metadata -> type object; in a metatable: metadata */

const void *wax_proxy_type_object_type(lua_State *L, int index) {
  if (!lua_checkstack(L, 2) || !lua_getmetatable(L, index)) return NULL;
  lua_rawgetp(L, -1, &type_objects_key);
  const void *type = lua_touserdata(L, -1);
  lua_pop(L, 2);
  return type;
}

/* [-0, +(0|1), -] */
static bool push_known_type_object(lua_State *L, const void *type) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &type_objects_key);
  lua_rawgetp(L, -1, type);
  lua_remove(L, -2);
  if (!lua_isnil(L, -1)) return true;
  lua_pop(L, 1);
  return false;
}

/* [-0, +0, me]  The value on top. */
static void add_type_object(lua_State *L, const void *type) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &type_objects_key);
  lua_pushvalue(L, -2);
  lua_rawsetp(L, -2, type);
  lua_pop(L, 1);
}

/* [-0, +1, me] */
int wax_proxy_push_type_object(lua_State *L, const void *type) {
  if (push_known_type_object(L, type)) return 1;
  wax_lua_state *state = wax_lua_state_of(L);
  wax_proxy_state *proxies = wax_proxy_state_of(state);
  if (proxies->hooks.make_type_object)
    proxies->hooks.make_type_object(proxies->hooks.context, L, type);
  if (push_known_type_object(L, type)) return 1;
  wax_proxy_push(L, WAX_PROXY_KIND_METATYPE, (void *)type, NULL);
  add_type_object(L, type);
  return 1;
}

/* (type object, type, is_main) */
static int set_type_object_protected(lua_State *L) {
  void *type = lua_touserdata(L, 2);
  lua_getmetatable(L, 1);
  lua_pushlightuserdata(L, type);
  lua_rawsetp(L, -2, &type_objects_key);
  if (!lua_toboolean(L, 3)) return 0;
  lua_pushvalue(L, 1);
  add_type_object(L, type);
  return 0;
}

bool wax_proxy_set_type_object(lua_State *L, int index, const void *type, bool is_main) {
  if (!lua_istable(L, index) || !lua_checkstack(L, 4)) return false;
  index = lua_absindex(L, index);
  if (!lua_getmetatable(L, index)) return false;
  lua_pop(L, 1);
  lua_pushcfunction(L, set_type_object_protected);
  lua_pushvalue(L, index);
  lua_pushlightuserdata(L, (void *)type);
  lua_pushboolean(L, is_main);
  int status = lua_pcall(L, 3, 0, 0);
  if (status != LUA_OK) lua_pop(L, 1);
  return status == LUA_OK;
}

void wax_proxy_open_type_objects(lua_State *L) {
  lua_newtable(L);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &type_objects_key);
}
