/* SPDX-License-Identifier: MIT
 *
 * The calls of one script's async overrides that wait, of those that C runs. The rest of what waits
 * is listed by Activities.swift.
 */
#ifndef WAXWING_WAITING_H
#define WAXWING_WAITING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "waxwing_lock.h"

/* One of them. */
typedef struct waxwing_waiting_call {
  struct waxwing_waiting_call *older;
  struct waxwing_waiting_call *newer;
  const void *context; /* of its waxwing_override */
  bool is_abandoned;   /* it does not go on in Lua */
} waxwing_waiting_call;

/* Outlives the Lua state, and all calls in it. Any thread. */
typedef struct waxwing_waiting {
  waxwing_lock lock;
  bool is_ended;
  size_t running; /* calls that go on in Lua after a wait */
  waxwing_waiting_call *newest;
} waxwing_waiting;

/* A call begins to wait; false: the script has ended, and the call is abandoned. `was_running`: it
   had gone on after another wait. */
bool waxwing_waiting_begin(waxwing_waiting *waiting, waxwing_waiting_call *call, bool was_running);

/* It is to go on. False: it is abandoned, and the Lua state must not be touched. */
bool waxwing_waiting_resume(waxwing_waiting *waiting, waxwing_waiting_call *call);

/* A call that has gone on does not wait again. */
void waxwing_waiting_end(waxwing_waiting *waiting);

/* Calls `visit` for each call that waits, under the lock. With `abandons` none of them, and none
   that begins to wait later, goes on in Lua. */
void waxwing_waiting_visit(waxwing_waiting *waiting, bool abandons, void *argument,
                           void (*visit)(void *argument, const void *context));

/* After they were abandoned: calls may wait again. */
void waxwing_waiting_go_on(waxwing_waiting *waiting);

/* How many calls wait, and how many have gone on. */
size_t waxwing_waiting_count(waxwing_waiting *waiting, size_t *running);

#endif
