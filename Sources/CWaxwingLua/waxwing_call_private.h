/* SPDX-License-Identifier: MIT
 *
 * Calls and errors, as C sees them: what is here may raise where it says so.
 */
#ifndef WAXWING_CALL_PRIVATE_H
#define WAXWING_CALL_PRIVATE_H

#include "waxwing_call.h"

/* {==================================================================
** Errors
** =================================================================== */

/* Takes room for WAXWING_MAX_FRAMES, if there is none yet: most states never need it. False: there
   is no memory, and errors are without a traceback. */
bool waxwing_take_frames(waxwing_traceback_frame **frames);
/* [-0, +0, -]  The traceback of a running call, with room taken for it; returns how many. */
int waxwing_capture_frames(lua_State *L, int level, waxwing_traceback_frame **frames);

/* [-1, +1, -]  A message handler that records the traceback in the lane and keeps the value. */
int waxwing_record_traceback(lua_State *L);

/* [-0, +0, -]  The same, into the state, for an error that may be raised again: the next error has
   this traceback if state->raises_kept is set then. */
int waxwing_keep_traceback(lua_State *L, int level);

/* Tracebacks leave the function out, and what it calls is no more the script's own than it is. */
void waxwing_hide_function(waxwing_state *state, lua_CFunction function);

/* [-?, +0, v]  `error` and `throw` for scripts. */
int waxwing_error_function(lua_State *L);
int waxwing_throw_function(lua_State *L);
int waxwing_raise_again(lua_State *L);

/* Lets go of what `error` raised, which would live on as long as the state. */
void waxwing_forget_explicit(waxwing_state *state);

/* [-0, +0, -]  The error at `index` into the buffer, and what the script raised it with if it did.
   The value must stay on the stack: the buffer borrows its string. */
waxwing_status waxwing_read_error_at(lua_State *L, int index, waxwing_buffer *buffer);

/* [-0, +0, -]  The error on top of the lane into its buffer. */
waxwing_status waxwing_read_lane_error(waxwing_lane *lane, int status);

/* [-1, +1, me]  Puts the position of the calling Lua code before a message. */
void waxwing_add_position(lua_State *L);

/* [-0, +0, e]  Raises a message with the position of the script's own code that runs. */
int waxwing_raise(lua_State *L, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* [-?, +0, -]  Before an error is raised in a C function that may have filled its part of the stack
   with results: room to do so, if need be where some of them were. */
void waxwing_make_room(lua_State *L);

/* }================================================================== */

/* {==================================================================
** Values on the stack
** =================================================================== */

/* [-0, +n, -] if it returns true: one value for each entry. If it returns false a value needs
   memory and so protection; what it left on the stack is to be removed.
   `proxies` is the stack index of their table, 0: it is in the registry; `slots` how many values
   the stack is known to have room for. */
bool waxwing_push_plain(lua_State *L, const waxwing_buffer *buffer, int proxies, int slots);

/* [-1, +n, me]  A lua_CFunction: pushes all top-level values of the waxwing_buffer that its
   argument, a light userdata, points at. For use under lua_pcall only. */
int waxwing_push_protected(lua_State *L);

/* [-0, +n, me]  Pushes all top-level values. Under lua_pcall only. */
void waxwing_push_values(lua_State *L, const waxwing_buffer *buffer);

/* }================================================================== */

/* {==================================================================
** From Swift into Lua
** =================================================================== */

/* [-0, +0, -]  What is on the lane's stack from `first` on into its buffer. */
waxwing_status waxwing_read_lane_results(waxwing_lane *lane, int first, int *result_count);
/* [-0, +(0|1), -]  The function and its arguments are on top, the function at `function`. If the
   lane keeps the receiver, puts that below them. Returns where the function is now. */
int waxwing_keep_receiver(lua_State *L, waxwing_lane *lane, int function);

/* The first turn in two steps, for who pushes arguments without the lane's buffer: what is called
   first, then, with the arguments on the lane's stack, the turn. In between the lane is the running
   one: what waxwing_lane_prepare returns is the one around it, for waxwing_lane_begin, or for
   waxwing_budget_end where the turn is not begun after all. Returns Lua's status, with the results
   or the error as waxwing_lane_outcome takes them; LUA_YIELD: the call waits, for `*waits`. */
waxwing_lane *waxwing_lane_prepare(waxwing_lane *lane, int reference);
int waxwing_lane_begin(waxwing_lane *lane, waxwing_lane *outer, waxwing_callback **waits);
/* [state entered]  The next turn of such a call, on any thread, likewise. */
int waxwing_lane_continue(waxwing_lane *lane, waxwing_callback **waits);

/* [-0, +0, -]  Makes the function a global. False: no memory. */
bool waxwing_define_global(waxwing_state *state, const char *name, lua_CFunction function);

/* [state entered]  The value at `index` of the stack in a slot of the registry that is there:
   nothing is raised. 0: none is. */
int waxwing_reference_at_once(lua_State *L, int index);

/* [-0, +(0|1), -]  The function that `value`, which `buffer` was read from, stands for. */
bool waxwing_push_function(const waxwing_buffer *buffer, const waxwing_value *value);

/* [-0, +0, -]  Appends the function on top as Lua has compiled it. False: no memory, and nothing is
   there. */
bool waxwing_dump(lua_State *L, bool is_stripped, waxwing_compiled *compiled);

/* }================================================================== */

/* {==================================================================
** From Lua into Swift
** =================================================================== */

/* About what crossing into Swift and back takes. */
#define WAXWING_SWIFT_CALL_INSTRUCTIONS 20

/* [-0, +1, m]  A Lua function that runs the callback. */
void waxwing_push_callback(lua_State *L, waxwing_callback *callback);

/* [-0, +0, -]  Whether the function at `index` calls the original of the running override. */
bool waxwing_is_original(lua_State *L, int index);

/* [-?, +n, e]  In a C function that Lua called: runs the callback with what is on the stack. */
int waxwing_run_callback(lua_State *L, waxwing_callback *callback);
/* Runs it with the first `argument_count` values on the stack. `member`: what it asks to have kept
   for this name; `keeps_result`: its result is to be kept itself. */
typedef struct waxwing_member {
  waxwing_callback *accessor;
  int field;
  int accessor_function;
  bool keeps_result;
} waxwing_member;
int waxwing_run_member_callback(lua_State *L, waxwing_callback *callback, int argument_count,
                                waxwing_member *member);

/* [-0, +?, e]  In a C function that Lua called: ends its turn, and the call with what `waits` gives
   later. */
int waxwing_wait_for(lua_State *L, waxwing_callback *waits);

/* }================================================================== */

#endif
