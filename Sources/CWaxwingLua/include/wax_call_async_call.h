/* SPDX-License-Identifier: MIT
 *
 * One call of an async Swift function by Lua code, without Swift.
 *
 * It begins as wax_call_direct.h's do, in a function that Lua calls, which then yields. Whoever
 * runs the coroutine gets the call, and drives it to its end; then Lua goes on with what came of
 * it:
 *
 *   Lua:     wax_call_begin_async_call --yield--+                +--> its result, or an error
 *   driver:                    wax_call_async_call_adopt         |
 *                              wax_call_async_call_next          |
 *                              wax_call_async_call_hand_over ----+
 *
 * It is not a wax_runtime_async_call: that is a call on its way through the layers of a slot.
 *
 * A call that nobody has adopted belongs to the Lua state, and one that has been adopted to who
 * did.
 */
#ifndef WAX_CALL_ASYNC_CALL_H
#define WAX_CALL_ASYNC_CALL_H

#include "wax_runtime_async.h"
#include "wax_call_direct.h"

typedef struct wax_call_async_call wax_call_async_call;

/* The function for wax_lua_callback.direct, with a wax_call_direct as its plan. */
int wax_call_begin_async_call(lua_State *L, void *plan, int argument_count);

/* The call that what a coroutine waits for is; NULL: it is something of Swift's. */
wax_call_async_call *wax_call_async_call_of(wax_lua_callback *waits);

/* [state entered]  Its coroutine has yielded: whoever calls this goes on with it. */
void wax_call_async_call_adopt(wax_call_async_call *call);

/* [state entered]  Lua goes on: the call is the state's again. */
void wax_call_async_call_hand_over(wax_call_async_call *call);

/* [state left]  What its driver is to wait for next; NULL: the call is over. */
const wax_runtime_suspension *wax_call_async_call_next(wax_call_async_call *call);

/* [state left, perhaps closed]  The frame of an original's call that is over, if what came of it is
   that of the override's call; that is the caller's from here on. NULL: it is not. */
wax_runtime_frame *wax_call_async_call_take_outcome(wax_call_async_call *call);

/* [state left, perhaps closed]  Ends a call that Lua does not go on with. Not while its function
 * runs.
 */
void wax_call_async_call_drop(wax_call_async_call *call);

/* Drops what belongs to a state that is going to be closed. */
void wax_call_async_calls_close(wax_lua_state *state);

#endif
