/* SPDX-License-Identifier: MIT
 *
 * Which of Lua's libraries a script sees.
 */
#include "wax_library_libraries.h"

#include <lauxlib.h>
#include <lualib.h>

#include "wax_lua_operand.h"
#include "wax_lua_call_private.h"
#include "wax_library_private.h"

/* Lua's own, and what we make of it. */
typedef struct library {
  const char *name;
  lua_CFunction open;
  void (*replace)(lua_State *L); /* NULL: it stays as it is */
} library;

/* One state is one patch's: its random numbers are nobody else's affair, but a script that seeds
   them can make them tell what it is given next. */
static void open_math(lua_State *L) {
  static const char *const unsafe[] = {"randomseed", NULL};
  wax_library_remove_functions(L, unsafe);
}

static void open_string(lua_State *L) {
  wax_library_open_strings(L);
  wax_library_open_matching(L);
}

static const library safe_libraries[] = {
    {LUA_GNAME, luaopen_base, wax_library_open_base},
    {LUA_COLIBNAME, luaopen_coroutine, wax_library_open_coroutines},
    {LUA_TABLIBNAME, luaopen_table, wax_library_open_tables},
    {LUA_STRLIBNAME, luaopen_string, open_string},
    {LUA_MATHLIBNAME, luaopen_math, open_math},
    {LUA_UTF8LIBNAME, luaopen_utf8, wax_library_open_utf8}};

static void open_safe(lua_State *L) {
  for (size_t i = 0; i < sizeof safe_libraries / sizeof *safe_libraries; i++) {
    luaL_requiref(L, safe_libraries[i].name, safe_libraries[i].open, 1);
    if (safe_libraries[i].replace) safe_libraries[i].replace(L);
    lua_pop(L, 1);
  }
}

void wax_library_replace(lua_State *L, const wax_library_replacement *replacements) {
  for (; replacements->name; replacements++) {
    lua_getfield(L, -1, replacements->name);
    lua_pushcclosure(L, replacements->function, 1);
    lua_setfield(L, -2, replacements->name);
  }
}

void wax_library_remove_functions(lua_State *L, const char *const *names) {
  for (; *names; names++) {
    lua_pushnil(L);
    lua_setfield(L, -2, *names);
  }
}

int wax_library_raise_too_large(lua_State *L, const char *function) {
  return luaL_error(L, "resulting string too large: %s makes at most %d bytes", function,
                    (int)WAX_LIBRARY_MAX_BYTES);
}

/* (nil, key): of a call's result, `account:parent():audit()`, Lua's own message would name nothing.
 */
static int index_nil(lua_State *L) {
  wax_lua_operand_name name;
  bool is_named = wax_lua_find_operand_name(L, WAX_LUA_OPERAND_INDEXED, &name);
  return luaL_error(L, "attempt to index a nil value%s%s%s with '%s'", is_named ? " (" : "",
                    is_named ? name.text : "", is_named ? ")" : "", luaL_tolstring(L, 2, NULL));
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

static void open_common(lua_State *L) {
  open_nil(L);
  lua_pushcfunction(L, wax_lua_error_function);
  lua_setglobal(L, "error");
  lua_pushcfunction(L, wax_lua_throw_function);
  lua_setglobal(L, "waxwing.throw");
}

static void open_safe_libraries(lua_State *L) {
  open_safe(L);
  open_common(L);
}

static void open_full_libraries(lua_State *L) {
  luaL_openlibs(L);
  open_common(L);
}

wax_library_opener wax_library_opener_of(wax_library_libraries libraries) {
  return libraries == WAX_LIBRARY_LIBRARIES_FULL ? open_full_libraries : open_safe_libraries;
}
