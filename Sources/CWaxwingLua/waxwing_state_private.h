/* SPDX-License-Identifier: MIT
 *
 * The inside of a waxwing_state, for the files of this target.
 */
#ifndef WAXWING_STATE_PRIVATE_H
#define WAXWING_STATE_PRIVATE_H

#include <pthread.h>
#include <stdatomic.h>
#include "waxwing_call.h"
#include "waxwing_cycles.h"
#include "waxwing_lock.h"
#include "waxwing_proxy.h"
#include "waxwing_stack.h"

/* What a collected proxy owned, until the state is left. */
typedef struct waxwing_pending {
  void *pointer;
  const void *type;
  uint32_t kind;
} waxwing_pending;

/* The Swift runtime's: whether an object's deinitializer has begun. It must not be retained then.
 */
extern bool swift_isDeallocating(void *object);

typedef struct waxwing_tally waxwing_tally;

#define WAXWING_MOST_SPARE 8

/* Blocks of malloc's, all of one size, that are used again. */
typedef struct waxwing_spare {
  void *first; /* each holds the next */
  size_t count;
} waxwing_spare;

struct waxwing_state {
  lua_State *main;
  waxwing_hooks hooks;

  /* Which thread is in, and how often. `owner` is read by any thread: only the owner itself can
     find its own value there, so relaxed order is enough. `depth`: only by the owner. */
  waxwing_lock lock;
  _Atomic(uintptr_t) owner;
  uint32_t depth;

  /* For those that watch, see waxwing_present: written by the thread that comes in. */
  _Atomic(uint64_t) turns;
  _Atomic(uint64_t) owner_thread;
  _Atomic(bool) is_given_up;

  /* Everything below: only by the thread that is in. */
  waxwing_lane *idle_lanes;
  size_t idle_lane_count;
  waxwing_lane *busy_lanes; /* the newest first */
  bool has_explicit;        /* what `error` raised is in the registry */
  bool allows_weak_tables;  /* scripts may give metatables `__mode` */
  bool has_fallbacks;       /* `fallback` has been called */
  size_t memory_limit;      /* bytes, 0: none */
  size_t most_memory;       /* that it ever held */
  bool is_over;             /* it has overshot that, or that of all, since it was last looked at */
  bool is_system_over;      /* the system had no memory */
  size_t headroom_checked_at; /* bytes that it held when the system was asked for the last time */
  char name[64];              /* the patch's, for the last words */
  size_t granted;             /* of the process's bytes, see waxwing_memory.c */
  bool has_long_pause;        /* between two collections, likewise */
  bool takes_lines;           /* Lua's new blocks begin lines of their own */
  waxwing_limits limits;      /* of the calls that begin */
  int64_t looked_up; /* nanoseconds in which names were looked up, and that were not charged */
  int dear_failures; /* look-ups that found nothing and took long */
  int hook_step; /* instructions between two looks; 0: calls have no limits. Fewer once there has
                    been a long string or table */
  _Atomic(size_t) memory;           /* written by the thread that is in, read by any */
  _Atomic(size_t) live_proxies;     /* likewise */
  _Atomic(waxwing_tally *) tallies; /* likewise; newest first */

  /* The pace of the collector, see waxwing_tally.c. */
  size_t quota;         /* proxies that may be made between two collections */
  size_t collect_above; /* this number of live proxies */
  uint32_t proxies_since_step;

  /* Objects with fields, see waxwing_fields.c. */
  void **field_owners;
  size_t field_owner_count;
  size_t field_owner_capacity;
  size_t field_hand; /* the next one to look at */

  /* Cycles through Swift, see waxwing_cycles.c. */
  waxwing_cycle_hooks cycle_hooks;
  waxwing_full_proxy *weak_references; /* that Lua code has, the newest first */
  bool postpones;                      /* proxies are not collected yet, but for those of cycles */
  _Atomic(bool) has_edges; /* Swift keeps, or has kept, something of Lua's; read by any */
  size_t new_edges;        /* so much more than at the last collection of cycles */
  size_t edge_quota;       /* more than that, and the next is due */

  /* Of the last error of a piece of advice, see waxwing_advice.c. */
  bool rethrows_advice;
  int advice_frame_count;
  waxwing_traceback_frame *advice_frames; /* of malloc's: NULL before the first one */

  waxwing_pending *pending;
  size_t pending_count;
  size_t pending_capacity;

  /* References that Swift gave back: by any thread, under their own lock. */
  pthread_mutex_t returned_mutex;
  _Atomic(bool) has_returned;
  int *returned;
  size_t returned_count;
  size_t returned_capacity;
  /* References to nothing: their slots in the registry are there. */
  int spare_references[WAXWING_MOST_SPARE];
  uint8_t spare_count;

  /* Of calls that wait, see CWaxwingCalls. */
  struct waxwing_async_call *async_calls; /* that nobody has adopted */
  waxwing_spare spare_calls;
  waxwing_spare spare_turns;
};

/* Keys in the registry: the addresses. */
extern const char waxwing_proxies_key;    /* object -> proxy, weak values */
extern const char waxwing_metatables_key; /* type -> metatable */
extern const char waxwing_explicit_key;   /* the value that `error` last raised */
extern const char waxwing_message_key;    /* what `error` was called with then */

/* Positions that every lane keeps at the bottom of its stack. */
#define WAXWING_LANE_PROXIES 1
#define WAXWING_LANE_HANDLER 2
#define WAXWING_LANE_LENT 3 /* WAXWING_MOST_LENT of them */
#define WAXWING_LANE_BASE (WAXWING_LANE_LENT + WAXWING_MOST_LENT - 1)

/* Stack slots that a lane has from the start: pushing a plain call need not grow it. */
#define WAXWING_LANE_SLOTS 64

/* [-0, +0, -]  Appends the function on top as Lua has compiled it. False: no memory, and nothing is
   there. */
bool waxwing_dump(lua_State *L, bool is_stripped, waxwing_compiled *compiled);

/* [-0, +1, m]  A Lua function that runs the callback. */
void waxwing_push_callback(lua_State *L, waxwing_callback *callback);

/* Takes room for WAXWING_MAX_FRAMES, if there is none yet: most states never need it. False: there
   is no memory, and errors are without a traceback. */
bool waxwing_take_frames(waxwing_traceback_frame **frames);
/* [-0, +0, -]  The traceback of a running call, with room taken for it; returns how many. */
int waxwing_capture_frames(lua_State *L, int level, waxwing_traceback_frame **frames);

/* [-1, +1, -]  A message handler that records the traceback in the lane and keeps the value. */
int waxwing_record_traceback(lua_State *L);

/* [-1, +1, v]  `error` and `throw` for scripts. */
/* [-0, +0, -]  Makes the function a global. False: no memory. */
bool waxwing_define_global(waxwing_state *state, const char *name, lua_CFunction function);
int waxwing_error_function(lua_State *L);
int waxwing_throw_function(lua_State *L);
int waxwing_raise_again(lua_State *L);
/* (error) -> message: what `xpcall` puts around a handler. */
int waxwing_handle_message(lua_State *L);

/* [-0, +0, -]  The error at `index` into the buffer, and what the script raised it with if it did.
   The value must stay on the stack: the buffer borrows its string. */
waxwing_status waxwing_read_error_at(lua_State *L, int index, waxwing_buffer *buffer);

/* [-0, +0, -]  The error on top of the lane into its buffer. */
waxwing_status waxwing_read_lane_error(waxwing_lane *lane, int status);
/* [-0, +0, -]  What is on the lane's stack from `first` on into its buffer. */
waxwing_status waxwing_read_lane_results(waxwing_lane *lane, int first, int *result_count);
/* [-0, +(0|1), -]  The function and its arguments are on top, the function at `function`. If the
   lane keeps the receiver, puts that below them. Returns where the function is now. */
int waxwing_keep_receiver(lua_State *L, waxwing_lane *lane, int function);

/* [-0, +?, e]  In a C function that Lua called: ends its turn, and the call with what `waits` gives
   later. */
int waxwing_wait_for(lua_State *L, waxwing_callback *waits);

/* {==================================================================
** Budgets
** =================================================================== */

/* Of a new lane. The beginning and the end of a call are in waxwing_turn.h. */
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

/* [-0, +0, -]  Whether the function at `index` calls the original of the running override. */
bool waxwing_is_original(lua_State *L, int index);

/* A proxy that has just been made: if the running call keeps nothing it is let go at its end. */
void waxwing_proxy_seen(waxwing_state *state, waxwing_proxy *proxy);

/* One that was made before is pushed, and on top. */
void waxwing_proxy_seen_again(lua_State *L);

/* Lua code that may keep it is given the value at `index`, if that is a proxy. */
void waxwing_keep_proxy(lua_State *L, int index);

/* In its finalizer: no call has it any more. */
void waxwing_proxy_collected(lua_State *L, waxwing_proxy *proxy);

/* [state entered]  Drops what a storm of calls in flight has left. */
void waxwing_trim_idle(waxwing_state *state);

/* [state entered]  At the end of a call, before its lane is released. */
void waxwing_drop_seen(waxwing_lane *lane);

/* The same without letting anything go. */
void waxwing_forget_seen(waxwing_lane *lane);

/* [state entered]  A function's, as if it had been collected. */
void waxwing_drop_closure(waxwing_state *state, waxwing_proxy *proxy);

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

/* {==================================================================
** Memory
** =================================================================== */

/* Bytes of a string's block that is never refused: like all that is no string, it is made, or the
   process ends. Pushing one does not raise. */
#define WAXWING_SURE_STRING 8192

/* Bytes that processors take from each other at once. Each call writes to its state and its lane:
   two states that share a line slow each other down by half. */
#define WAXWING_LINE 64

/* Memory of malloc's in lines of its own; NULL: there is none. */
void *waxwing_allocate_lines(size_t size);

/* lua_Alloc */
void *waxwing_allocate(void *state, void *block, size_t old_size, size_t new_size);
/* Whether the state, and all of them, may hold so many bytes more. */
bool waxwing_memory_fits(const waxwing_state *state, size_t growth);
/* Takes memory for when the system has none, if that has been used up. */
void waxwing_fill_memory_reserve(void);
/* How much garbage there may be before Lua collects, for a state that holds so many bytes. */
void waxwing_set_collector_pause(waxwing_state *state, size_t memory);
/* Gives back what the process granted. */
void waxwing_forget_memory(waxwing_state *state);

/* }================================================================== */

/* Lets go of what `error` raised, which would live on as long as the state. */
void waxwing_forget_explicit(waxwing_state *state);

/* [-0, +0, me]  Opens the libraries that scripts may use. */
void waxwing_open_libraries(lua_State *L, waxwing_libraries libraries);

void waxwing_defer_release(waxwing_state *state, uint32_t kind, void *pointer, const void *type);

/* Of states that this thread has entered once: releases after all have been left. */
void waxwing_leave_all(waxwing_state *const *states, size_t count);

/* Room to defer the release of all that proxies hold. False: no memory. */
bool waxwing_reserve_releases(waxwing_state *state);

/* [state entered]  Releases on the way what has been deferred, if it is much: the state is left and
   entered again. */
void waxwing_release_backlog(waxwing_state *state);

/* [-0, +0, e]  Raises a message with the position of the script's own code that runs. */
int waxwing_raise(lua_State *L, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* [-?, +0, -]  Before an error is raised in a C function that may have filled its part of the stack
   with results: room to do so, if need be where some of them were. */
void waxwing_make_room(lua_State *L);

/* [-0, +1, m]  A proxy of nothing yet, without metatable, with room for so many Lua values.
   `is_full`: a waxwing_full_proxy. */
waxwing_proxy *waxwing_new_proxy(lua_State *L, int user_values, bool is_full);

/* [-0, +1, m]  One to be lent to call after call. It can be given any metatable at little cost. */
waxwing_proxy *waxwing_new_lent_proxy(lua_State *L);

/* {==================================================================
** Tallies: how many proxies of one type hold something
** =================================================================== */

/* Finds or makes it; NULL: no memory. Lives as long as the state. */
waxwing_tally *waxwing_add_tally(waxwing_state *state, const void *type, uint32_t kind);
void waxwing_tally_proxy(waxwing_state *state, waxwing_tally *tally, int change);
void waxwing_free_tallies(waxwing_state *state);

/* [-0, +0, m]  A step of the collector if it is time for one. */
void waxwing_pace(lua_State *L);
/* After a complete collection. */
void waxwing_set_pace(waxwing_state *state);

/* }================================================================== */

/* {==================================================================
** Fields: (proxy, name, field, …) for reading, (proxy, name, value, …) for writing
** =================================================================== */

/* Of the table that describes a declared field. */
#define WAXWING_FIELD_DEFAULT 1 /* a value, or a function that makes it of the object */
#define WAXWING_FIELD_IS_MADE 2 /* which of them */

/* [-0, +1, ve]  Returns 1; or 0 and pushes nothing if the proxy is of no object. */
int waxwing_get_field(lua_State *L);
/* [-0, +0, me]  Returns false if the proxy is of no object. */
bool waxwing_set_field(lua_State *L);
/* (proxy) -> +1 or +0, m  A table of the names and values of its fields, for people to read. */
void waxwing_push_fields(lua_State *L);
/* [-0, +1, -]  The table of an object's fields, or nil. Returns its type. */
int waxwing_push_fields_of(lua_State *L, void *owner);
/* [-1, +0, -]  Sets it, for an object that has one. */
void waxwing_set_fields_of(lua_State *L, void *owner);
/* [-0, +0, -]  Forgets the fields of dead objects; looks at so many at most. */
void waxwing_sweep_fields(lua_State *L, size_t most);
/* When the Lua state is closed. */
void waxwing_forget_fields(waxwing_state *state);
void waxwing_open_fields(lua_State *L);

/* }================================================================== */

/* Swift keeps something of Lua's from now on: a function, or the fields of an object. */
static inline void waxwing_note_edge(waxwing_state *state) {
  atomic_store_explicit(&state->has_edges, true, memory_order_relaxed);
  state->new_edges++;
}

/* It keeps something no longer. */
static inline void waxwing_forget_edge(waxwing_state *state) {
  if (state->new_edges) state->new_edges--;
}

/* A collection of cycles is due at the end of the call. */
static inline void waxwing_hasten_cycles(waxwing_state *state) {
  if (state->has_edges) state->new_edges = state->edge_quota + 1;
}

/* [-0, +?, m]  In a finalizer, of the proxy at 1: leaves it to the next collection, if it is not to
   give up what it holds in this one. Before anything that can raise it is safe. */
bool waxwing_postpone(lua_State *L, const waxwing_proxy *proxy);

/* After a collection of cycles: when the next is due. */
void waxwing_set_cycle_quota(waxwing_state *state);

/* A weak reference of Lua code's is nil from now on. */
void waxwing_end_weak_reference(waxwing_full_proxy *weak);

/* [-0, +0, m]  The global function `weak`. */
void waxwing_open_weak(lua_State *L);

#endif
