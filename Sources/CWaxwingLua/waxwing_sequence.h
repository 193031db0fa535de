/* SPDX-License-Identifier: MIT
 *
 * Tables that are sequences, read at once.
 */
#ifndef WAXWING_SEQUENCE_H
#define WAXWING_SEQUENCE_H

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A value as Lua 5.4 keeps it: TValue in lobject.h. */
typedef struct waxwing_lua_value {
  union {
    int64_t integer;
    double number;
  };
  uint8_t tag;
} waxwing_lua_value;

/* Of numbers and booleans: the constants LUA_V… in lobject.h. */
enum {
  WAXWING_LUA_FALSE = 0x01,
  WAXWING_LUA_TRUE = 0x11,
  WAXWING_LUA_INTEGER = 0x03,
  WAXWING_LUA_FLOAT = 0x13
};

/* [-0, +0, -]  Where Lua keeps the values of the table at `index`, and how many there are, if its
   keys are 1 to `count` and no others, and all of them are in the part of it that is an array.
   NULL: they are not, or nobody can tell. Valid until the table is changed. */
const waxwing_lua_value *waxwing_find_sequence(lua_State *L, int index, size_t *count);

#endif
