/* SPDX-License-Identifier: MIT
 *
 * References to Lua values that Swift keeps: slots of the registry.
 */
#ifndef WAXWING_REFERENCES_H
#define WAXWING_REFERENCES_H

#include "waxwing_call.h"

/* [state entered]  A registry reference to argument `index` (from 1) of a call; 0: no memory. */
int waxwing_reference_argument(waxwing_lua_call *call, int index);

/* [-0, +0, -]  How many parameters the Lua function at `index` has; -1: it takes any number, or is
   no function of Lua's. */
int waxwing_parameter_count(lua_State *L, int index);
/* [state entered]  Gives a registry reference back. */
void waxwing_unreference(waxwing_state *state, int reference);

/* [state entered]  A registry reference to a function that a buffer was read from; 0: no memory, or
   the table it was in does not hold it any more. Valid as long as the buffer's strings are. */
int waxwing_reference_function(const waxwing_buffer *buffer, const waxwing_value *value);

/* [state entered]  Where the function behind `reference` is written. */
void waxwing_function_origin(waxwing_state *state, int reference, waxwing_traceback_frame *frame);

/* Gives a registry reference back. On any thread, entered or not, as long as the state is not
   closed: it is dropped when the state is entered next. */
void waxwing_return_reference(waxwing_state *state, int reference);

#endif
