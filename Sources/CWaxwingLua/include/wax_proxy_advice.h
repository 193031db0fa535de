/* SPDX-License-Identifier: MIT
 *
 * Pieces of advice: whether one is for a call, told without the state and without Lua.
 */
#ifndef WAX_PROXY_ADVICE_H
#define WAX_PROXY_ADVICE_H

#include "wax_lua_call.h"
#include "wax_proxy_keeping.h"

/* A piece of advice: the calls that it may run in, and whether it still may. Held by Lua and by
   Swift. */
typedef struct wax_proxy_advice wax_proxy_advice;

void wax_proxy_advice_retain(wax_proxy_advice *advice);
void wax_proxy_advice_release(wax_proxy_advice *advice);

/* Whether it is for a call on this object (NULL: on none) by the calling thread. The object must
   stay alive meanwhile. */
bool wax_proxy_advice_admits(const wax_proxy_advice *advice, const void *object);

/* Whether the piece may run; if so, counts the call, and uses up a piece that is for one call. */
bool wax_proxy_advice_claim(wax_proxy_advice *advice, const void *object);

bool wax_proxy_advice_is_live(const wax_proxy_advice *advice);
bool wax_proxy_advice_is_once(const wax_proxy_advice *advice);
bool wax_proxy_advice_has_instance(const wax_proxy_advice *advice);
/* The things that its function can do with the values that it sees. */
wax_proxy_keeping wax_proxy_advice_keeping(const wax_proxy_advice *advice);
/* The kernel's id of the only thread it is for; 0: any. */
uint64_t wax_proxy_advice_thread(const wax_proxy_advice *advice);
uint64_t wax_proxy_advice_calls(const wax_proxy_advice *advice);

/* [state entered]  The piece of advice that is argument `index` (from 1) of a call, or NULL. */
wax_proxy_advice *wax_proxy_advice_argument(const wax_lua_host_call *call, int index);

/* [state entered]  Reads argument `index` (from 1) of a call as the error of a piece of advice that
   `record` was the message handler of, as wax_lua_coroutine_call does. Its traceback goes to
   `frames`, of WAX_LUA_MAX_FRAMES. */
wax_lua_status wax_proxy_advice_error(wax_lua_host_call *call, int index, wax_lua_buffer *buffer,
                                      wax_lua_traceback_frame *frames, int *frame_count);

/* [state entered]  Puts the table of functions that lua/waxwing/advice.lua uses into a global
   variable. Whether `before` and `after` are run in C where they can be, see pieces.c.
   False: no memory. */
bool wax_proxy_define_advice(wax_lua_state *state, const char *name, bool runs_in_c);

#endif
