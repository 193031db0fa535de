/* SPDX-License-Identifier: MIT
 *
 * What the running Lua function calls the values that an instruction works on: the "local 'x'" of
 * Lua's own messages, for values that have metamethods.
 */
#ifndef WAX_LUA_OPERAND_H
#define WAX_LUA_OPERAND_H

#include <stdbool.h>

typedef struct lua_State lua_State;

typedef enum wax_lua_operand {
  WAX_LUA_OPERAND_INDEXED, /* what a key is looked up in, or set */
  WAX_LUA_OPERAND_LEFT,    /* of an operator; the only one of a prefix operator */
  WAX_LUA_OPERAND_RIGHT
} wax_lua_operand;

/* A name with its kind: `local 'x'`, `field 'owner'`. */
typedef struct wax_lua_operand_name {
  char text[96];
} wax_lua_operand_name;

/* [-0, +0, -]  In a C function that a metamethod is: the name of an operand of the instruction that
   called it. False: nothing tells. Needs three slots of the stack. */
bool wax_lua_find_operand_name(lua_State *L, wax_lua_operand operand, wax_lua_operand_name *name);

#endif
