/* SPDX-License-Identifier: MIT
 *
 * Calls and errors, as C sees them: what is here may raise where it says so.
 */
#ifndef WAX_LUA_CALL_PRIVATE_H
#define WAX_LUA_CALL_PRIVATE_H

#include "wax_lua_call.h"

/* {==================================================================
** Errors
** =================================================================== */

/* Takes room for WAX_LUA_MAX_FRAMES, if there is none yet: most states never need it. False: there
   is no memory, and errors are without a traceback. */
bool wax_lua_take_frames(wax_lua_traceback_frame **frames);
/* [-0, +0, -]  The traceback of a running call, with room taken for it; returns how many. */
int wax_lua_capture_frames(lua_State *L, int level, wax_lua_traceback_frame **frames);
/* [-0, +0, -]  The traceback of a call in this coroutine, or in one of Lua's inside it, goes into
   the coroutine, without the outermost frames: those are C functions of ours, which nobody wrote.
   Returns how many there are. */
int wax_lua_capture_call(lua_State *L, int level, wax_lua_coroutine *coroutine);

/* [-1, +1, -]  A message handler that records the traceback in the coroutine and keeps the value.
 */
int wax_lua_record_traceback(lua_State *L);

/* [-0, +0, -]  The same, into the state, for an error that may be raised again: the next error has
   this traceback if state->raises_kept is set then. */
int wax_lua_keep_traceback(lua_State *L, int level);

/* Tracebacks leave the function out, and what it calls is no more the script's own than it is. */
void wax_lua_hide_function(wax_lua_state *state, lua_CFunction function);

/* [-?, +0, v]  `error` and `throw` for scripts. */
int wax_lua_error_function(lua_State *L);
int wax_lua_throw_function(lua_State *L);
int wax_lua_raise_again(lua_State *L);

/* Lets go of what `error` raised, which would live on as long as the state. */
void wax_lua_forget_explicit(wax_lua_state *state);

/* [-0, +0, -]  The error at `index` into the buffer, and what the script raised it with if it did.
   The value must stay on the stack: the buffer borrows its string. */
wax_lua_status wax_lua_read_error_at(lua_State *L, int index, wax_lua_buffer *buffer);

/* [-0, +0, -]  The error on top of the coroutine into its buffer. */
wax_lua_status wax_lua_read_coroutine_error(wax_lua_coroutine *coroutine, int status);

/* [-1, +1, me]  Puts the position of the calling Lua code before a message. */
void wax_lua_add_position(lua_State *L);

/* [-0, +0, e]  Raises a message with the position of the script's own code that runs. */
int wax_lua_raise(lua_State *L, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* [-?, +0, -]  Before an error is raised in a C function that may have filled its part of the stack
   with results: room to do so, if need be where some of them were. */
void wax_lua_make_room(lua_State *L);

/* }================================================================== */

/* {==================================================================
** Values on the stack
** =================================================================== */

/* [-0, +n, -] if it returns true: one value for each entry. If it returns false a value needs
   memory and so protection; what it left on the stack is to be removed.
   `proxies` is the stack index of their table, 0: it is in the registry; `slots` how many values
   the stack is known to have room for. */
bool wax_lua_push_plain(lua_State *L, const wax_lua_buffer *buffer, int proxies, int slots);

/* [-1, +n, me]  A lua_CFunction: pushes all top-level values of the wax_lua_buffer that its
   argument, a light userdata, points at. For use under lua_pcall only. */
int wax_lua_push_protected(lua_State *L);

/* [-0, +n, me]  Pushes all top-level values. Under lua_pcall only. */
void wax_lua_push_values(lua_State *L, const wax_lua_buffer *buffer);

/* }================================================================== */

/* {==================================================================
** From Swift into Lua
** =================================================================== */

/* [-0, +1, -]  What a call comes to that wax_lua_stack_refuses_call refuses: its values are
   discarded, and the error is on the coroutine's stack. Returns Lua's status. */
int wax_lua_refuse_call(wax_lua_coroutine *coroutine);

/* [-0, +0, -]  What is on the coroutine's stack from `first` on into its buffer. */
wax_lua_status wax_lua_read_coroutine_results(wax_lua_coroutine *coroutine, int first,
                                              int *result_count);
/* [-0, +(0|1), -]  The function and its arguments are on top, the function at `function`. If the
   coroutine keeps the receiver, puts that below them. Returns where the function is now. */
int wax_lua_keep_receiver(lua_State *L, wax_lua_coroutine *coroutine, int function);

/* The first turn in two steps, for who pushes arguments without the coroutine's buffer: what is
   called first, then, with the arguments on the coroutine's stack, the turn. In between the
   coroutine is the running one: what wax_lua_coroutine_prepare returns is the one around it, for
   wax_lua_coroutine_begin, or for wax_lua_budget_end where the turn is not begun after all. Returns
   Lua's status, with the results or the error as wax_lua_coroutine_outcome takes them; LUA_YIELD:
   the call waits, for `*waits`. */
wax_lua_coroutine *wax_lua_coroutine_prepare(wax_lua_coroutine *coroutine, int reference);
int wax_lua_coroutine_begin(wax_lua_coroutine *coroutine, wax_lua_coroutine *outer,
                            wax_lua_callback **waits);
/* [state entered]  The next turn of such a call, on any thread, likewise. */
int wax_lua_coroutine_continue(wax_lua_coroutine *coroutine, wax_lua_callback **waits);

/* [-0, +0, -]  Makes the function a global. False: no memory. */
bool wax_lua_define_global(wax_lua_state *state, const char *name, lua_CFunction function);

/* [state entered]  The value at `index` of the stack in a slot of the registry that is there:
   nothing is raised. 0: none is. */
int wax_lua_reference_at_once(lua_State *L, int index);

/* [-0, +(0|1), -]  The function that `value`, which `buffer` was read from, stands for. */
bool wax_lua_push_function(const wax_lua_buffer *buffer, const wax_lua_value *value);

/* [-0, +0, -]  Appends the function on top as Lua has compiled it. False: no memory, and nothing is
   there. */
bool wax_lua_dump(lua_State *L, bool is_stripped, wax_lua_compiled *compiled);

/* }================================================================== */

/* {==================================================================
** From Lua into Swift
** =================================================================== */

/* About what crossing into Swift and back takes. */
#define WAX_LUA_SWIFT_CALL_COST 20

/* [-0, +1, m]  A Lua function that runs the callback. */
void wax_lua_push_callback(lua_State *L, wax_lua_callback *callback);

/* [-0, +0, -]  Whether the function at `index` calls the original of the running override. */
bool wax_lua_is_original(lua_State *L, int index);

/* [-?, +n, e]  In a C function that Lua called: runs the callback with what is on the stack. */
int wax_lua_run_callback(lua_State *L, wax_lua_callback *callback);
/* Runs it with the first `argument_count` values on the stack. `member`: what it asks to have kept
   for this name; `keeps_result`: its result is to be kept itself. */
typedef struct wax_lua_member {
  wax_lua_callback *accessor;
  int field;
  int accessor_function;
  bool keeps_result;
} wax_lua_member;
int wax_lua_run_member_callback(lua_State *L, wax_lua_callback *callback, int argument_count,
                                wax_lua_member *member);

/* [-0, +?, e]  In a C function that Lua called: ends its turn, and the call with what `waits` gives
   later. */
int wax_lua_yield_until(lua_State *L, wax_lua_callback *waits);

/* }================================================================== */

#endif
