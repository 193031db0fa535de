/* SPDX-License-Identifier: MIT
 *
 * The held functions of one script, Lua functions that Swift holds, and the calls that are in them:
 * on any thread, at any time, also after the script has ended.
 */
#ifndef WAX_CALL_LUA_CLOSURE_H
#define WAX_CALL_LUA_CLOSURE_H

#include "wax_lua_lock.h"
#include "wax_call_override.h"

/* A call of a Lua function by Swift, on the stack of its thread. */
typedef struct wax_call_lua_closure_call {
  struct wax_call_lua_closure_call *older;
  struct wax_call_lua_closure_call *newer;
  uint64_t number; /* no two calls of a script have the same */
  uint64_t thread;
  uint64_t began;     /* by CLOCK_MONOTONIC_COARSE, in nanoseconds */
  const void *method; /* the name of what is called, a String; NULL: a closure */
  bool is_for_object;
  bool is_collection; /* the garbage collector: none of the script's code */
} wax_call_lua_closure_call;

/* The context of a closure that is made of a Lua function: a Swift object, which the self register
   holds in a call. C looks at no more of it than this. */
typedef struct wax_call_lua_closure_context {
  const void *metadata;
  uintptr_t reference_counts;
  const void *handler; /* a wax_runtime_closure_handler, or an async one */
  size_t stack_bytes;
  const struct wax_call_lua_closure_plan *plan; /* NULL: its calls take Swift */
  struct wax_call_lua_closure *held;            /* NULL: it has no Lua function, and never had */
  struct wax_call_lua_closure_context *older;
  struct wax_call_lua_closure_context *newer;
  int reference; /* of the Lua function, in the registry */
} wax_call_lua_closure_context;

/* All held functions of one script. Its lists are read and written under locks, under which nothing
 * else is done. `lock` guards everything except the list of the calls that C makes. The thread that
 * is in the state changes that list without an atomic instruction: it sets `is_listing` and checks
 * `others` with plain loads and stores. A thread that is not in the state takes `others` to read
 * the list, and waits until `is_listing` is clear. See wax_runtime_barrier.h. Ends are written
 * under both locks. */
typedef struct wax_call_lua_closure {
  wax_lua_lock lock;
  wax_lua_lock others;
  _Atomic(bool) is_listing;
  wax_lua_state *state; /* open as long as there are calls or the script has not ended; its memory,
                           and so its own lock, as long as this */
  uint64_t breadcrumb;  /* how breadcrumbs name the patch */
  bool is_ended;
  bool is_over;       /* nothing goes on for objects of the script's classes either */
  uint64_t exception; /* the thread for which the functions go on after the end; 0: there is none */
  uint64_t calls_made;        /* by Swift … */
  uint64_t calls_made_inside; /* … and by C */
  wax_call_lua_closure_call *newest;
  wax_call_lua_closure_call *newest_inside;
  wax_call_lua_closure_context *newest_closure; /* those that are alive; they are not retained */
  size_t closure_count;
} wax_call_lua_closure;

void wax_call_lua_closure_init(wax_call_lua_closure *held, wax_lua_state *state,
                               uint64_t breadcrumb);

/* All lists. Costs a system call. */
void wax_call_lua_closure_lock(wax_call_lua_closure *held);
void wax_call_lua_closure_unlock(wax_call_lua_closure *held);

/* Announces the call: the state stays open until wax_call_lua_closure_leave. False: the script has
   ended. `method` and `is_for_object` have been set. */
bool wax_call_lua_closure_enter(wax_call_lua_closure *held, wax_call_lua_closure_call *call);
void wax_call_lua_closure_leave(wax_call_lua_closure *held, wax_call_lua_closure_call *call);

/* [state entered]  The end of a call that C has made, before its state is left. */
void wax_call_lua_closure_leave_inside(wax_call_lua_closure *held, wax_call_lua_closure_call *call);

void wax_call_lua_closure_add(wax_call_lua_closure *held, wax_call_lua_closure_context *closure);

/* The closure dies; its function is dropped when the state is entered next. */
void wax_call_lua_closure_remove(wax_call_lua_closure *held, wax_call_lua_closure_context *closure);

/* How closures of one type are called. */
typedef struct wax_call_lua_closure_plan {
  wax_call_arguments arguments;
  wax_call_result result;
  /* The long way: the whole call. */
  void (*run)(wax_call_lua_closure_context *closure, wax_runtime_frame *frame);
  /* [state entered]  Its end, once the Lua function has returned or failed: what is on the
     coroutine's stack from `first` on are the results, or the error on top. Releases the coroutine,
     leaves the call by wax_call_lua_closure_leave_inside, and then the state. */
  void (*conclude)(wax_call_lua_closure_context *closure, wax_runtime_frame *frame,
                   wax_lua_coroutine *coroutine, wax_call_lua_closure_call *call, int status,
                   int first);
} wax_call_lua_closure_plan;

/* A wax_runtime_closure_handler: the context is a wax_call_lua_closure_context with a plan. */
void wax_call_run_lua_closure(void *context, wax_runtime_frame *frame);

#endif
