/* SPDX-License-Identifier: MIT
 *
 * What lua/tools/debug.lua sees of calls that have stopped: see wax_lua_debug.h.
 */
#ifndef WAX_PROXY_DEBUG_H
#define WAX_PROXY_DEBUG_H

#include "wax_lua_state.h"

/* [state entered]  Puts a function into a global variable that returns a table of functions:
 *
 *   is_stopped(stop)                            whether the call has not gone on
 *   frame(stop, level)                          source, line, name, kind; nothing: there is none
 *   get(stop, level, kind, index)               name, value; nothing: there is none
 *   set(stop, level, kind, index, value)        whether there is such a variable
 *   error(stop)                                 what was raised, of a call that stopped at a fault
 *   compile(text, name, environment)            a function, or nil and a message
 *   makes_text(value)                           whether its metatable says how its text is made
 *
 * Levels begin with 0, indices with 1; the kinds are "local" and "upvalue", and "vararg" for `get`.
 * Values can be kept for as long as anybody likes: what was lent to the call alone is replaced.
 * False: no memory. */
bool wax_proxy_define_debug(wax_lua_state *state, const char *name);

#endif
