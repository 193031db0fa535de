/* SPDX-License-Identifier: MIT
 *
 * One synchronous call of an override, from the registers to Lua's stack and back, without Swift.
 *
 * The Swift side compiles a CallPlan into a waxwing_override where the plan is of values that C can
 * move. Whatever is unusual about a call, as that the state is another thread's or that the result
 * does not fit, goes the long way, through Swift: from the beginning where nothing has happened
 * yet, or else from the end of the Lua function. See docs/call-path.md.
 */
#ifndef WAXWING_OVERRIDE_H
#define WAXWING_OVERRIDE_H

#include <stdatomic.h>

#include "waxwing_async.h"
#include "waxwing_call.h"
#include "waxwing_call_record.h"
#include "waxwing_state.h"
#include "waxwing_values.h"

/* One value: how it is moved, and where it stands. */
typedef struct waxwing_step {
  uint8_t move;    /* a waxwing_move */
  bool is_owned;   /* the function takes it over */
  uint16_t offset; /* in bytes from the start of the frame */
} waxwing_step;

#define WAXWING_MOST_STEPS 14

/* Which calls of an override have something to do in Lua. */
typedef enum waxwing_admission {
  WAXWING_ADMITS_ALL,
  WAXWING_ADMITS_SOME,
  WAXWING_ADMITS_NONE
} waxwing_admission;

/* Bytes that processors take from each other at once. */
#define WAXWING_LINE_BYTES 64

/* What an override's calls read and write, on any thread: one has a line of its own. */
typedef struct waxwing_gate {
  _Atomic uint8_t admission;
  _Atomic int64_t calls;       /* written by the thread that is in the state */
  _Atomic(const void *) layer; /* what originals go on from, a waxwing_layer; NULL: not installed */
} waxwing_gate;

static inline const void *waxwing_gate_layer(const waxwing_gate *gate) {
  return atomic_load_explicit(&gate->layer, memory_order_acquire);
}

static inline void waxwing_gate_install(waxwing_gate *gate, const void *layer) {
  atomic_store_explicit(&gate->layer, layer, memory_order_release);
}

static inline uint8_t waxwing_gate_admission(const waxwing_gate *gate) {
  return atomic_load_explicit(&gate->admission, memory_order_acquire);
}

static inline void waxwing_gate_admit(waxwing_gate *gate, uint8_t admission) {
  atomic_store_explicit(&gate->admission, admission, memory_order_release);
}

static inline int64_t waxwing_gate_calls(const waxwing_gate *gate) {
  return atomic_load_explicit(&gate->calls, memory_order_relaxed);
}

/* [state entered]  A load and a store are enough. */
static inline void waxwing_gate_count(waxwing_gate *gate) {
  atomic_store_explicit(&gate->calls, waxwing_gate_calls(gate) + 1, memory_order_relaxed);
}

/* What a Lua function gets. */
typedef struct waxwing_arguments {
  bool lends;          /* its function calls originals alone: objects may be lent to it */
  bool has_receiver;   /* an object in the frame's `self` */
  bool has_strings;    /* among them */
  bool are_owned;      /* some are, and have to be released */
  uint8_t count;       /* of `steps` */
  int class_reference; /* of what a static function gets as `self`; 0: nothing */
  waxwing_step steps[WAXWING_MOST_STEPS];
} waxwing_arguments;

/* Where its result goes. */
typedef struct waxwing_result {
  waxwing_step step;
  const void *type; /* the class of an object */
  /* A Swift string of this text; false: it is not UTF-8. */
  bool (*make_string)(const char *bytes, size_t count, void *target);
} waxwing_result;

typedef struct waxwing_override {
  waxwing_state *state;
  waxwing_gate *gate;
  int reference;        /* of the Lua function, in the registry */
  bool keeps_nothing;   /* see waxwing_keeping */
  const void *metatype; /* where the frame's `self` has to be this for that; NULL: it is not one */
  waxwing_arguments arguments;
  waxwing_result result;
  int64_t depth;  /* how many overrides a thread may be in */
  uint64_t crumb; /* how breadcrumbs name the patch */

  /* For the call's record. */
  const void *override;
  const void *point;
  const void *plan;

  /* The long way: both with `context`. */
  void *context;
  /* The whole call. */
  bool (*run)(void *context, waxwing_frame *frame);
  /* [state entered]  Its end, once the Lua function has returned or failed: what is on the lane's
     stack from `first` on are the results, or the error on top. Releases the lane and leaves the
     state. */
  bool (*conclude)(void *context, waxwing_frame *frame, waxwing_lane *lane,
                   waxwing_call_record *record, int status, int first);
  /* The same for async functions: a step, and what takes a call over whose first turn has not been
     all of it. [state entered]  The status and what is on the lane's stack are as
     waxwing_lane_begin leaves them; the record has been made by malloc. `outer` is what the thread
     was in. Releases all of it and leaves the state. */
  waxwing_async_handler step;
  const waxwing_wait *(*adopt)(void *context, waxwing_run *run, waxwing_lane *lane,
                               waxwing_call_record *record, waxwing_call_record *outer, int status,
                               waxwing_callback *waits);
  /* [state left, perhaps closed]  The end of a call that Lua does not go on with, after what is in
     `outcome`: a frame that the original has just filled, or NULL. False: the original is to run.
   */
  bool (*abandon)(void *context, waxwing_frame *frame, waxwing_call_record *record,
                  waxwing_frame *outcome);
  /* [state left]  Releases what the record owns. */
  void (*forget)(waxwing_call_record *record);
  struct waxwing_waiting *waiting; /* the script's; kept by the context */
} waxwing_override;

/* Where results are on the stack of a lane whose call C has made. */
int waxwing_first_result(void);

/* A waxwing_handler: the context is a waxwing_override. */
bool waxwing_run_override(void *context, waxwing_frame *frame);

/* A waxwing_async_handler with the same context, of functions that belong to no actor: what does
   not wait is run at once. */
const waxwing_wait *waxwing_step_override(void *context, waxwing_run *run);

/* Whether calls are to go the long way at all times: the variable WAXWING_LONG_WAY is in the
   environment. For comparing the two. */
bool waxwing_takes_long_way(void);

#endif
