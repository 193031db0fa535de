/* SPDX-License-Identifier: MIT
 *
 * The functions of `utf8`, each of which reads its string byte by byte: Lua's own do the work, once
 * it has been charged.
 */
#include "waxwing_library.h"

/* Bytes that are decoded in the time of one instruction. */
#define BYTES_PER_INSTRUCTION 2

/* len, offset, codes: the string is the first argument. */
static int over_string(lua_State *L) {
  if (lua_type(L, 1) == LUA_TSTRING)
    waxwing_charge(L, (size_t)lua_rawlen(L, 1) / BYTES_PER_INSTRUCTION);
  return waxwing_own(L);
}

/* codepoint, char: a value for each character. */
static int over_values(lua_State *L) {
  int arguments = lua_gettop(L);
  int results = waxwing_own(L);
  waxwing_charge(L, (size_t)(arguments > results ? arguments : results));
  return results;
}

void waxwing_open_utf8(lua_State *L) {
  static const waxwing_replacement functions[] = {{"len", over_string},
                                                  {"offset", over_string},
                                                  {"codepoint", over_values},
                                                  {"char", over_values},
                                                  {NULL, NULL}};
  waxwing_replace(L, functions);
}
