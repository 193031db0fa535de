/* SPDX-License-Identifier: MIT
 *
 * What a Lua function keeps of what it sees.
 */
#ifndef WAX_PROXY_KEEPING_H
#define WAX_PROXY_KEEPING_H

#include <stdbool.h>

#include "wax_lua_state.h"

/* The things that a function can do with a value, told by its code. */
typedef enum wax_proxy_keeping {
  WAX_PROXY_KEEPING_ANYTHING,           /* it may keep it */
  WAX_PROXY_KEEPING_NOTHING_OF_SCALARS, /* as the next one, and changes variables around it, as long
                              as these have numbers or the like */
  WAX_PROXY_KEEPING_NOTHING, /* it stores nothing and calls originals alone, but may read properties
                              */
  WAX_PROXY_KEEPING_NOTHING_CALLS_ORIGINALS /* it does nothing but to calculate, and to call
                             originals of its first argument: no Lua code but its own can see what
                             it sees */
} wax_proxy_keeping;

/* [state entered; -0, +0, -]  Whether a call of the function that begins now keeps nothing. There
   is room for two values. */
bool wax_proxy_keeps_nothing(lua_State *L, int reference, wax_proxy_keeping keeping);

/* [state entered]  Of a registry reference. */
wax_proxy_keeping wax_proxy_find_keeping(wax_lua_state *state, int reference);

#endif
