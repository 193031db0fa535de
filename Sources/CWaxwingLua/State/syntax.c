/* SPDX-License-Identifier: MIT */
#include <lauxlib.h>
#include <lua.h>
#include <stdio.h>

#include "wax_lua_syntax.h"

bool wax_lua_is_chunk(const char *source, size_t count, char *message, size_t size) {
  if (size > 0) message[0] = 0;
  lua_State *L = luaL_newstate();
  if (!L) return false;
  /* Compiling is protected by Lua itself; its message is a string already. */
  bool is_chunk = luaL_loadbufferx(L, source, count, "@patch", "t") == LUA_OK;
  if (!is_chunk && lua_type(L, -1) == LUA_TSTRING)
    (void)snprintf(message, size, "%s", lua_tostring(L, -1));
  lua_close(L);
  return is_chunk;
}
