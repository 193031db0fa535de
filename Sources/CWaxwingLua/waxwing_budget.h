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

/* {==================================================================
** Calls and their turns: the beginning and the end of a call are in waxwing_turn.h
** =================================================================== */

/* Of a new lane. */
void waxwing_budget_open(waxwing_lane *lane);
/* A call begins, and the lane's hook is not the state's. */
void waxwing_budget_use_step(waxwing_lane *lane);
/* A turn begins in a state that holds more than it may. */
void waxwing_budget_urge(waxwing_lane *lane);
/* A turn ends in which there were many calls of the program's functions. */
void waxwing_budget_keep_own_time(waxwing_lane *lane);
/* Around what the program's own code does for the call: its time is not charged. */
void waxwing_budget_pause(const waxwing_state *state);
void waxwing_budget_resume(const waxwing_state *state);
/* Around a callback into Swift. The first returns what the second wants. */
int64_t waxwing_budget_cross(lua_State *L);
void waxwing_budget_back(lua_State *L, int64_t crossed_at, bool declares, bool succeeded);
/* Of the running call's state. */
void waxwing_budget_allocated(const waxwing_state *state, size_t bytes);
/* A string or another block has so many bytes now. */
void waxwing_budget_grown(waxwing_state *state, size_t bytes, bool is_string);
void waxwing_budget_refused(const waxwing_state *state);
/* The state holds more than it may: lets the next instruction see to it. Called by the allocator.
 */
void waxwing_budget_overshot(waxwing_state *state, bool is_system);
/* [-0, +0, v]  Collects if the state holds more than it may, and ends the call if that does not
 * help. */
void waxwing_check_memory(lua_State *L);
/* [-0, +0, v]  The same before so many bytes are allocated at once. */
void waxwing_reserve_memory(lua_State *L, size_t bytes);
/* What runs on this thread from now on, in the lane that runs: a coroutine. Returns what did. */
lua_State *waxwing_budget_move(lua_State *coroutine);
bool waxwing_is_trip(lua_State *L, int index);
/* What the lane's call was stopped for, and where. */
const char *waxwing_trip_text(waxwing_lane *lane);

/* }================================================================== */

#endif
