/* SPDX-License-Identifier: MIT
 *
 * The time that a call has used, for what stops it: see budget.c. What begins and ends the time
 * that is not charged is in wax_lua_budget.h.
 */
#ifndef WAX_LUA_TIME_H
#define WAX_LUA_TIME_H

#include "wax_lua_state.h"

/* So many calls of functions of the program are free, as much as they do. */
#define WAX_LUA_CALLS_FOR_FREE 1000

/* Charges what has gone by since the last time. A call that is soon over never looks at a clock. */
void wax_lua_time_add(wax_lua_coroutine *coroutine);

/* Whether it is more than the call may use. */
bool wax_lua_time_is_over(const wax_lua_coroutine *coroutine);

/* The time for which functions of the program may run for the call, in nanoseconds. */
int64_t wax_lua_time_called_limit(const wax_lua_coroutine *coroutine);

#endif
