/* SPDX-License-Identifier: MIT
 *
 * References to Lua values that Swift keeps: slots of the registry.
 */
#ifndef WAX_LUA_REFERENCES_H
#define WAX_LUA_REFERENCES_H

#include "wax_lua_call.h"

/* [state entered]  A registry reference to argument `index` (from 1) of a call; 0: no memory. */
int wax_lua_reference_argument(wax_lua_host_call *call, int index);

/* [-0, +0, -]  How many parameters the Lua function at `index` has; -1: it takes any number, or is
   no function of Lua's. */
int wax_lua_parameter_count(lua_State *L, int index);
/* [state entered]  Gives a registry reference back. */
void wax_lua_unreference(wax_lua_state *state, int reference);

/* [state entered]  A registry reference to a function that a buffer was read from; 0: no memory, or
   the table it was in does not hold it any more. Valid as long as the buffer's strings are. */
int wax_lua_reference_function(const wax_lua_buffer *buffer, const wax_lua_value *value);

/* [state entered]  Where the function behind `reference` is written. */
void wax_lua_function_location(wax_lua_state *state, int reference, wax_lua_traceback_frame *frame);

/* Gives a registry reference back. On any thread, entered or not, as long as the state is not
   closed: it is dropped when the state is entered next. */
void wax_lua_return_reference(wax_lua_state *state, int reference);

#endif
