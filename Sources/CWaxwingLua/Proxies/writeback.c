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
 *
 * A property that is a collection is a table to Lua. Its elements remember the table, and the table
 * its owner: `object.items[2].price = 5` sets the property to the table.
 *
 * An owner may be a table, too, that stands for something of Swift's: a class whose static property
 * it is. Then the prelude says where the copy came from.
 */
#include <lauxlib.h>
#include <string.h>

#include "wax_lua_call_private.h"
#include "wax_proxy_private.h"

/* User values of a value's proxy: what was indexed, and with what, which is never nil. Of an
   element: its table, nil. */
#define OWNER 1
#define KEY 2

static const char tables_key = 0; /* table -> { owner, key }, weak keys */

void wax_proxy_open_writeback(lua_State *L) {
  wax_proxy_push_weak_table(L, "k");
  lua_rawsetp(L, LUA_REGISTRYINDEX, &tables_key);
}

/* {==================================================================
** Remembering
** =================================================================== */

static wax_proxy_full *full_proxy(lua_State *L, int index) {
  wax_proxy *proxy = wax_proxy_to_proxy(L, index);
  return proxy ? wax_proxy_to_full(proxy) : NULL;
}

static wax_proxy_full *new_value(lua_State *L, int index) {
  wax_proxy_full *proxy = full_proxy(L, index);
  return proxy && proxy->base.kind == WAX_PROXY_KIND_VALUE && !proxy->source_frame ? proxy : NULL;
}

/* [-0, +0, me] */
static void set_source_of_table(lua_State *L, int owner, int key, int table) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &tables_key);
  lua_pushvalue(L, table);
  lua_createtable(L, 2, 0);
  lua_pushvalue(L, owner);
  lua_rawseti(L, -2, OWNER);
  lua_pushvalue(L, key);
  lua_rawseti(L, -2, KEY);
  lua_rawset(L, -3);
  lua_pop(L, 1);
}

/* The elements are of one type: if the first that is not `null` is no value, none is. */
static void set_source_of_elements(lua_State *L, int owner, int key, int table, const void *frame) {
  bool are_values = false;
  lua_pushnil(L);
  while (lua_next(L, table)) {
    wax_proxy_full *proxy = new_value(L, -1);
    if (!proxy && !lua_islightuserdata(L, -1)) {
      lua_pop(L, 2);
      break;
    }
    if (proxy) {
      lua_pushvalue(L, table);
      lua_setiuservalue(L, -2, OWNER);
      proxy->source_frame = frame;
      are_values = true;
    }
    lua_pop(L, 1);
  }
  if (are_values) set_source_of_table(L, owner, key, table);
}

/* The frame is that of the function whose expression the copy was made in. */
static void set_source(lua_State *L, int owner, int key, int copy, const void *frame) {
  if (lua_istable(L, copy)) {
    set_source_of_elements(L, owner, key, copy, frame);
    return;
  }
  wax_proxy_full *proxy = new_value(L, copy);
  if (!proxy) return;
  lua_pushvalue(L, owner);
  lua_setiuservalue(L, copy, OWNER);
  lua_pushvalue(L, key);
  lua_setiuservalue(L, copy, KEY);
  proxy->source_frame = frame;
}

void wax_proxy_set_writeback_source(lua_State *L, int owner, int key, int copy) {
  lua_Debug ar;
  luaL_checkstack(L, 8, "a path is too deep");
  if (lua_getstack(L, 1, &ar)) set_source(L, owner, key, lua_absindex(L, copy), ar.i_ci);
}

/* (owner, key, copy) -> copy */
static int set_owner(lua_State *L) {
  lua_Debug ar;
  lua_settop(L, 3);
  for (int level = 1; lua_getstack(L, level, &ar); level++) {
    lua_getinfo(L, "S", &ar);
    if (*ar.what == 'C' || !strcmp(ar.short_src, WAX_LUA_PRELUDE)) continue;
    set_source(L, 1, 2, 3, ar.i_ci);
    break;
  }
  return 1;
}

bool wax_proxy_define_writeback(wax_lua_state *state, const char *name) {
  return wax_lua_define_global(state, name, set_owner);
}

bool wax_proxy_has_writeback_source(lua_State *L, int index) {
  wax_proxy_full *proxy = full_proxy(L, index);
  return proxy && proxy->source_frame;
}

/* }================================================================== */

/* {==================================================================
** Whether a variable has the copy
** =================================================================== */

/* The innermost function that is written in Lua. */
static bool calling_function(lua_State *L, lua_Debug *ar) {
  for (int level = 1; lua_getstack(L, level, ar); level++) {
    lua_getinfo(L, "S", ar);
    if (*ar->what != 'C') return true;
  }
  return false;
}

/* [-1, +0, -]  Whether the value on top is the copy at `copy`, or what is in the slot after it. */
static bool is_copy(lua_State *L, int copy) {
  bool is_same = lua_rawequal(L, -1, copy) || lua_rawequal(L, -1, copy + 1);
  lua_pop(L, 1);
  return is_same;
}

/* What has no name is on the way through an expression, but for arguments behind `...`. */
static bool is_local(lua_State *L, lua_Debug *ar, int copy) {
  const char *name;
  for (int n = 1; (name = lua_getlocal(L, ar, n)) != NULL; n++)
    if (is_copy(L, copy) && *name != '(') return true;
  for (int n = -1; lua_getlocal(L, ar, n) != NULL; n--)
    if (is_copy(L, copy)) return true;
  return false;
}

/* The table of globals is on top. */
static bool is_global(lua_State *L, int copy) {
  lua_pushnil(L);
  while (lua_next(L, -2)) {
    if (!is_copy(L, copy)) continue;
    lua_pop(L, 1);
    return true;
  }
  return false;
}

/* The function is on top. */
static bool is_upvalue(lua_State *L, int copy) {
  const char *name;
  for (int n = 1; (name = lua_getupvalue(L, -1, n)) != NULL; n++) {
    bool is_held = !strcmp(name, "_ENV") && lua_istable(L, -1) && is_global(L, copy);
    if (is_copy(L, copy) || is_held) return true;
  }
  return false;
}

/* Whether a variable that the calling function sees has the copy at `copy` or what is in the slot
   after it, or whether the copy is another call's. */
static bool is_kept(lua_State *L, int copy, const void *frame) {
  lua_Debug ar;
  if (!calling_function(L, &ar) || ar.i_ci != frame) return true;
  if (is_local(L, &ar, copy)) return true;
  lua_getinfo(L, "f", &ar);
  bool is_held = is_upvalue(L, copy);
  lua_pop(L, 1);
  return is_held;
}

/* }================================================================== */

/* {==================================================================
** Writing back
** =================================================================== */

/* [-0, +2, -] or [-0, +0, -] and false: the owner and key of the table at `table`. */
static bool push_source(lua_State *L, int table) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &tables_key);
  lua_pushvalue(L, table);
  if (lua_rawget(L, -2) != LUA_TTABLE) {
    lua_pop(L, 2);
    return false;
  }
  lua_rawgeti(L, -1, OWNER);
  lua_rawgeti(L, -2, KEY);
  lua_rotate(L, -4, 2);
  lua_pop(L, 2);
  return true;
}

void wax_proxy_write_back(lua_State *L, int index) {
  wax_proxy_full *proxy = full_proxy(L, index);
  if (!proxy || !proxy->source_frame) return;
  int top = lua_gettop(L);
  luaL_checkstack(L, 16, "a path is too deep");
  index = lua_absindex(L, index);
  lua_pushvalue(L, index);
  bool is_element = lua_getiuservalue(L, index, KEY) == LUA_TNIL;
  lua_pop(L, 1);
  lua_getiuservalue(L, index, OWNER);
  if (!is_element) lua_copy(L, index, -1); /* there is no table to look for */
  if (!is_kept(L, top + 1, proxy->source_frame)) {
    bool has_owner = true;
    if (is_element) {
      has_owner = push_source(L, top + 2);
    } else {
      lua_getiuservalue(L, index, OWNER);
      lua_getiuservalue(L, index, KEY);
    }
    lua_pushvalue(L, top + 2);
    if (has_owner) lua_settable(L, -3);
  }
  lua_settop(L, top);
}

/* }================================================================== */
