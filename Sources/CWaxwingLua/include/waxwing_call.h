/* SPDX-License-Identifier: MIT
 *
 * Calls both ways.
 */
#ifndef WAXWING_CALL_H
#define WAXWING_CALL_H

#include "waxwing_state.h"

/* The chunk whose functions are no place for users to look: positions and tracebacks leave it out.
 */
#define WAXWING_PRELUDE "[waxwing]"

typedef enum waxwing_status {
  WAXWING_OK = 0,
  WAXWING_ERROR,    /* a Lua error: lane->buffer holds its value, lane->frames its traceback */
  WAXWING_EXPLICIT, /* the same, raised by the script's own call of `error` or `throw`; a second
                       value is what it was called with, without the position */
  WAXWING_TRIPPED,  /* it used up what it may: a string says what */
  WAXWING_NO_MEMORY /* the state's limit, or the process's */
} waxwing_status;

/* A Swift function that Lua can call. */
typedef struct waxwing_lua_call waxwing_lua_call;
typedef struct waxwing_callback {
  /* Reads call->arguments, writes call->results and returns true; or writes one value, the
     error, and returns false. */
  bool (*function)(void *context, waxwing_lua_call *call);
  void *context;
  /* In instructions, of the call that Lua made: each time, and when it returns false. */
  uint32_t cost;
  uint32_t failure_cost;
  bool declares;    /* it declares something, or finds what a script declares something of */
  bool is_original; /* it calls the original of the running override, and keeps nothing */
  /* [-0, +n, e]  The call without Swift, with the first so many values on the stack: returns how
     many results there are, or -1 if nothing has happened, and `function` is to be run. NULL: there
     is no such way. Not for those that ask for a member to be kept. */
  int (*direct)(lua_State *L, void *plan, int argument_count);
  void *direct_plan;
  /* [-0, +n, e]  The same for the callback of closures, whose proxy is not on the stack. */
  int (*closure)(lua_State *L, const struct waxwing_proxy *proxy, int argument_count);
} waxwing_callback;

struct waxwing_lua_call {
  waxwing_state *state;
  lua_State *L;
  int argument_count;
  waxwing_buffer arguments; /* argument_count values, one after the other */
  waxwing_buffer results;   /* the results, or one error value */
  waxwing_callback *waits;  /* not NULL: no results yet; this is called for them after the wait */
  bool is_pushed;           /* the results are on L's stack, or the error that came of pushing */
  int push_status;
  waxwing_callback *member; /* a proxy's `get` or `set` puts the accessor to cache here … */
  int field;                /* … or the registry reference of the field that was declared */
  int accessor_function; /* … or the registry reference of a Lua function, the accessor; not cached
                          */
  bool keeps_result;     /* … or says that what it returns, a method, is to be cached */
  bool changed_receiver; /* the first argument is the proxy of a value that is another one now */
};

/* Lets one argument, counted from 1, be the only result of the call. */
void waxwing_return_argument(waxwing_lua_call *call, int index);

/* [state entered]  Compiles source text (never bytecode) and leaves a registry reference to the
   function in *reference. Its globals are those of the table in the global variable `environment`,
   or Lua's own if that is NULL. On failure lane->buffer holds the message. */
waxwing_status waxwing_load(waxwing_lane *lane, const char *source, size_t count,
                            const char *chunk_name, const char *environment, int *reference);

/* A chunk of the engine's own as Lua has compiled it: bytes of malloc's, or NULL. */
typedef struct waxwing_compiled {
  unsigned char *bytes;
  size_t count;
} waxwing_compiled;

/* [state entered]  The same for a chunk of the engine's own, with Lua's globals. What it is
   compiled to is put into `compiled` the first time, and loaded from there after that. Lua checks
   no compiled code: nobody else's may get there. */
waxwing_status waxwing_load_own(waxwing_lane *lane, const char *source, size_t count,
                                const char *chunk_name, waxwing_compiled *compiled, int *reference);

/* [state entered]  Calls the function behind `reference` with the values in lane->buffer, then
   puts its results there: `*result_count` top-level values. Strings in it stay valid until
   waxwing_lane_release. */
waxwing_status waxwing_lane_call(waxwing_lane *lane, int reference, int *result_count);

/* [state entered]  What a call has come to, for who has made it by itself: its results, from
   `first` on the lane's stack, or the error on top, into lane->buffer. `status` is Lua's. */
waxwing_status waxwing_lane_outcome(waxwing_lane *lane, int status, int first, int *result_count);

/* The first result of the last call; nil if there was none. */
static inline waxwing_value waxwing_lane_result(const waxwing_lane *lane) {
  return lane->buffer.count ? lane->buffer.values[0] : (waxwing_value){.tag = WAXWING_NIL};
}

/* [state entered]  Sets a global variable to the single value in lane->buffer. */
waxwing_status waxwing_set_global(waxwing_lane *lane, const char *name);

/* [state entered]  Pushes what is in call->results now rather than after the function has returned:
   for values that will not live that long. Nothing is to be written after it. */
void waxwing_push_call_results(waxwing_lua_call *call);

/* [state entered]  Where the Lua code that called is: the level-th function of the script's own up
   the stack. */
bool waxwing_where(lua_State *L, int level, waxwing_traceback_frame *frame);

/* [-0, +0, -]  The traceback of a running call into `frames`; returns how many. */
int waxwing_capture_traceback(lua_State *L, int level, waxwing_traceback_frame *frames, int most);

/* {==================================================================
** Calls that wait
**
** A lane can run its function as a coroutine, which ends its turn when it waits: a callback has set
** call->waits. The coroutine then yields two values, the key below as a light userdata and the
** callback; coroutines of the script's own pass them on outwards. Once whatever it waits for is
** there, the next turn calls that callback for the results, with the first of the arguments.
** =================================================================== */

/* [state entered]  A reference to the key; 0: no memory. */
int waxwing_reference_wait_key(waxwing_state *state);
/* [state entered]  A reference to a function (error, was explicit) that raises an error again which
   was caught; 0: no memory. */
int waxwing_reference_raise(waxwing_state *state);
/* Whether the argument is what the script's own call of `error` or `throw` raised last. */
bool waxwing_is_explicit(waxwing_lua_call *call, int index);

/* [state entered]  The first turn of a call of the function behind `reference` with what the lane's
   buffer holds. WAXWING_OK and `*waits` not NULL: it waits; then the lane must not be released
   before it has gone on to its end, unless the state is closed before. */
waxwing_status waxwing_lane_start(waxwing_lane *lane, int reference, int *result_count,
                                  waxwing_callback **waits);
/* [state entered]  The next turn of such a call, on any thread. */
waxwing_status waxwing_lane_go_on(waxwing_lane *lane, int *result_count, waxwing_callback **waits);

/* Whether Lua code that calls can wait. */
bool waxwing_call_may_wait(const waxwing_lua_call *call);

/* }================================================================== */

#endif
