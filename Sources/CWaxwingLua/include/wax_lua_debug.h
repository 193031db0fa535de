/* SPDX-License-Identifier: MIT
 *
 * A debugger of a state: calls stop at lines of the script's files, and go on when they are told
 * to.
 *
 * A hook looks at lines while a debugger has asked for some, and no longer. A call that stops waits
 * in the hook, as one does whose original runs: it has left the state, and other calls go on. What
 * it waits is not charged to it.
 */
#ifndef WAX_LUA_DEBUG_H
#define WAX_LUA_DEBUG_H

#include "wax_lua_state.h"

typedef enum wax_lua_stop_reason {
  WAX_LUA_STOP_BREAKPOINT,
  WAX_LUA_STOP_STEP,
  WAX_LUA_STOP_PAUSE,
  WAX_LUA_STOP_FAULT
} wax_lua_stop_reason;

/* The way in which a call goes on. */
typedef enum wax_lua_debug_step {
  WAX_LUA_DEBUG_CONTINUE,
  WAX_LUA_DEBUG_STEP_IN,
  WAX_LUA_DEBUG_STEP_OVER,
  WAX_LUA_DEBUG_STEP_OUT
} wax_lua_debug_step;

/* A call that is about to stop, or that has. In memory of the hook's. */
typedef struct wax_lua_stop {
  struct wax_lua_stop *next;
  uint64_t number; /* the client's: no two stops have the same */
  uint64_t call;   /* the client's, which the call keeps; 0: it has none yet */
  lua_State *L;    /* the coroutine that runs */
  wax_lua_coroutine *coroutine;
  uint64_t thread; /* kernel thread id */
  wax_lua_stop_reason reason;
  uint32_t breakpoint; /* where that is the reason: the client's number of it */
  int line;
  const char *source; /* the file, as the script's chunks are named, without the @ */
} wax_lua_stop;

/* [state entered]  None of them raises an error. */
typedef struct wax_lua_debug_client {
  void *context;
  /* Gives the stop its number, and tells whether the call is to stop. May run Lua code. */
  bool (*stops)(void *context, wax_lua_stop *stop);
  /* [state left]  Returns when the call is to go on. */
  wax_lua_debug_step (*wait)(void *context, uint64_t number);
} wax_lua_debug_client;

typedef struct wax_lua_breakpoint {
  const char *source; /* as in wax_lua_stop; copied */
  int line;
  uint32_t number;
} wax_lua_breakpoint;

/* [state entered]  Attaches a debugger, in place of the one before. False: no memory. The context
   has to be there until the state is closed. */
bool wax_lua_debug_attach(wax_lua_state *state, wax_lua_debug_client client);

/* Any thread: no call stops any more. Those that have are the client's to be let go. The state must
   have had a debugger, and not be closed meanwhile. */
void wax_lua_debug_detach(wax_lua_state *state);

/* [state entered]  All breakpoints, in place of those before, and whether calls stop at errors that
   leave the script's code. False: no memory, and nothing has changed. */
bool wax_lua_debug_set(wax_lua_state *state, const wax_lua_breakpoint *breakpoints, size_t count,
                       bool stops_at_faults);

/* [state entered]  The next line of any call stops it. */
void wax_lua_debug_pause(wax_lua_state *state);

/* [state entered]  A call that has stopped; NULL: it has gone on. */
wax_lua_stop *wax_lua_debug_stop(const wax_lua_state *state, uint64_t number);

/* Between these the thread does not stop, whatever it calls: it works for the debugger. */
void wax_lua_debug_begin_quiet(void);
void wax_lua_debug_end_quiet(void);

#endif
