/* SPDX-License-Identifier: MIT
 *
 * A Lua state with the lock it is entered under, its memory limit, and a pool of coroutines: one
 * for each call in flight.
 */
#ifndef WAX_LUA_STATE_H
#define WAX_LUA_STATE_H

#include "wax_lua_values.h"

typedef struct wax_lua_state wax_lua_state;

/* Frames kept of an error, innermost first. */
#define WAX_LUA_MAX_FRAMES 24

typedef struct wax_lua_traceback_frame {
  char source[60]; /* LUA_IDSIZE */
  int32_t line;    /* -1: none (a function written in C or Swift) */
  char name[48];   /* "" if Lua knows none */
  char what;       /* 'L'ua, 'C', or 'm'ain chunk */
} wax_lua_traceback_frame;

/* The limits of one call; 0: no limit. */
typedef struct wax_lua_limits {
  int64_t instructions;
  int64_t nanoseconds; /* of the thread's own time */
} wax_lua_limits;

/* The limit for which the call of a coroutine was stopped. */
typedef enum wax_lua_exceeded_limit {
  WAX_LUA_LIMIT_NONE,
  WAX_LUA_LIMIT_INSTRUCTIONS,
  WAX_LUA_LIMIT_TIME,
  WAX_LUA_LIMIT_CALLED,
  WAX_LUA_LIMIT_MEMORY,
  WAX_LUA_LIMIT_DEPTH,      /* an override in it calls itself through the program */
  WAX_LUA_LIMIT_INTERRUPTED /* somebody has asked for it: see wax_lua_interrupt_piece */
} wax_lua_exceeded_limit;

/* Marks that a call keeps until it ends. */
#define WAX_LUA_MARK_PLACED 1 /* the coroutine's frames are those of where its limit stopped it */
#define WAX_LUA_MARK_KNOWN 2  /* it has stopped for a debugger, as `debug_call` … */
#define WAX_LUA_MARK_STEPS 4  /* … and goes on for a step */

/* The amounts that a call has spent: see wax_lua_budget.h, among the private headers. */
typedef struct wax_lua_budget {
  wax_lua_limits limits;
  int64_t instructions;  /* in all its turns */
  int64_t turn_began_at; /* so many instructions */
  /* These are 0 when a turn begins … */
  int64_t elsewhere; /* since looked_at, in what is not charged */
  int64_t paused_at; /* real time; 0: it is not */
  /* … and these when a call does. */
  int64_t nanoseconds;      /* of the thread's own time */
  int64_t earlier_own_time; /* of earlier turns with many calls */
  int64_t calls;        /* of functions of the program, while the clock ran: their number, … */
  int64_t called;       /* … real time … */
  int64_t longest_call; /* … and that of the longest */
  int64_t called_polled_at; /* `called` at the last look at the thread's own time */
  int refusals;             /* of memory */
  wax_lua_exceeded_limit exceeded_limit;
  uint8_t marks;         /* see WAX_LUA_MARK_PLACED */
  bool clock_runs;       /* not before the first look at the turn */
  int64_t polled_at;     /* real time … */
  int64_t own_time;      /* … and the thread's own at that moment, while the clock runs */
  int64_t turn_own_time; /* the thread's own when the clock of this turn began to run */
  char text[160];        /* what went wrong, once it was asked for */
} wax_lua_budget;

/* Objects that a call of a function that calls originals alone is given without a proxy of their
   own. */
#define WAX_LUA_MAX_LENT 3

/* One coroutine and the buffer of the crossing it carries. */
typedef struct wax_lua_coroutine {
  lua_State *L;
  lua_State *running; /* its coroutine that runs now: its own, or one that the script has made */
  struct wax_lua_coroutine *outer; /* while it runs: the one whose Lua code it was called from */
  wax_lua_state *state;
  struct wax_lua_coroutine *next;     /* idle, or busy for an older call */
  struct wax_lua_coroutine *previous; /* busy for a newer call */
  uint64_t thread;                    /* kernel thread id of the call it is busy for; 0: it waits */
  wax_lua_buffer buffer;
  /* The call's objects for proxies: see the folder Proxies. */
  bool keeps_receiver;            /* for the next call: its first argument stays reachable … */
  struct wax_proxy *receiver;     /* … and this is its proxy, until the coroutine is released */
  bool drops_proxies;             /* what it calls next keeps nothing: see wax_proxy_keeping */
  struct wax_proxy_full *seen;    /* what such a call has seen first, the newest first */
  struct wax_proxy_full **shared; /* what it has seen that other such calls have, too … */
  size_t shared_count, shared_capacity;     /* … see call_lifetime.c */
  struct wax_proxy *lent[WAX_LUA_MAX_LENT]; /* at the bottom of its stack: for objects that
                                                    its call is the only one to see … */
  int lent_count;                           /* … so many of them */
  bool may_wait;         /* its call may go on after those around it have ended */
  void *transients_mark; /* of the objects pushed since, some may be on their way out */
  void *transients;      /* while it waits: those since the mark */
  bool is_broken;        /* it ended in a way that leaves nothing to be used again */
  int reference;         /* the registry's, to its coroutine */
  int step;              /* its hook's, unless it has been tripped */
  int function;          /* the registry reference that is being called */
  wax_lua_budget budget;
  int outer_frames; /* C functions of ours around what is called */
  int first_result; /* where what it has called last has left its results */
  int status;       /* Lua's, of what it has called in turns */
  int frame_count;
  wax_lua_traceback_frame *frames; /* of malloc's: NULL before the first error */
  /* A debugger's data of the call, if its marks say so: see debug.c. */
  uint64_t debug_call;
  const lua_State *debug_coroutine; /* the step began there: to be compared, not followed … */
  int debug_depth;                  /* … in so many functions */
  uint8_t debug_step;               /* a wax_lua_debug_step */
} wax_lua_coroutine;

/* Sets limits for calls that begin from now on. Whether there are limits at all must not change
   once the state has a coroutine. */
void wax_lua_set_limits(wax_lua_state *state, wax_lua_limits limits);

/* Lets scripts give metatables `__mode`. */
void wax_lua_allow_weak_tables(wax_lua_state *state);

/* Has calls of Swift closures run by the host's own code, which refuses them. For a state that has
   run no script yet. */
void wax_lua_refuse_effects(wax_lua_state *state);

/* Whether that was asked for. */
bool wax_lua_refuses_effects(const wax_lua_state *state);

/* [state entered]  The coroutine's next call is a piece that somebody has typed, and may interrupt.
 */
void wax_lua_begin_piece(wax_lua_coroutine *coroutine);
/* [state entered]  It has ended. */
void wax_lua_end_piece(wax_lua_coroutine *coroutine);
/* Stops the piece that runs, if one does, as a limit does: what it calls in Swift goes on. Any
   thread, while the state lives. */
void wax_lua_interrupt_piece(wax_lua_state *state);

/* Bytes that all states of the process may hold together, 0: no limit. Any thread, at any time;
   states that hold more keep what they have. */
void wax_lua_set_total_memory_limit(size_t bytes);

/* Closes the state and releases all it owned. No thread may be in it. Its memory stays, for who
   takes its lock to find that it is closed. */
void wax_lua_state_close(wax_lua_state *state);
void wax_lua_state_free(wax_lua_state *state);

/* Bytes that Lua holds now. */
size_t wax_lua_state_memory(const wax_lua_state *state);

/* The most that it ever held. */
size_t wax_lua_state_most_memory(const wax_lua_state *state);

/* The memory of all states, in steps. */
size_t wax_lua_total_memory(void);

/* Gives the system back what freed states have left to the C library. */
void wax_lua_trim_memory(void);

/* Sets the state's name in the message if the process ends for want of memory. */
void wax_lua_state_set_name(wax_lua_state *state, const char *name);

/* The lock. Recursive: a conversion may run Swift code that calls an override of this state. */
void wax_lua_enter(wax_lua_state *state);
/* Enters unless another thread is in for longer than this. */
bool wax_lua_try_enter(wax_lua_state *state, uint32_t milliseconds);
/* Leaves once. The outermost leave releases what the collector gave up, after unlocking. */
void wax_lua_leave(wax_lua_state *state);
/* Leaves wholly, for as long as foreign code runs; returns what wax_lua_resume needs. */
uint32_t wax_lua_suspend(wax_lua_state *state);
void wax_lua_resume(wax_lua_state *state, uint32_t depth);
bool wax_lua_is_entered(const wax_lua_state *state);
/* Enters, for who can do without: false, and not entered, where another thread is in and the state
   has been given up. */
bool wax_lua_enter_unless_abandoned(wax_lua_state *state);
/* Those who wait for the state in wax_lua_enter_unless_abandoned turn back: the thread that is in
   does not come out. Any thread. */
void wax_lua_abandon(wax_lua_state *state);

/* The thread in a state. */
typedef struct wax_lua_presence {
  uint64_t thread; /* kernel thread id; 0: nobody */
  uint64_t turn;   /* no two stays have the same: one seen twice has lasted for the time between */
} wax_lua_presence;

/* Any thread, at any time; the state must not be closed meanwhile. */
wax_lua_presence wax_lua_presence_now(const wax_lua_state *state);

/* Which of some states a call is best made in: one that the thread has entered, else the one that
 * is its own among them, else one that nobody has entered. That may change before it is entered. */
size_t wax_lua_choose(wax_lua_state *const *states, size_t count);

/* [state entered]  A coroutine with an empty stack; NULL: no memory. */
wax_lua_coroutine *wax_lua_coroutine_acquire(wax_lua_state *state);
/* [state entered]  Frees what the coroutine's buffer has grown to, and forgets what is in it. */
void wax_lua_coroutine_trim(wax_lua_coroutine *coroutine);
/* [state entered]  Takes the coroutine back, whatever is on its stack. */
void wax_lua_coroutine_release(wax_lua_coroutine *coroutine);
/* [state entered]  Before a coroutine that has waited goes on, perhaps on another thread. */
void wax_lua_coroutine_moved(wax_lua_coroutine *coroutine);

/* [state entered]  The Lua functions that the calls of a thread are in, the innermost first, at
   most `most`; those of its innermost call from Swift first. The thread must not be running Lua
   code: it is not, as the state is entered. Returns how many. */
int wax_lua_thread_traceback(wax_lua_state *state, uint64_t thread, wax_lua_traceback_frame *frames,
                             int most);

/* [state entered]  A full collection. */
void wax_lua_collect(wax_lua_state *state);

/* [state entered]  A step of one, some tens of microseconds. True: it was the last one. */
bool wax_lua_collect_step(wax_lua_state *state);

/* initial-exec: one instruction, in a shared library too, at the price of 8 bytes of static TLS. */
extern _Thread_local void *wax_lua_current_active_call __attribute__((tls_model("initial-exec")));

/* The record that this thread has last set: the innermost override that it is in. */
static inline void *wax_lua_active_call(void) { return wax_lua_current_active_call; }
static inline void wax_lua_set_active_call(void *active) { wax_lua_current_active_call = active; }

/* The context that the hooks were given. */
void *wax_lua_state_context(const wax_lua_state *state);

/* The state that a coroutine of it belongs to. */
static inline wax_lua_state *wax_lua_state_of(lua_State *L) {
  return *(wax_lua_state **)lua_getextraspace(L);
}

/* Around what is found out once for the whole process, such as which code of the program calls
   what: the script that asks first is not charged for the time. No Lua code runs in between. False:
   there is nothing to end. */
bool wax_lua_begin_uncounted(void);
void wax_lua_end_uncounted(void);

#endif
