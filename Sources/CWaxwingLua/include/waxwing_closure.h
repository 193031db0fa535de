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

/* [state entered]  A registry reference to a function that a buffer was read from; 0: no memory, or
   the table it was in does not hold it any more. Valid as long as the buffer's strings are. */
int waxwing_reference_function(const waxwing_buffer *buffer, const waxwing_value *value);

/* [state entered]  Where the function behind `reference` is written. */
void waxwing_function_origin(waxwing_state *state, int reference, waxwing_traceback_frame *frame);

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

/* Gives a registry reference back. On any thread, entered or not, as long as the state is not
   closed: it is dropped when the state is entered next. */
void waxwing_return_reference(waxwing_state *state, int reference);

/* [state entered]  The value at `index` of the stack in a slot of the registry that is there:
   nothing is raised. 0: none is. */
int waxwing_reference_at_once(lua_State *L, int index);

/* For the files of this target. */
void waxwing_open_closures(lua_State *L);
int waxwing_push_closure(lua_State *L, uint32_t kind, void *pointer, waxwing_callback *callback);
void waxwing_end_lent_closure(waxwing_state *state, waxwing_proxy *proxy);
void waxwing_drop_returned(waxwing_state *state);

#endif
