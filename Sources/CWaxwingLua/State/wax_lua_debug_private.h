/* SPDX-License-Identifier: MIT
 *
 * What the hook and the message handlers ask of debug.c.
 */
#ifndef WAX_LUA_DEBUG_PRIVATE_H
#define WAX_LUA_DEBUG_PRIVATE_H

#include "wax_lua_debug.h"

/* [state entered]  Whether a hook is to look at lines. */
bool wax_lua_debug_wants_lines(const wax_lua_state *state);

/* [-0, +0, -]  In the hook, at a new line. */
void wax_lua_debug_line(lua_State *L, lua_Debug *ar);

/* [-0, +0, -]  In a message handler, whose first argument is the error. */
void wax_lua_debug_fault(lua_State *L);

/* [state entered]  When the state is closed. */
void wax_lua_debug_close(wax_lua_state *state);

#endif
