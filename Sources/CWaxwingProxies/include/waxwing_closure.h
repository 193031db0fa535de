/* SPDX-License-Identifier: MIT
 *
 * Functions that cross: Swift closures as Lua functions, and Lua functions that Swift keeps.
 */
#ifndef WAXWING_CLOSURE_H
#define WAXWING_CLOSURE_H

#include "waxwing_call.h"
#include "waxwing_proxy.h"

/* A Swift closure goes to Lua as a WAXWING_NEW_PROXY entry of kind WAXWING_PROXY_CLOSURE or
   WAXWING_PROXY_LENT_CLOSURE, `pointer` being what the release hook gives up, the next entry's a
   waxwing_callback. Lua sees a function; calling it runs the callback with the proxy before the
   arguments. A lent closure is cut off (its kind becomes 0) when the lane that pushed it, or that
   runs the call which did, is released. */

/* [state entered]  The proxy behind a function that a buffer was read from, if it is a Swift
   closure; NULL otherwise. */
waxwing_proxy *waxwing_function_closure(const waxwing_buffer *buffer, const waxwing_value *value);

/* [state entered]  Puts the function by which scripts give fallbacks, (function, value) ->
   function, into a global variable. False: no memory. */
bool waxwing_define_fallback(waxwing_state *state, const char *name);

/* [state entered]  Whether the script gave any. */
bool waxwing_has_fallbacks(const waxwing_state *state);

/* [state entered]  Reads what the script gave as the fallback of the function behind `reference`
   into `buffer`, which is the caller's to clear; false if it gave none. What the buffer refers to
   is there until waxwing_end_fallback. */
bool waxwing_read_fallback(waxwing_state *state, int reference, waxwing_buffer *buffer);

/* [state entered]  After waxwing_read_fallback found something, the Lua stack as it was then. */
void waxwing_end_fallback(waxwing_state *state);

#endif
