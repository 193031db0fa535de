/* SPDX-License-Identifier: MIT
 *
 * One call of an async Swift function by Lua code, without Swift.
 *
 * It begins as waxwing_direct.h's do, in a function that Lua calls, which then yields. Whoever runs
 * the coroutine gets the call, and drives it to its end; then Lua goes on with what came of it:
 *
 *   Lua:     waxwing_begin_async --yield--+           +--> its result, or an error
 *   driver:                    waxwing_async_call_adopt |
 *                              waxwing_async_call_next -+
 *
 * A call that nobody has adopted belongs to the Lua state, and one that has been adopted to who
 * did.
 */
#ifndef WAXWING_ASYNC_CALL_H
#define WAXWING_ASYNC_CALL_H

#include "waxwing_async.h"
#include "waxwing_direct.h"

typedef struct waxwing_async_call waxwing_async_call;

/* For waxwing_callback.direct, with a waxwing_direct as its plan. */
int waxwing_begin_async(lua_State *L, void *plan, int argument_count);

/* The call that what a coroutine waits for is; NULL: it is something of Swift's. */
waxwing_async_call *waxwing_async_call_of(waxwing_callback *waits);

/* [state entered]  Its coroutine has yielded: whoever calls this goes on with it. */
void waxwing_async_call_adopt(waxwing_async_call *call);

/* [state entered]  Lua goes on: the call is the state's again. */
void waxwing_async_call_hand_over(waxwing_async_call *call);

/* [state left]  What its driver is to wait for next; NULL: the call is over. */
const waxwing_wait *waxwing_async_call_next(waxwing_async_call *call);

/* [state left, perhaps closed]  The frame of an original's call that is over, if what came of it is
   that of the override's call; that is the caller's from here on. NULL: it is not. */
waxwing_frame *waxwing_async_call_take_outcome(waxwing_async_call *call);

/* [state left, perhaps closed]  Ends a call that Lua does not go on with. Not while its function
 * runs.
 */
void waxwing_async_call_drop(waxwing_async_call *call);

/* Drops what belongs to a state that is going to be closed. */
void waxwing_async_calls_close(waxwing_state *state);

#endif
