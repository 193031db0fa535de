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

void waxwing_open_libraries(lua_State *L, waxwing_libraries libraries) {
  if (libraries == WAXWING_LIBRARIES_FULL)
    luaL_openlibs(L);
  else
    open_safe(L);
  lua_pushcfunction(L, waxwing_error_function);
  lua_setglobal(L, "error");
}
