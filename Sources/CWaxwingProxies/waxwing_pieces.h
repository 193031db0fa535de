/* SPDX-License-Identifier: MIT
 *
 * The function that runs the pieces of advice `before` and `after` at a point.
 */
#ifndef WAXWING_PIECES_H
#define WAXWING_PIECES_H

#include <lua.h>

#include "waxwing_advice.h"

/* (arguments …) -> results: the function itself. */
int waxwing_run_pieces(lua_State *L);

/* For lua/waxwing/advice.lua. */
int waxwing_make_runner(lua_State *L);
int waxwing_arrange_pieces(lua_State *L);

/* [-1, +1, -]  A message handler that keeps the traceback in the state, until the error is read. */
int waxwing_record_advice_error(lua_State *L);

/* The piece of advice at `index`, as Lua code has it; NULL: there is none. */
waxwing_advice *waxwing_to_advice(lua_State *L, int index);

/* The object that a call is on whose receiver is at `index`; NULL: it is on none. */
const void *waxwing_advised_object(lua_State *L, int index);

#endif
