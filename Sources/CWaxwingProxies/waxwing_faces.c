/* SPDX-License-Identifier: MIT
 *
 * Faces: the Lua values that stand for Swift types. A face is a table whose metatable has the
 * type's metadata under a key that no script can name; a type that has no name to make a face by,
 * such as
 * `[Int]`, has a proxy instead. Either is made once: one type, one value.
 */
#include <lauxlib.h>

#include "waxwing_proxy_private.h"

static const char faces_key = 0; /* in the registry: metadata -> face; in a metatable: metadata */

const void *waxwing_face_type(lua_State *L, int index) {
  if (!lua_checkstack(L, 2) || !lua_getmetatable(L, index)) return NULL;
  lua_rawgetp(L, -1, &faces_key);
  const void *type = lua_touserdata(L, -1);
  lua_pop(L, 2);
  return type;
}

/* [-0, +(0|1), -] */
static bool push_known_face(lua_State *L, const void *type) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &faces_key);
  lua_rawgetp(L, -1, type);
  lua_remove(L, -2);
  if (!lua_isnil(L, -1)) return true;
  lua_pop(L, 1);
  return false;
}

/* [-0, +0, me]  The value on top. */
static void add_face(lua_State *L, const void *type) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &faces_key);
  lua_pushvalue(L, -2);
  lua_rawsetp(L, -2, type);
  lua_pop(L, 1);
}

/* [-0, +1, me] */
int waxwing_push_face(lua_State *L, const void *type) {
  if (push_known_face(L, type)) return 1;
  waxwing_state *state = waxwing_state_of(L);
  waxwing_proxy_state *proxies = waxwing_proxies_of(state);
  if (proxies->hooks.make_face) proxies->hooks.make_face(proxies->hooks.context, L, type);
  if (push_known_face(L, type)) return 1;
  waxwing_push_proxy(L, WAXWING_PROXY_METATYPE, (void *)type, NULL);
  add_face(L, type);
  return 1;
}

/* (face, type, is_main) */
static int set_face_protected(lua_State *L) {
  void *type = lua_touserdata(L, 2);
  lua_getmetatable(L, 1);
  lua_pushlightuserdata(L, type);
  lua_rawsetp(L, -2, &faces_key);
  if (!lua_toboolean(L, 3)) return 0;
  lua_pushvalue(L, 1);
  add_face(L, type);
  return 0;
}

bool waxwing_set_face(lua_State *L, int index, const void *type, bool is_main) {
  if (!lua_istable(L, index) || !lua_checkstack(L, 4)) return false;
  index = lua_absindex(L, index);
  if (!lua_getmetatable(L, index)) return false;
  lua_pop(L, 1);
  lua_pushcfunction(L, set_face_protected);
  lua_pushvalue(L, index);
  lua_pushlightuserdata(L, (void *)type);
  lua_pushboolean(L, is_main);
  int status = lua_pcall(L, 3, 0, 0);
  if (status != LUA_OK) lua_pop(L, 1);
  return status == LUA_OK;
}

void waxwing_open_faces(lua_State *L) {
  lua_newtable(L);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &faces_key);
}
