/* SPDX-License-Identifier: MIT
 *
 * Where a copy of a struct or enum came from, so that `object.address.city = "X"` changes the
 * object.
 *
 * A proxy that reading a property gave remembers the property's owner. When what it holds has been
 * changed, the owner's property is set to it, as Lua code would: setters and observers run, and an
 * owner that is a copy itself is written back in its turn. A copy that Lua code keeps in a variable
 * is that code's own, and is written nowhere: whether it is kept can be seen when it is changed, as
 * what an expression makes on the way stands in no variable.
 */
#include <string.h>

#include <lauxlib.h>

#include "waxwing_state_private.h"

/* User values of a value's proxy. */
#define OWNER 1
#define KEY 2

void waxwing_connect(lua_State *L, int owner, int key, int copy) {
  waxwing_proxy *proxy = waxwing_to_proxy(L, copy);
  lua_Debug activation;
  if (!proxy || proxy->kind != WAXWING_PROXY_VALUE || proxy->origin_frame) return;
  if (!lua_getstack(L, 1, &activation)) return;
  copy = lua_absindex(L, copy);
  lua_pushvalue(L, owner);
  lua_setiuservalue(L, copy, OWNER);
  lua_pushvalue(L, key);
  lua_setiuservalue(L, copy, KEY);
  proxy->origin_frame = activation.i_ci;
}

bool waxwing_has_origin(lua_State *L, int index) {
  waxwing_proxy *proxy = waxwing_to_proxy(L, index);
  return proxy && proxy->origin_frame;
}

/* [-0, +0, -]  The innermost function that is written in Lua. */
static bool calling_function(lua_State *L, lua_Debug *activation) {
  for (int level = 1; lua_getstack(L, level, activation); level++) {
    lua_getinfo(L, "S", activation);
    if (*activation->what != 'C') return true;
  }
  return false;
}

/* [-1, +0, -] */
static bool is_on_top(lua_State *L, int index) {
  bool is_same = lua_rawequal(L, -1, index);
  lua_pop(L, 1);
  return is_same;
}

/* What has no name is on the way through an expression, but for arguments behind `...`. */
static bool is_local(lua_State *L, lua_Debug *activation, int index) {
  const char *name;
  for (int n = 1; (name = lua_getlocal(L, activation, n)) != NULL; n++)
    if (is_on_top(L, index) && *name != '(') return true;
  for (int n = -1; lua_getlocal(L, activation, n) != NULL; n--)
    if (is_on_top(L, index)) return true;
  return false;
}

/* The table of globals is on top. */
static bool is_global(lua_State *L, int index) {
  lua_pushnil(L);
  while (lua_next(L, -2)) {
    if (!is_on_top(L, index)) continue;
    lua_pop(L, 1);
    return true;
  }
  return false;
}

/* The function is on top. */
static bool is_upvalue(lua_State *L, int index) {
  const char *name;
  for (int n = 1; (name = lua_getupvalue(L, -1, n)) != NULL; n++) {
    bool is_same = lua_rawequal(L, -1, index) ||
                   (!strcmp(name, "_ENV") && lua_istable(L, -1) && is_global(L, index));
    lua_pop(L, 1);
    if (is_same) return true;
  }
  return false;
}

/* Whether a variable that the calling function sees has the copy, or the copy is another call's. */
static bool is_kept(lua_State *L, int index, const waxwing_proxy *proxy) {
  lua_Debug activation;
  if (!calling_function(L, &activation) || activation.i_ci != proxy->origin_frame) return true;
  if (is_local(L, &activation, index)) return true;
  lua_getinfo(L, "f", &activation);
  bool is_same = is_upvalue(L, index);
  lua_pop(L, 1);
  return is_same;
}

void waxwing_write_back(lua_State *L, int index) {
  waxwing_proxy *proxy = waxwing_to_proxy(L, index);
  index = lua_absindex(L, index);
  luaL_checkstack(L, 8, "a path is too deep");
  if (!proxy || !proxy->origin_frame || is_kept(L, index, proxy)) return;
  lua_getiuservalue(L, index, OWNER);
  lua_getiuservalue(L, index, KEY);
  lua_pushvalue(L, index);
  lua_settable(L, -3);
  lua_pop(L, 1);
}
