/* SPDX-License-Identifier: MIT
 *
 * Calls both ways.
 */
#ifndef WAX_LUA_CALL_H
#define WAX_LUA_CALL_H

#include "wax_lua_state.h"

/* The chunk whose functions are no place for users to look: positions and tracebacks leave it out.
 */
#define WAX_LUA_PRELUDE "[waxwing]"
/* What the names of the library's chunks begin with, as Lua wants them. */
#define WAX_LUA_LIBRARY "=waxwing/"

typedef enum wax_lua_status {
  WAX_LUA_STATUS_OK = 0,
  WAX_LUA_STATUS_ERROR,    /* a Lua error: coroutine->buffer holds its value, coroutine->frames its
                              traceback */
  WAX_LUA_STATUS_EXPLICIT, /* the same, raised by the script's own call of `error` or `throw`; a
                       second value is what it was called with, without the position */
  WAX_LUA_STATUS_LIMIT_EXCEEDED, /* it used up what it may: a string says what */
  WAX_LUA_STATUS_NO_MEMORY       /* the state's limit, or the process's */
} wax_lua_status;

/* A Swift function that Lua can call. */
typedef struct wax_lua_host_call wax_lua_host_call;
typedef struct wax_lua_callback {
  /* Reads call->arguments, writes call->results and returns true; or writes one value, the
     error, and returns false. */
  bool (*function)(void *context, wax_lua_host_call *call);
  void *context;
  /* The cost in instructions for the call that Lua made: each time, and when it returns false. */
  uint32_t cost;
  uint32_t failure_cost;
  bool declares;    /* it declares something, or finds what a script declares something of */
  bool is_original; /* it calls the original of the running override, and keeps nothing */
  bool takes_lent;  /* it knows values that are lent: others are shown them */
  /* [-0, +n, e]  The call without Swift, with the first so many values on the stack: returns how
     many results there are, or -1 if nothing has happened, and `function` is to be run. NULL: there
     is no such way. Not for those that ask for a member to be kept. */
  int (*direct)(lua_State *L, void *plan, int argument_count);
  void *direct_plan;
  /* [-0, +n, e]  The same for the callback of closures, whose proxy is not on the stack. */
  int (*closure)(lua_State *L, const struct wax_proxy *proxy, int argument_count);
} wax_lua_callback;

struct wax_lua_host_call {
  wax_lua_state *state;
  lua_State *L;
  int argument_count;
  wax_lua_buffer arguments; /* argument_count values, one after the other */
  wax_lua_buffer results;   /* the results, or one error value */
  wax_lua_callback *waits;  /* not NULL: no results yet; this is called for them after the wait */
  bool is_pushed;           /* the results are on L's stack, or the error that came of pushing */
  int push_status;
  wax_lua_callback *member; /* a proxy's `get` or `set` puts the accessor to cache here … */
  int field;                /* … or the registry reference of the field that was declared */
  int accessor_function; /* … or the registry reference of a Lua function, the accessor; not cached
                          */
  bool keeps_result;     /* … or says that what it returns, a method, is to be cached */
  bool changed_receiver; /* the first argument is the proxy of a value that is another one now */
  bool wants_shown;      /* nothing has happened: it is to be run again, with nothing lent */
};

/* Lets one argument, counted from 1, be the only result of the call. */
void wax_lua_return_argument(wax_lua_host_call *call, int index);

/* [state entered]  Compiles source text (never bytecode) and leaves a registry reference to the
   function in *reference. Its globals are those of the table in the global variable `environment`,
   or Lua's own if that is NULL. On failure coroutine->buffer holds the message. */
wax_lua_status wax_lua_load(wax_lua_coroutine *coroutine, const char *source, size_t count,
                            const char *chunk_name, const char *environment, int *reference);

/* A chunk of the engine's own as Lua has compiled it: bytes of malloc's, or NULL. */
typedef struct wax_lua_compiled {
  unsigned char *bytes;
  size_t count;
} wax_lua_compiled;

/* [state entered]  The same for a chunk of the engine's own, with Lua's globals. What it is
   compiled to is put into `compiled` the first time, and loaded from there after that. Lua checks
   no compiled code: nobody else's may get there. */
wax_lua_status wax_lua_load_chunk(wax_lua_coroutine *coroutine, const char *source, size_t count,
                                  const char *chunk_name, wax_lua_compiled *compiled,
                                  int *reference);

/* [state entered]  Calls the function behind `reference` with the values in coroutine->buffer, then
   puts its results there: `*result_count` top-level values. Strings in it stay valid until
   wax_lua_coroutine_release. */
wax_lua_status wax_lua_coroutine_call(wax_lua_coroutine *coroutine, int reference,
                                      int *result_count);

/* [state entered]  What a call has come to, for who has made it by itself: its results, from
   `first` on the coroutine's stack, or the error on top, into coroutine->buffer. `status` is Lua's.
 */
wax_lua_status wax_lua_coroutine_outcome(wax_lua_coroutine *coroutine, int status, int first,
                                         int *result_count);

/* Stops the calls into Lua that the thread is in, from the innermost to that of `last`, as a limit
   does: each once the Swift code that it has called returns. */
void wax_lua_stop_nested(wax_lua_coroutine *last);
/* [state entered]  The same for one that has waited, before it goes on: it raises at once. */
void wax_lua_stop_waiting(wax_lua_coroutine *coroutine);
/* Whether the innermost one has been stopped like that. */
bool wax_lua_is_stopped_nested(void);

/* The first result of the last call; nil if there was none. */
static inline wax_lua_value wax_lua_coroutine_result(const wax_lua_coroutine *coroutine) {
  return coroutine->buffer.count ? coroutine->buffer.values[0]
                                 : (wax_lua_value){.tag = WAX_LUA_VALUE_NIL};
}

/* [state entered]  Reads the results in coroutine->buffer again, with nothing lent among them. */
wax_lua_status wax_lua_coroutine_show_results(wax_lua_coroutine *coroutine);

/* [state entered]  Pushes what is in call->results now rather than after the function has returned:
   for values that will not live that long. Nothing is to be written after it. */
void wax_lua_push_call_results(wax_lua_host_call *call);

/* [state entered]  Where the Lua code that called is: the level-th function of the script's own up
   the stack. */
bool wax_lua_call_location(lua_State *L, int level, wax_lua_traceback_frame *frame);

/* [-0, +0, -]  The traceback of a running call into `frames`; returns how many. */
int wax_lua_capture_traceback(lua_State *L, int level, wax_lua_traceback_frame *frames, int most);

/* {==================================================================
** Calls that wait
**
** A coroutine can end its turn while its function waits: a callback has set
** call->waits. The coroutine then yields two values, the key below as a light userdata and the
** callback; coroutines of the script's own pass them on outwards. Once whatever it waits for is
** there, the next turn calls that callback for the results, with the first of the arguments.
** =================================================================== */

/* [state entered]  A reference to the key; 0: no memory. */
int wax_lua_reference_wait_key(wax_lua_state *state);
/* [state entered]  A reference to a function (error, was explicit) that raises an error again which
   was caught; 0: no memory. */
int wax_lua_reference_raise(wax_lua_state *state);
/* Whether the argument is what the script's own call of `error` or `throw` raised last. */
bool wax_lua_is_explicit(wax_lua_host_call *call, int index);

/* [state entered]  The first turn of a call of the function behind `reference` with what the
   coroutine's buffer holds. WAX_LUA_STATUS_OK and `*waits` not NULL: it waits; then the coroutine
   must not be released before it has gone on to its end, unless the state is closed before. */
wax_lua_status wax_lua_coroutine_start(wax_lua_coroutine *coroutine, int reference,
                                       int *result_count, wax_lua_callback **waits);
/* [state entered]  The next turn of such a call, on any thread. */
wax_lua_status wax_lua_coroutine_resume(wax_lua_coroutine *coroutine, int *result_count,
                                        wax_lua_callback **waits);

/* Whether Lua code that calls can wait. */
bool wax_lua_call_may_wait(const wax_lua_host_call *call);

/* }================================================================== */

#endif
