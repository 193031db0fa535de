/* SPDX-License-Identifier: MIT
 *
 * The inside of a wax_lua_state, for the files of this target and of those above it in C.
 */
#ifndef WAX_LUA_STATE_PRIVATE_H
#define WAX_LUA_STATE_PRIVATE_H

#include <stdatomic.h>
#include "wax_lua_lock.h"
#include "wax_lua_objects.h"
#include "wax_lua_references.h"
#include "wax_lua_stack.h"
#include "wax_lua_state.h"

/* The object or value that a collected proxy owned, until the state is left. */
typedef struct wax_lua_pending {
  void *pointer;
  const void *type;
  uint32_t kind;
} wax_lua_pending;

#define WAX_LUA_MAX_SPARE 8
#define WAX_LUA_MAX_HIDDEN 4

/* Blocks of malloc's, all of one size, that are used again. */
typedef struct wax_lua_spare {
  void *first; /* each holds the next */
  size_t count;
} wax_lua_spare;

struct wax_lua_state {
  lua_State *main;
  const wax_lua_objects *objects;
  void (*release)(uint32_t kind, void *pointer, const void *type);
  void *context;

  /* Which thread is in, and how often. `owner` is read by any thread: only the owner itself can
     find its own value there, so relaxed order is enough. `depth`: only by the owner. */
  wax_lua_lock lock;
  _Atomic(uintptr_t) owner;
  uint32_t depth;

  /* For observers, see wax_lua_presence_now: written by the thread that comes in. */
  _Atomic(uint64_t) turns;
  _Atomic(uint64_t) owner_thread;
  _Atomic(bool) is_abandoned;

  /* Everything below: only by the thread that is in. */
  wax_lua_coroutine *idle_coroutines;
  size_t idle_coroutine_count;
  wax_lua_coroutine *busy_coroutines; /* the newest first */
  bool has_explicit;                  /* what `error` raised is in the registry */
  bool allows_weak_tables;            /* scripts may give metatables `__mode` */
  _Atomic(wax_lua_coroutine *) piece; /* NULL: none that can be interrupted runs */
  atomic_bool piece_is_interrupted;
  bool refuses_effects; /* scripts call no Swift code that may change something */
  size_t memory_limit;  /* bytes, 0: none */
  size_t most_memory;   /* that it ever held */
  bool is_over;         /* it has overshot that, or that of all, since it was last looked at */
  bool is_system_over;  /* the system had no memory */
  size_t headroom_checked_at; /* bytes that it held when the system was asked for the last time */
  char name[64];              /* the patch's, for the last words */
  size_t granted;             /* of the process's bytes, see memory.c */
  bool has_long_pause;        /* between two collections, likewise */
  bool takes_lines;           /* Lua's new blocks begin lines of their own */
  wax_lua_limits limits;      /* of the calls that begin */
  int64_t looked_up; /* nanoseconds in which names were looked up, and that were not charged */
  int dear_failures; /* look-ups that found nothing and took long */
  int hook_step; /* instructions between two looks; 0: calls have no limits. Fewer once there has
                    been a long string or table */
  _Atomic(size_t) memory; /* written by the thread that is in, read by any */

  /* The Lua functions and fields of objects that Swift keeps. Cycles may go through them. */
  _Atomic(bool) has_edges; /* it keeps, or has kept, something; read by any */
  size_t new_edges;        /* so much more than at the last collection of cycles */
  size_t edge_quota;       /* more than that, and the next is due */

  /* Functions that tracebacks leave out, as they do those of the prelude. */
  lua_CFunction hidden[WAX_LUA_MAX_HIDDEN];
  int hidden_count;

  /* The last error that was caught and may be raised again. */
  bool raises_kept; /* it is: now */
  int kept_frame_count;
  wax_lua_traceback_frame *kept_frames; /* of malloc's: NULL before the first one */

  wax_lua_pending *pending;
  size_t pending_count;
  size_t pending_capacity;

  /* References that Swift gave back: by any thread, under their own lock. */
  wax_lua_lock returned_lock;
  _Atomic(bool) has_returned;
  int *returned;
  size_t returned_count;
  size_t returned_capacity;
  /* References to nothing: their slots in the registry are there. */
  int spare_references[WAX_LUA_MAX_SPARE];
  uint8_t spare_count;

  /* The calls that wait: see the folder Calls. */
  struct wax_call_async_call *async_calls; /* that nobody has adopted */
  wax_lua_spare spare_calls;
  wax_lua_spare spare_turns;

  struct wax_lua_debugger *debugger; /* see debug.c; NULL: there has never been one */
};

/* Positions that every coroutine keeps at the bottom of its stack. */
#define WAX_LUA_COROUTINE_PROXIES 1 /* object -> proxy: the objects' … */
#define WAX_LUA_COROUTINE_HANDLER 2
#define WAX_LUA_COROUTINE_LENT 3 /* … and so are these, WAX_LUA_MAX_LENT of them */
#define WAX_LUA_COROUTINE_BASE (WAX_LUA_COROUTINE_LENT + WAX_LUA_MAX_LENT - 1)

/* Stack slots that a coroutine has from the start: pushing a plain call need not grow it. */
#define WAX_LUA_COROUTINE_SLOTS 64

/* {==================================================================
** Memory
** =================================================================== */

/* Bytes of a string's block that is never refused: like all that is no string, it is made, or the
   process ends. Pushing one does not raise. */
#define WAX_LUA_SURE_STRING 8192

/* Bytes that processors take from each other at once. Each call writes to its state and its
   coroutine: two states that share a line slow each other down by half. */
#define WAX_LUA_CACHE_LINE 64

/* Memory of malloc's in lines of its own; NULL: there is none. */
void *wax_lua_allocate_lines(size_t size);

/* Finds out, once in a process, where a lua_State has its stack: whether that is known. */
bool wax_lua_find_stacks(lua_State *L);
/* lua_Alloc */
void *wax_lua_allocate(void *state, void *block, size_t old_size, size_t new_size);
/* Whether the state, and all of them, may hold so many bytes more. */
bool wax_lua_memory_fits(const wax_lua_state *state, size_t growth);
/* Takes memory for when the system has none, if that has been used up. */
void wax_lua_fill_memory_reserve(void);
/* Sets how much garbage there may be before Lua collects, for a state that holds this many bytes.
 */
void wax_lua_set_collector_pause(wax_lua_state *state, size_t memory);
/* Gives back what the process granted. */
void wax_lua_forget_memory(wax_lua_state *state);

/* }================================================================== */

/* [state entered]  Drops what a storm of calls in flight has left. */
void wax_lua_trim_idle(wax_lua_state *state);

/* {==================================================================
** Releases
** =================================================================== */

/* What was owned by what is gone from Lua is given up once the state has been left. */
void wax_lua_defer_release(wax_lua_state *state, uint32_t kind, void *pointer, const void *type);

/* Leaves states that this thread has entered once; releases follow after all have been left. */
void wax_lua_leave_all(wax_lua_state *const *states, size_t count);

/* ScratchLayout to defer so many. False: no memory. */
bool wax_lua_reserve_releases(wax_lua_state *state, size_t count);

/* [state entered]  Releases on the way what has been deferred, if it is much: the state is left and
   entered again. */
void wax_lua_release_backlog(wax_lua_state *state);

/* }================================================================== */

/* {==================================================================
** What Swift keeps of Lua's
** =================================================================== */

/* Swift keeps something of Lua's from now on: a function, or the fields of an object. */
static inline void wax_lua_note_edge(wax_lua_state *state) {
  atomic_store_explicit(&state->has_edges, true, memory_order_relaxed);
  state->new_edges++;
}

/* Notes that Swift no longer keeps one of these. */
static inline void wax_lua_forget_edge(wax_lua_state *state) {
  if (state->new_edges) state->new_edges--;
}

/* A collection of cycles is due at the end of the call. */
static inline void wax_lua_hasten_cycles(wax_lua_state *state) {
  if (state->has_edges) state->new_edges = state->edge_quota + 1;
}

/* [state entered]  Drops what has been given back by wax_lua_return_reference. */
void wax_lua_release_returned(wax_lua_state *state);

/* }================================================================== */

#endif
