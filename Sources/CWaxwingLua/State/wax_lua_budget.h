/* SPDX-License-Identifier: MIT
 *
 * What a call from Swift into Lua may use: instructions, time, memory. Once one of them is spent
 * the call is *tripped*: from then on everything in it raises, so that no `pcall` goes on.
 *
 * A count hook on each coroutine, which those that it makes inherit. What a call
 * spends is kept with its coroutine, over all its turns: waiting costs nothing, and neither does
 * what the program's own code does for it; what the bridge does, does. A call that runs inside
 * another one of the same thread is charged to both, or a few that call one another would each have
 * a budget to multiply.
 */
#ifndef WAX_LUA_BUDGET_H
#define WAX_LUA_BUDGET_H

#include "wax_lua_state.h"

/* [-0, +0, v]  Work that a C function does on a script's behalf, in instructions: at least one for
   each 16 bytes that it writes, and one for each turn of a loop. Raises if the call is or gets
   tripped, or if the thread's stack is nearly used up; cheap otherwise. Call it before the work
   where its size is known. */
void wax_lua_budget_consume(lua_State *L, size_t instructions);

/* Adds instructions without raising an error: the next look at the call will see them. */
void wax_lua_budget_add(lua_State *L, size_t instructions);

/* [state entered]  The program's own code has returned to a call that has been stopped meanwhile,
   by wax_lua_stop_nested: its next instruction raises. */
void wax_lua_budget_stop_soon(wax_lua_coroutine *coroutine);

/* Whether the call that this thread runs has been tripped. */
bool wax_lua_has_exceeded_limit(lua_State *L);

/* [-0, +0, v]  Raises the trip again if the call is tripped: after anything that catches errors. */
void wax_lua_check_limit(lua_State *L);

/* Whether a coroutine was ended by its hook: no hook runs in it any more, it must not be closed. */
bool wax_lua_was_stopped(lua_State *co);

/* {==================================================================
** Calls and their turns: the beginning and the end of a call are in wax_lua_turn.h
** =================================================================== */

/* Of a new coroutine. */
void wax_lua_budget_open(wax_lua_coroutine *coroutine);
/* A call begins, and the coroutine's hook is not the state's. */
void wax_lua_budget_use_step(wax_lua_coroutine *coroutine);
/* A turn begins in a state that holds more than it may. */
void wax_lua_budget_poll_soon(wax_lua_coroutine *coroutine);
/* A turn ends in which there were many calls of the program's functions. */
void wax_lua_budget_keep_own_time(wax_lua_coroutine *coroutine);
/* Around what the program's own code does for the call: its time is not charged. */
void wax_lua_budget_pause(const wax_lua_state *state);
void wax_lua_budget_resume(const wax_lua_state *state);
/* Resumes in place of the second function, where the program did nothing: the call has only waited.
 */
void wax_lua_budget_resume_uncounted(const wax_lua_state *state);
/* A debugger wants lines: lets the hook of a coroutine, also of one that the script has made, look
   at them. */
void wax_lua_budget_watch(lua_State *co);
/* Around a callback into Swift. The first returns what the second wants. */
int64_t wax_lua_budget_cross(lua_State *L);
void wax_lua_budget_return(lua_State *L, int64_t crossed_at, bool declares, bool succeeded);
/* Counts memory for the running call's state. */
void wax_lua_budget_allocated(const wax_lua_state *state, size_t bytes);
/* A string or another block has so many bytes now. */
void wax_lua_budget_grown(wax_lua_state *state, size_t bytes, bool is_string);
void wax_lua_budget_refused(const wax_lua_state *state);
/* Whether the call that the state runs is tripped, or is now as its time is over. Called by the
 * allocator where a stack grows: the next look may never come. */
bool wax_lua_budget_is_spent(wax_lua_state *state);
/* The state holds more than it may: lets the next instruction see to it. Called by the allocator.
 */
void wax_lua_budget_overshot(wax_lua_state *state, bool is_system);
/* [-0, +0, v]  Collects if the state holds more than it may, and ends the call if that does not
 * help. */
void wax_lua_check_memory(lua_State *L);
/* [-0, +0, v]  The same before so many bytes are allocated at once. */
void wax_lua_reserve_memory(lua_State *L, size_t bytes);
/* Makes this the coroutine that runs on this thread from now on: one that the script has made.
   Returns the one that ran before. */
lua_State *wax_lua_budget_move(lua_State *coroutine);
bool wax_lua_is_limit_error(lua_State *L, int index);

/* A part of a call that has a budget of its own, as large as a call's: what it spends is not the
   call's, and the call goes on where the part was stopped. Lives as long as the part. */
typedef struct wax_lua_budget_part {
  wax_lua_coroutine *coroutine; /* NULL: no call runs, and nothing is counted */
  wax_lua_budget outer;
  bool was_broken;
} wax_lua_budget_part;

/* [-0, +0, -]  The part begins in the function that L runs. */
void wax_lua_budget_open_part(lua_State *L, wax_lua_budget_part *part);
/* [-0, +0, -]  It has ended, with this status of Lua's, and its error, if any, is caught. Returns
   what it was stopped for, in memory of the coroutine; NULL: it was not stopped. */
const char *wax_lua_budget_close_part(lua_State *L, wax_lua_budget_part *part, int status);
/* The limit for which the coroutine's call was stopped, and the place. */
const char *wax_lua_limit_error_text(wax_lua_coroutine *coroutine);

/* }================================================================== */

#endif
