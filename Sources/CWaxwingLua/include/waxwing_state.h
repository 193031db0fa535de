/* SPDX-License-Identifier: MIT
 *
 * A Lua state with the lock it is entered under, its memory limit, and a pool of lanes: one
 * coroutine for each call in flight.
 */
#ifndef WAXWING_STATE_H
#define WAXWING_STATE_H

#include "waxwing_values.h"

typedef struct waxwing_state waxwing_state;

/* Frames kept of an error, innermost first. */
#define WAXWING_MAX_FRAMES 24

typedef struct waxwing_traceback_frame {
  char source[60]; /* LUA_IDSIZE */
  int32_t line;    /* -1: none (a function written in C or Swift) */
  char name[48];   /* "" if Lua knows none */
  char what;       /* 'L'ua, 'C', or 'm'ain chunk */
} waxwing_traceback_frame;

/* Of one call; 0: as much as it likes. */
typedef struct waxwing_limits {
  int64_t instructions;
  int64_t nanoseconds; /* of the thread's own time */
} waxwing_limits;

/* What the call of a lane was stopped for. */
typedef enum waxwing_trip {
  WAXWING_TRIP_NONE,
  WAXWING_TRIP_INSTRUCTIONS,
  WAXWING_TRIP_TIME,
  WAXWING_TRIP_CALLED,
  WAXWING_TRIP_MEMORY
} waxwing_trip;

/* What a call has spent, and of what: see waxwing_budget.h, among the private headers. */
typedef struct waxwing_spending {
  waxwing_limits limits;
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
  int64_t called_looked_at; /* `called` at the last look at the thread's own time */
  int refusals;             /* of memory */
  waxwing_trip trip;
  bool trip_is_placed;   /* the lane's frames are those of the trip */
  bool clock_runs;       /* not before the first look at the turn */
  int64_t looked_at;     /* real time … */
  int64_t own_time;      /* … and the thread's own at that moment, while the clock runs */
  int64_t turn_own_time; /* the thread's own when the clock of this turn began to run */
  char text[160];        /* what went wrong, once it was asked for */
} waxwing_spending;

/* Objects that a call of a function that calls originals alone is given without a proxy of their
   own. */
#define WAXWING_MOST_LENT 3

/* One coroutine and the buffer of the crossing it carries. */
typedef struct waxwing_lane {
  lua_State *L;
  lua_State *running; /* its coroutine that runs now: its own, or one that the script has made */
  waxwing_state *state;
  struct waxwing_lane *next;     /* idle, or busy for an older call */
  struct waxwing_lane *previous; /* busy for a newer call */
  uint64_t thread;               /* kernel thread id of the call it is busy for; 0: it waits */
  waxwing_buffer buffer;
  /* What proxies have of the call: see CWaxwingProxies. */
  bool keeps_receiver;             /* for the next call: its first argument stays reachable … */
  struct waxwing_proxy *receiver;  /* … and this is its proxy, until the lane is released */
  bool drops_proxies;              /* what it calls next keeps nothing: see waxwing_keeping */
  struct waxwing_full_proxy *seen; /* what such a call has seen first, the newest first */
  struct waxwing_full_proxy **shared;   /* what it has seen that other such calls have, too … */
  size_t shared_count, shared_capacity; /* … see waxwing_seen.c */
  struct waxwing_proxy *lent[WAXWING_MOST_LENT]; /* at the bottom of its stack: for objects that
                                                    its call is the only one to see … */
  int lent_count;                                /* … so many of them */
  bool may_wait;         /* its call may go on after those around it have ended */
  void *transients_mark; /* of the objects pushed since, some may be on their way out */
  void *transients;      /* while it waits: those since the mark */
  bool is_broken;        /* it ended in a way that leaves nothing to be used again */
  int reference;         /* the registry's, to its coroutine */
  int step;              /* its hook's, unless it has been tripped */
  int function;          /* the registry reference that is being called */
  waxwing_spending spending;
  int outer_frames; /* C functions of ours around what is called */
  int status;       /* Lua's, of what it has called in turns */
  int frame_count;
  waxwing_traceback_frame *frames; /* of malloc's: NULL before the first error */
} waxwing_lane;

/* For calls that begin from now on. Whether there are limits at all must not change once the state
   has a lane. */
void waxwing_set_limits(waxwing_state *state, waxwing_limits limits);

/* Lets scripts give metatables `__mode`. */
void waxwing_allow_weak_tables(waxwing_state *state);

/* Bytes that all states of the process may hold together, 0: no limit. Any thread, at any time;
   states that hold more keep what they have. */
void waxwing_set_total_memory_limit(size_t bytes);

/* Closes the state and releases all it owned. No thread may be in it. */
void waxwing_state_close(waxwing_state *state);

/* Bytes that Lua holds now. */
size_t waxwing_state_memory(const waxwing_state *state);

/* The most that it ever held. */
size_t waxwing_state_most_memory(const waxwing_state *state);

/* The same of all states, in steps. */
size_t waxwing_total_memory(void);

/* Gives the system back what freed states have left to the C library. */
void waxwing_trim_memory(void);

/* How the state is called if the process ends for want of memory. */
void waxwing_state_set_name(waxwing_state *state, const char *name);

/* The lock. Recursive: a conversion may run Swift code that calls an override of this state. */
void waxwing_enter(waxwing_state *state);
/* Enters unless another thread is in for longer than this. */
bool waxwing_try_enter(waxwing_state *state, uint32_t milliseconds);
/* Leaves once. The outermost leave releases what the collector gave up, after unlocking. */
void waxwing_leave(waxwing_state *state);
/* Leaves wholly, for as long as foreign code runs; returns what waxwing_resume needs. */
uint32_t waxwing_suspend(waxwing_state *state);
void waxwing_resume(waxwing_state *state, uint32_t depth);
bool waxwing_is_entered(const waxwing_state *state);
/* Enters, for who can do without: false, and not entered, where another thread is in and the state
   has been given up. */
bool waxwing_enter_unless_given_up(waxwing_state *state);
/* Those who wait for the state in waxwing_enter_unless_given_up turn back: the thread that is in
   does not come out. Any thread. */
void waxwing_give_up(waxwing_state *state);

/* Who is in a state. */
typedef struct waxwing_presence {
  uint64_t thread; /* kernel thread id; 0: nobody */
  uint64_t turn;   /* no two stays have the same: one seen twice has lasted for the time between */
} waxwing_presence;

/* Any thread, at any time; the state must not be closed meanwhile. */
waxwing_presence waxwing_present(const waxwing_state *state);

/* Which of some states a call is best made in: one that the thread has entered, else the one that
 * is its own among them, else one that nobody has entered. That may change before it is entered. */
size_t waxwing_choose(waxwing_state *const *states, size_t count);

/* [state entered]  A lane with an empty stack; NULL: no memory. */
waxwing_lane *waxwing_lane_acquire(waxwing_state *state);
/* [state entered]  Frees what the lane's buffer has grown to, and forgets what is in it. */
void waxwing_lane_trim(waxwing_lane *lane);
/* [state entered]  Takes the lane back, whatever is on its stack. */
void waxwing_lane_release(waxwing_lane *lane);
/* [state entered]  Before a lane that has waited goes on, perhaps on another thread. */
void waxwing_lane_moved(waxwing_lane *lane);

/* [state entered]  The Lua functions that the calls of a thread are in, the innermost first, at
   most `most`; those of its innermost call from Swift first. The thread must not be running Lua
   code: it is not, as the state is entered. Returns how many. */
int waxwing_thread_traceback(waxwing_state *state, uint64_t thread, waxwing_traceback_frame *frames,
                             int most);

/* [state entered]  A full collection. */
void waxwing_collect(waxwing_state *state);

/* [state entered]  A step of one, some tens of microseconds. True: it was the last one. */
bool waxwing_collect_step(waxwing_state *state);

/* Whether Lua can be entered here; it can where nothing is known of the stack. */
typedef enum waxwing_stack_room {
  WAXWING_STACK_HAS_ROOM,
  WAXWING_STACK_SHORT,  /* the thread's stack is, or what is left of it */
  WAXWING_STACK_FOREIGN /* the stack is not the thread's: nothing tells how long it is */
} waxwing_stack_room;
waxwing_stack_room waxwing_stack_room_here(void);

/* initial-exec: one instruction, in a shared library too, at the price of 8 bytes of static TLS. */
extern _Thread_local void *waxwing_current_activation __attribute__((tls_model("initial-exec")));

/* What this thread has last set: the innermost override that it is in. */
static inline void *waxwing_activation(void) { return waxwing_current_activation; }
static inline void waxwing_set_activation(void *activation) {
  waxwing_current_activation = activation;
}

/* What the hooks were given as their context. */
void *waxwing_state_context(const waxwing_state *state);

/* The state that a coroutine of it belongs to. */
static inline waxwing_state *waxwing_state_of(lua_State *L) {
  return *(waxwing_state **)lua_getextraspace(L);
}

#endif
