/* SPDX-License-Identifier: MIT
 *
 * The function that runs the pieces of advice `before` and `after` at a point.
 */
#ifndef WAX_PROXY_PIECES_H
#define WAX_PROXY_PIECES_H

#include <lua.h>

#include "wax_proxy_advice.h"

/* (arguments …) -> results: the function itself. */
int wax_proxy_run_pieces(lua_State *L);

/* Functions for lua/waxwing/advice.lua. */
int wax_proxy_make_runner(lua_State *L);
int wax_proxy_arrange_pieces(lua_State *L);

/* [-1, +1, -]  A message handler that keeps the traceback in the state, until the error is read. */
int wax_proxy_record_advice_error(lua_State *L);

/* The piece of advice at `index`, as Lua code has it; NULL: there is none. */
wax_proxy_advice *wax_proxy_to_advice(lua_State *L, int index);

/* The object that a call is on whose receiver is at `index`; NULL: it is on none. */
const void *wax_proxy_advised_object(lua_State *L, int index);

#endif
