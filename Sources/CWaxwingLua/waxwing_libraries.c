/* SPDX-License-Identifier: MIT
 *
 * Which of Lua's libraries a script sees.
 */
#include <lauxlib.h>
#include <lualib.h>

#include "waxwing_state_private.h"

static const luaL_Reg safe_libraries[] = {{LUA_GNAME, luaopen_base},
                                          {LUA_COLIBNAME, luaopen_coroutine},
                                          {LUA_TABLIBNAME, luaopen_table},
                                          {LUA_STRLIBNAME, luaopen_string},
                                          {LUA_MATHLIBNAME, luaopen_math},
                                          {LUA_UTF8LIBNAME, luaopen_utf8},
                                          {NULL, NULL}};

static const char *const unsafe_base[] = {"dofile",  "loadfile", "load", "loadstring",
                                          "require", "module",   "warn", NULL};

static void remove_field(lua_State *L, const char *table, const char *name) {
  lua_getglobal(L, table);
  lua_pushnil(L);
  lua_setfield(L, -2, name);
  lua_pop(L, 1);
}

static void open_safe(lua_State *L) {
  for (const luaL_Reg *library = safe_libraries; library->func; library++) {
    luaL_requiref(L, library->name, library->func, 1);
    lua_pop(L, 1);
  }
  for (const char *const *name = unsafe_base; *name; name++) {
    lua_pushnil(L);
    lua_setglobal(L, *name);
  }
  remove_field(L, LUA_STRLIBNAME, "dump");
}

/* (nil, key): of a call's result, `account:parent():audit()`, Lua's own message would name nothing.
 */
static int index_nil(lua_State *L) {
  return luaL_error(L, "attempt to index a nil value with '%s'", luaL_tolstring(L, 2, NULL));
}

static void open_nil(lua_State *L) {
  lua_pushnil(L);
  lua_createtable(L, 0, 3);
  lua_pushcfunction(L, index_nil);
  lua_setfield(L, -2, "__index");
  lua_pushcfunction(L, index_nil);
  lua_setfield(L, -2, "__newindex");
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_setmetatable(L, -2);
  lua_pop(L, 1);
}

void waxwing_open_libraries(lua_State *L, waxwing_libraries libraries) {
  if (libraries == WAXWING_LIBRARIES_FULL)
    luaL_openlibs(L);
  else
    open_safe(L);
  open_nil(L);
  lua_pushcfunction(L, waxwing_error_function);
  lua_setglobal(L, "error");
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
