/* SPDX-License-Identifier: MIT
 *
 * The variables of calls that have stopped. Each function looks the stop up again: while Lua code
 * of the debugger called the program, the call may have gone on.
 */
#include "wax_proxy_debug.h"

#include <lauxlib.h>
#include <limits.h>
#include <string.h>

#include "wax_lua_call_private.h"
#include "wax_lua_debug.h"
#include "wax_lua_lent.h"
#include "wax_proxy_closures.h"
#include "wax_proxy_coroutine_end.h"
#include "wax_proxy_private.h"

/* [-0, +0, -]  The stop whose number is the first argument; NULL: the call has gone on. */
static wax_lua_stop *stop_argument(lua_State *L) {
  return wax_lua_debug_stop(wax_lua_state_of(L), (uint64_t)lua_tointeger(L, 1));
}

/* Where a stopped coroutine's stack has room: a hook and a message handler have so much. */
#define ROOM 4

/* {==================================================================
** Values
** =================================================================== */

static bool is_lent(const wax_lua_stop *stop, const wax_proxy *proxy) {
  const wax_lua_coroutine *coroutine = stop->coroutine;
  for (int i = 0; i < coroutine->lent_count; i++)
    if (coroutine->lent[i] == proxy) return true;
  return false;
}

static void replace(lua_State *L, const char *text) {
  lua_pop(L, 1);
  lua_pushstring(L, text);
}

static void own_proxy(lua_State *L, const wax_lua_stop *stop, wax_proxy *proxy) {
  void *object = proxy->pointer;
  if (wax_proxy_is_object(proxy->kind) && swift_isDeallocating(object)) {
    replace(L, "(an object that is being deinitialized)");
  } else if (is_lent(stop, proxy)) {
    lua_pop(L, 1);
    if (!wax_proxy_push_known_object(L, object))
      wax_proxy_push(L, WAX_PROXY_KIND_OBJECT, object, *(void **)object);
  } else {
    wax_proxy_seen_again(L);
  }
}

/* [-1, +1, me]  The value on top, for who keeps it longer than the call has it. */
static void own(lua_State *L, const wax_lua_stop *stop) {
  wax_proxy *proxy = wax_proxy_to_proxy(L, -1);
  if (proxy) {
    own_proxy(L, stop, proxy);
  } else if (wax_proxy_is_lent_closure(L, -1)) {
    replace(L, "(a function that the call alone may use)");
  }
}

/* [-0, +1, -] or [-0, +0, -] and NULL. The variable's name. */
static const char *push_upvalue(lua_State *from, const lua_Debug *ar, int index, lua_State *to) {
  lua_Debug function = *ar;
  lua_getinfo(from, "f", &function);
  const char *name = lua_getupvalue(from, -1, index);
  if (name) lua_xmove(from, to, 1);
  lua_pop(from, 1);
  return name;
}

static const char *push_variable(const wax_lua_stop *stop, const lua_Debug *ar, const char *kind,
                                 int index, lua_State *to) {
  if (!strcmp(kind, "upvalue")) return push_upvalue(stop->L, ar, index, to);
  int number = !strcmp(kind, "vararg") ? -index : index;
  const char *name = lua_getlocal(stop->L, ar, number);
  if (!name) return NULL;
  bool is_lent = wax_lua_lent_at(stop->L, -1) != NULL;
  lua_xmove(stop->L, to, 1);
  if (!is_lent) return name;
  /* The function has it from now on as everybody sees it. */
  if (wax_lua_show_lent(to, lua_gettop(to)) != LUA_OK) lua_error(to);
  lua_pushvalue(to, -1);
  lua_xmove(to, stop->L, 1);
  return lua_setlocal(stop->L, ar, number);
}

static bool find_level(lua_State *L, const wax_lua_stop *stop, lua_Debug *ar) {
  lua_Integer level = luaL_checkinteger(L, 2);
  return stop && level >= 0 && level < INT_MAX && lua_checkstack(stop->L, ROOM) &&
         lua_getstack(stop->L, (int)level, ar);
}

/* The fourth argument. */
static int index_argument(lua_State *L) {
  lua_Integer index = luaL_checkinteger(L, 4);
  return index > 0 && index <= UINT16_MAX ? (int)index : UINT16_MAX;
}

static int get(lua_State *L) {
  wax_lua_stop *stop = stop_argument(L);
  lua_Debug ar;
  if (!find_level(L, stop, &ar)) return 0;
  const char *kind = luaL_checkstring(L, 3);
  const char *name = push_variable(stop, &ar, kind, index_argument(L), L);
  if (!name) return 0;
  own(L, stop);
  lua_pushstring(L, name);
  lua_insert(L, -2);
  return 2;
}

static const char *set_upvalue(lua_State *of, const lua_Debug *ar, int index, lua_State *from) {
  lua_Debug function = *ar;
  lua_getinfo(of, "f", &function);
  lua_xmove(from, of, 1);
  const char *name = lua_setupvalue(of, -2, index);
  lua_pop(of, name ? 1 : 2);
  return name;
}

static int set(lua_State *L) {
  const wax_lua_stop *stop = stop_argument(L);
  lua_Debug ar;
  bool is_found = find_level(L, stop, &ar);
  const char *kind = luaL_checkstring(L, 3);
  int index = index_argument(L);
  lua_settop(L, 5);
  const char *name = NULL;
  if (is_found && !strcmp(kind, "upvalue")) {
    name = set_upvalue(stop->L, &ar, index, L);
  } else if (is_found && !strcmp(kind, "local")) {
    lua_xmove(L, stop->L, 1);
    name = lua_setlocal(stop->L, &ar, index); /* pops the value in any case */
  }
  lua_pushboolean(L, name != NULL);
  return 1;
}

static int get_error(lua_State *L) {
  const wax_lua_stop *stop = stop_argument(L);
  if (!stop || stop->reason != WAX_LUA_STOP_FAULT || !lua_checkstack(stop->L, ROOM)) return 0;
  lua_pushvalue(stop->L, 1); /* the message handler's first argument */
  lua_xmove(stop->L, L, 1);
  own(L, stop);
  return 1;
}

/* }================================================================== */

static int is_stopped(lua_State *L) {
  lua_pushboolean(L, stop_argument(L) != NULL);
  return 1;
}

static int frame(lua_State *L) {
  const wax_lua_stop *stop = stop_argument(L);
  lua_Debug ar;
  if (!find_level(L, stop, &ar)) return 0;
  lua_getinfo(stop->L, "nSl", &ar);
  lua_pushstring(L, ar.source);
  lua_pushinteger(L, ar.currentline);
  lua_pushstring(L, ar.name);
  lua_pushstring(L, ar.what);
  return 4;
}

static int compile(lua_State *L) {
  size_t length;
  const char *text = luaL_checklstring(L, 1, &length), *name = luaL_checkstring(L, 2);
  wax_lua_budget_consume(L, length / 16 + 1);
  if (luaL_loadbufferx(L, text, length, name, "t") != LUA_OK) {
    lua_pushnil(L);
    lua_insert(L, -2);
    return 2;
  }
  lua_pushvalue(L, 3);
  lua_setupvalue(L, -2, 1); /* the only upvalue of a main chunk is _ENV */
  return 1;
}

/* Looks at the metatable itself: `getmetatable` says what `__metatable` says. */
static int makes_text(lua_State *L) {
  luaL_checkany(L, 1);
  lua_pushboolean(L, luaL_getmetafield(L, 1, "__tostring") != LUA_TNIL);
  return 1;
}

static int make_functions(lua_State *L) {
  static const luaL_Reg functions[] = {{"is_stopped", is_stopped},
                                       {"frame", frame},
                                       {"get", get},
                                       {"set", set},
                                       {"error", get_error},
                                       {"compile", compile},
                                       {"makes_text", makes_text},
                                       {NULL, NULL}};
  luaL_newlib(L, functions);
  return 1;
}

bool wax_proxy_define_debug(wax_lua_state *state, const char *name) {
  return wax_lua_define_global(state, name, make_functions);
}
