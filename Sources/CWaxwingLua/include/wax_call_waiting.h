/* SPDX-License-Identifier: MIT
 *
 * The calls of one script's async overrides that wait, of those that C runs. The rest of what waits
 * is listed by Activities.swift.
 */
#ifndef WAX_CALL_WAITING_H
#define WAX_CALL_WAITING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wax_lua_lock.h"

/* One of them. */
typedef struct wax_call_waiting_call {
  struct wax_call_waiting_call *older;
  struct wax_call_waiting_call *newer;
  const void *context; /* of its wax_call_override */
  bool is_abandoned;   /* it does not go on in Lua */
} wax_call_waiting_call;

/* Outlives the Lua state, and all calls in it. Any thread. */
typedef struct wax_call_waiting {
  wax_lua_lock lock;
  bool is_ended;
  size_t running; /* calls that go on in Lua after a wait */
  wax_call_waiting_call *newest;
} wax_call_waiting;

/* A call begins to wait; false: the script has ended, and the call is abandoned. `was_running`: it
   had gone on after another wait. */
bool wax_call_waiting_begin(wax_call_waiting *waiting, wax_call_waiting_call *call,
                            bool was_running);

/* Notes that the call is to go on. False: it is abandoned, and the Lua state must not be touched.
 */
bool wax_call_waiting_resume(wax_call_waiting *waiting, wax_call_waiting_call *call);

/* A call that has gone on does not wait again. */
void wax_call_waiting_end(wax_call_waiting *waiting);

/* Calls `visit` for each call that waits, under the lock. With `abandons` none of them, and none
   that begins to wait later, goes on in Lua. Returns how many have gone on, and run. */
size_t wax_call_waiting_visit(wax_call_waiting *waiting, bool abandons, void *argument,
                              void (*visit)(void *argument, const void *context));

/* After they were abandoned: calls may wait again. */
void wax_call_waiting_readmit(wax_call_waiting *waiting);

/* The number of calls that wait; `running` gets the number of those that have gone on. */
size_t wax_call_waiting_count(wax_call_waiting *waiting, size_t *running);

#endif
