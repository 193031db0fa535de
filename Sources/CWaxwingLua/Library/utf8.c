/* SPDX-License-Identifier: MIT
 *
 * The functions of `utf8`, each of which reads its string byte by byte: Lua's own do the work, once
 * it has been charged.
 */
#include "wax_library_private.h"

/* Bytes that are decoded in the time of one instruction. */
#define BYTES_PER_INSTRUCTION 2

/* len, offset, codes: the string is the first argument. */
static int over_string(lua_State *L) {
  if (lua_type(L, 1) == LUA_TSTRING)
    wax_lua_budget_consume(L, (size_t)lua_rawlen(L, 1) / BYTES_PER_INSTRUCTION);
  return wax_library_call_builtin(L);
}

/* codepoint, char: a value for each character. */
static int over_values(lua_State *L) {
  int arguments = lua_gettop(L);
  int results = wax_library_call_builtin(L);
  wax_lua_budget_consume(L, (size_t)(arguments > results ? arguments : results));
  return results;
}

void wax_library_open_utf8(lua_State *L) {
  static const wax_library_replacement functions[] = {{"len", over_string},
                                                      {"offset", over_string},
                                                      {"codepoint", over_values},
                                                      {"char", over_values},
                                                      {NULL, NULL}};
  wax_library_replace(L, functions);
}
