/* SPDX-License-Identifier: MIT
 *
 * How Lua 5.4 keeps values, and tables that are sequences, read at once.
 */
#ifndef WAX_LUA_SEQUENCE_H
#define WAX_LUA_SEQUENCE_H

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A value as Lua 5.4 keeps it: TValue in lobject.h. */
typedef struct wax_lua_raw_value {
  union {
    int64_t integer;
    double number;
  };
  uint8_t tag;
} wax_lua_raw_value;

/* The tags of numbers and booleans: the constants LUA_V… in lobject.h. */
enum {
  WAX_LUA_RAW_FALSE = 0x01,
  WAX_LUA_RAW_TRUE = 0x11,
  WAX_LUA_RAW_INTEGER = 0x03,
  WAX_LUA_RAW_FLOAT = 0x13
};

/* Runs `compare` in a state of its own. It returns whether what is assumed of Lua's layout holds
   there. False if it raises, or there is no memory. */
bool wax_lua_layout_holds(lua_CFunction compare);

/* [-0, +0, -]  Where Lua keeps the values of the table at `index`, and how many there are, if its
   keys are 1 to `count` and no others, and all of them are in the part of it that is an array.
   NULL: they are not, or nobody can tell. Valid until the table is changed. */
const wax_lua_raw_value *wax_lua_find_sequence(lua_State *L, int index, size_t *count);

#endif
