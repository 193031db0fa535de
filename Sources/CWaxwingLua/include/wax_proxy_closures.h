/* SPDX-License-Identifier: MIT
 *
 * Functions that cross: Swift closures as Lua functions, and Lua functions that Swift keeps.
 */
#ifndef WAX_PROXY_CLOSURES_H
#define WAX_PROXY_CLOSURES_H

#include "wax_lua_call.h"
#include "wax_proxy.h"

/* A Swift closure goes to Lua as a WAX_LUA_VALUE_NEW_PROXY entry of kind WAX_PROXY_KIND_CLOSURE or
   WAX_PROXY_KIND_LENT_CLOSURE, `pointer` being what the release hook gives up, the next entry's a
   wax_lua_callback. Lua sees a function; calling it runs the callback with the proxy before the
   arguments. A lent closure is cut off (its kind becomes 0) when the coroutine that pushed it, or
   that runs the call which did, is released. */

/* [state entered]  The proxy behind a function that a buffer was read from, if it is a Swift
   closure; NULL otherwise. */
wax_proxy *wax_proxy_function_closure(const wax_lua_buffer *buffer, const wax_lua_value *value);

/* [state entered]  Puts the function by which scripts give fallbacks, (function, value) ->
   function, into a global variable. False: no memory. */
bool wax_proxy_define_fallback(wax_lua_state *state, const char *name);

/* [state entered]  Whether the script gave any. */
bool wax_proxy_has_fallbacks(const wax_lua_state *state);

/* [state entered]  Reads what the script gave as the fallback of the function behind `reference`
   into `buffer`, which is the caller's to clear; false if it gave none. What the buffer refers to
   is there until wax_proxy_end_fallback. */
bool wax_proxy_read_fallback(wax_lua_state *state, int reference, wax_lua_buffer *buffer);

/* [state entered]  After wax_proxy_read_fallback found something, the Lua stack as it was then. */
void wax_proxy_end_fallback(wax_lua_state *state);

#endif
