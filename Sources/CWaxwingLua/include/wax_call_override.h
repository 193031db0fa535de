/* SPDX-License-Identifier: MIT
 *
 * One synchronous call of an override, from the registers to Lua's stack and back, without Swift.
 *
 * The Swift side compiles a CallPlan into a wax_call_override where the plan is of values that C
 * can move. Whatever is unusual about a call, as that the state is another thread's or that the
 * result does not fit, goes the long way, through Swift: from the beginning where nothing has
 * happened yet, or else from the end of the Lua function. See docs/call-path.md.
 */
#ifndef WAX_CALL_OVERRIDE_H
#define WAX_CALL_OVERRIDE_H

#include <stdatomic.h>

#include "wax_runtime_async.h"
#include "wax_lua_call.h"
#include "wax_call_active.h"
#include "wax_lua_state.h"
#include "wax_lua_values.h"

/* One value: how it is moved, and where it stands. */
typedef struct wax_call_step {
  uint8_t move;    /* a wax_lua_move */
  bool is_owned;   /* the function takes it over */
  uint16_t offset; /* in bytes from the start of the frame */
} wax_call_step;

#define WAX_CALL_MAX_STEPS 14

/* Which calls of an override have something to do in Lua. */
typedef enum wax_call_admission {
  WAX_CALL_ADMITS_ALL,
  WAX_CALL_ADMITS_SOME,
  WAX_CALL_ADMITS_NONE
} wax_call_admission;

/* Bytes that processors take from each other at once. */
#define WAX_CALL_CACHE_LINE 64

/* What an override's calls read and write, on any thread: which of them enter Lua, how many have,
   and where originals go on. It is no switch: that is the session's. Each gate has a cache line of
   its own. */
typedef struct wax_call_gate {
  _Atomic uint8_t admission;
  _Atomic int64_t calls; /* written by the thread that is in the state */
  _Atomic(const void *)
      layer; /* what originals go on from, a wax_runtime_layer; NULL: not installed */
  /* How `original(…)` calls the original: see wax_lua_callback.direct. Written and read by the
     thread that is in the state. NULL: it takes Swift. */
  int (*original)(lua_State *L, void *plan, int argument_count);
  void *original_plan;
} wax_call_gate;

static inline const void *wax_call_gate_layer(const wax_call_gate *gate) {
  return atomic_load_explicit(&gate->layer, memory_order_acquire);
}

static inline void wax_call_gate_install(wax_call_gate *gate, const void *layer) {
  atomic_store_explicit(&gate->layer, layer, memory_order_release);
}

static inline uint8_t wax_call_gate_admission(const wax_call_gate *gate) {
  return atomic_load_explicit(&gate->admission, memory_order_acquire);
}

static inline void wax_call_gate_admit(wax_call_gate *gate, uint8_t admission) {
  atomic_store_explicit(&gate->admission, admission, memory_order_release);
}

static inline int64_t wax_call_gate_calls(const wax_call_gate *gate) {
  return atomic_load_explicit(&gate->calls, memory_order_relaxed);
}

/* [state entered]  A load and a store are enough. */
static inline void wax_call_gate_count(wax_call_gate *gate) {
  atomic_store_explicit(&gate->calls, wax_call_gate_calls(gate) + 1, memory_order_relaxed);
}

/* The arguments of a Lua function. */
typedef struct wax_call_arguments {
  bool lends;               /* its function calls originals alone: objects may be lent to it */
  bool has_receiver;        /* an object in the self register */
  bool has_strings;         /* among them */
  bool are_owned;           /* some are, and have to be released */
  uint8_t count;            /* of `steps` */
  uint16_t lent_steps;      /* by bits: strings that the function may be lent */
  const void *string_codec; /* of those */
  int class_reference;      /* of what a static function gets as `self`; 0: nothing */
  wax_call_step steps[WAX_CALL_MAX_STEPS];
} wax_call_arguments;

/* The place of its result. */
typedef struct wax_call_result {
  wax_call_step step;
  const void *type; /* the class of an object */
  /* A Swift string of this text; false: it is not UTF-8. */
  bool (*make_string)(const char *bytes, size_t count, void *target);
} wax_call_result;

/* The long way: the same for all overrides. All but `forget` get the override's `context`, an
   OverrideInvoker. */
typedef struct wax_call_long_way {
  /* The whole call. */
  bool (*run)(void *context, wax_runtime_frame *frame);
  /* [state entered]  Its end, once the Lua function has returned or failed: what is on the
     coroutine's stack from `first` on are the results, or the error on top. Releases the coroutine
     and leaves the state. */
  bool (*conclude)(void *context, wax_runtime_frame *frame, wax_lua_coroutine *coroutine,
                   wax_call_active *record, int status, int first);
  /* The same for async functions: a step, and what takes a call over whose first turn has not been
     all of it. [state entered]  The status and what is on the coroutine's stack are as
     wax_lua_coroutine_begin leaves them; the record has been made by malloc. `outer` is what the
     thread was in. Releases all of it and leaves the state. */
  wax_runtime_async_handler step;
  const wax_runtime_suspension *(*adopt)(void *context, wax_runtime_async_call *async_call,
                                         wax_lua_coroutine *coroutine, wax_call_active *record,
                                         wax_call_active *outer, int status,
                                         wax_lua_callback *waits);
  /* [state left, perhaps closed]  The end of a call that Lua does not go on with, after what is in
     `outcome`: a frame that the original has just filled, or NULL. False: the original is to run.
   */
  bool (*abandon)(void *context, wax_runtime_frame *frame, wax_call_active *record,
                  wax_runtime_frame *outcome);
  /* [state left]  Releases what the record owns. */
  void (*forget)(wax_call_active *record);
} wax_call_long_way;

typedef struct wax_call_override {
  wax_lua_state *state;
  wax_call_gate *gate;
  int reference;        /* of the Lua function, in the registry */
  int depth;            /* how many overrides a thread may be in */
  const void *metatype; /* what the self register has to hold; NULL: anything */
  uint64_t breadcrumb;  /* how breadcrumbs name the patch */

  /* What the call's record gets. */
  const void *override;
  const void *point;
  const void *plan;

  const wax_call_long_way *long_way;
  void *context;
  struct wax_call_waiting *waiting; /* the script's; kept by the context */

  wax_call_result result;
  uint8_t keeping;    /* a wax_proxy_keeping */
  bool lends_results; /* the function may be lent what its original returns */
  uint8_t globals;    /* nothing is lent unless its `original` is the engine's: see
                         wax_proxy_passing; 0: in any case */
  /* The last: there are as many steps in memory as there are arguments. */
  wax_call_arguments arguments;
} wax_call_override;

/* Where results are on the stack of a coroutine whose call C has made. */
int wax_call_first_result(void);

/* A wax_runtime_handler: the context is a wax_call_override. */
bool wax_call_run_override(void *context, wax_runtime_frame *frame);

/* A wax_runtime_async_handler with the same context, of functions that belong to no actor: what
   does not wait is run at once. */
const wax_runtime_suspension *wax_call_step_override(void *context,
                                                     wax_runtime_async_call *async_call);

/* Whether calls are to go the long way at all times: the variable WAXWING_LONG_WAY is in the
   environment. For comparing the two. */
bool wax_call_takes_long_way(void);

#endif
