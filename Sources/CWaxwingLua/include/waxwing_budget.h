/* SPDX-License-Identifier: MIT
 *
 * What a call from Swift into Lua may use: instructions, time, memory. Once one of them is spent
 * the call is *tripped*: from then on everything in it raises, so that no `pcall` goes on.
 *
 * A count hook on each lane's coroutine, which the coroutines that it makes inherit. What a call
 * spends is kept with its lane, over all its turns: waiting costs nothing, and neither does what
 * the program's own code does for it; what the bridge does, does. A call that runs inside another
 * one of the same thread is charged to both, or a few that call one another would each have a
 * budget to multiply.
 */
#ifndef WAXWING_BUDGET_H
#define WAXWING_BUDGET_H

#include "waxwing_state.h"

/* For calls that begin from now on. Whether there are limits at all must not change once the state
   has a lane. */
void waxwing_set_limits(waxwing_state *state, waxwing_limits limits);

/* [-0, +0, v]  Work that a C function does on a script's behalf, in instructions: at least one for
   each 16 bytes that it writes, and one for each turn of a loop. Raises if the call is or gets
   tripped, or if the thread's stack is nearly used up; cheap otherwise. Call it before the work
   where its size is known. */
void waxwing_charge(lua_State *L, size_t instructions);

/* The same without raising: the next look at the call will see it. */
void waxwing_spend(lua_State *L, size_t instructions);

/* Whether the call that this thread runs has been tripped. */
bool waxwing_is_tripped(lua_State *L);

/* [-0, +0, v]  Raises the trip again if the call is tripped: after anything that catches errors. */
void waxwing_check_trip(lua_State *L);

/* Whether a coroutine was ended by its hook: no hook runs in it any more, it must not be closed. */
bool waxwing_was_tripped(lua_State *co);

#endif
