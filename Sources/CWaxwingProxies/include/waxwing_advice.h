/* SPDX-License-Identifier: MIT
 *
 * Pieces of advice: whether one is for a call, told without the state and without Lua.
 */
#ifndef WAXWING_ADVICE_H
#define WAXWING_ADVICE_H

#include "waxwing_call.h"
#include "waxwing_keeping.h"

/* Who may run a piece of advice, and whether it still may be. Held by Lua and by Swift. */
typedef struct waxwing_advice waxwing_advice;

void waxwing_advice_retain(waxwing_advice *advice);
void waxwing_advice_release(waxwing_advice *advice);

/* Whether it is for a call on this object (NULL: on none) by the calling thread. The object must
   stay alive meanwhile. */
bool waxwing_advice_admits(const waxwing_advice *advice, const void *object);

/* The same, and counts the call; what is there for one call is used up by it. */
bool waxwing_advice_claim(waxwing_advice *advice, const void *object);

bool waxwing_advice_is_live(const waxwing_advice *advice);
bool waxwing_advice_is_once(const waxwing_advice *advice);
bool waxwing_advice_has_instance(const waxwing_advice *advice);
/* What its function can do with what it sees. */
waxwing_keeping waxwing_advice_keeping(const waxwing_advice *advice);
/* The kernel's id of the only thread it is for; 0: any. */
uint64_t waxwing_advice_thread(const waxwing_advice *advice);
uint64_t waxwing_advice_calls(const waxwing_advice *advice);

/* [state entered]  The piece of advice that is argument `index` (from 1) of a call, or NULL. */
waxwing_advice *waxwing_advice_argument(const waxwing_lua_call *call, int index);

/* [state entered]  Reads argument `index` (from 1) of a call as the error of a piece of advice that
   `record` was the message handler of, as waxwing_lane_call does. Its traceback goes to `frames`,
   of WAXWING_MAX_FRAMES. */
waxwing_status waxwing_advice_error(waxwing_lua_call *call, int index, waxwing_buffer *buffer,
                                    waxwing_traceback_frame *frames, int *frame_count);

/* [state entered]  Puts the table of functions that lua/waxwing/advice.lua uses into a global
   variable. Whether `before` and `after` are run in C where they can be, see waxwing_pieces.c.
   False: no memory. */
bool waxwing_define_advice(waxwing_state *state, const char *name, bool runs_in_c);

#endif
