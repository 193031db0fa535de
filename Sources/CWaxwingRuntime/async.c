/* SPDX-License-Identifier: MIT */

/* Calls of async functions on their way through the layers of a slot. */

#include "wax_runtime_async.h"

#include <stdlib.h>
#include <string.h>

#include "layers.h"
#include "times.h"
#include "wax_process_stack.h"

#if WAX_RUNTIME_CPU_SUPPORTED

extern void *swift_task_alloc(size_t size);
extern void swift_task_dealloc(void *allocation);

typedef enum run_phase {
  RUN_ON_ITS_WAY,  /* the next layer, or the original, is to be found */
  RUN_IN_LAYER,    /* in the handler of `layer`, or before a wait of it */
  RUN_IN_ORIGINAL, /* the program's own code has been called */
} run_phase;

/* {== The way ====== */

static void end(wax_runtime_async_call *run) {
  if (__builtin_expect(run->original_times != NULL, 0))
    wax_runtime_times_count(run->original_times, WAX_RUNTIME_TIMED_ORIGINALS, run->original_began);
  if (run->in_flight) wax_runtime_async_in_flight_end(run->in_flight);
  run->in_flight = NULL;
  if (run->stack_copy) swift_task_dealloc(run->stack_copy);
  run->stack_copy = NULL;
}

/* The first layer that is on in the epoch `now` becomes `layer`, NULL if there is none. False:
 * another epoch began. */
static bool find_layer_in(wax_runtime_async_call *run, uint64_t now) {
  const wax_runtime_layer *layer = wax_runtime_layer_below(run->above, run->slot);
  for (; layer; layer = atomic_load_explicit(&layer->older, memory_order_acquire)) {
    const wax_runtime_session_switch *session =
        atomic_load_explicit(&layer->session_switch, memory_order_acquire);
    if (!wax_runtime_session_switch_is_on_in(session, now)) continue;
    run->layer = layer;
    run->in_switch = session;
    return wax_runtime_in_flight_enter_switch(run->in_flight, session, now);
  }
  run->layer = NULL;
  return wax_runtime_epoch_now() == now;
}

/* The call goes on in the slot `lower`, if what is found there is found in the epoch `now`. */
static bool find_layer_below(wax_runtime_async_call *run, wax_runtime_slot *lower, uint64_t now) {
  wax_runtime_in_flight_record *in_flight = run->in_flight;
  const wax_runtime_layer *above = run->above;
  wax_runtime_slot *slot = run->slot;
  run->in_flight = wax_runtime_async_in_flight_begin(lower);
  run->above = NULL;
  run->slot = lower;
  if (find_layer_in(run, now)) {
    wax_runtime_async_in_flight_end(in_flight);
    return true;
  }
  wax_runtime_async_in_flight_end(run->in_flight);
  run->in_flight = in_flight;
  run->above = above;
  run->slot = slot;
  return false;
}

static bool find_layer(wax_runtime_async_call *run) {
  uint64_t now = wax_runtime_epoch_now();
  if (!find_layer_in(run, now)) return false;
  if (__builtin_expect(run->layer || run->continuation, 1)) return true;
  wax_runtime_slot *lower = wax_runtime_slot_lower(run->slot);
  return !lower || find_layer_below(run, lower, now);
}

static wax_runtime_suspension wait_for(const wax_runtime_slot *slot, wax_runtime_frame *frame) {
  return (wax_runtime_suspension){
      .function = slot->baseline,
      /* Someone else's replacement asks for nothing. */
      .marked = slot->baseline_is_function ? (const void *)slot->entry : NULL,
      .frame = frame,
      .stack_bytes = slot->stack_bytes,
  };
}

static const wax_runtime_suspension *call_original(wax_runtime_async_call *run) {
  run->phase = RUN_IN_ORIGINAL;
  run->activity.has_home = false; /* whoever called it goes home himself */
  run->original = wait_for(run->slot, run->frame);
  wax_runtime_async_in_flight_end(run->in_flight); /* it may take hours */
  run->in_flight = NULL;
  return &run->original;
}

/* Nothing is left in the slot of the layer whose original it is. */
static void go_on(wax_runtime_async_call *run) {
  const wax_runtime_layer *from = run->continuation;
  wax_runtime_async_in_flight_end(run->in_flight);
  run->in_flight = wax_runtime_async_in_flight_begin(from->slot);
  run->slot = from->slot;
  run->above = from;
  run->continuation = from->continuation;
}

/* A step of a handler: what has waited goes on in Lua. */
typedef struct handler_step {
  wax_runtime_async_handler handler;
  void *context;
  wax_runtime_async_call *run;
  const wax_runtime_suspension *wait;
} handler_step;

static void step_lent(void *context) {
  handler_step *step = context;
  step->wait = step->handler(step->context, step->run);
}

static const wax_runtime_suspension *step_handler(wax_runtime_async_handler handler, void *context,
                                                  wax_runtime_async_call *run) {
  handler_step step = {handler, context, run, NULL};
  wax_process_with_stack(step_lent, &step, run->state != NULL);
  return step.wait;
}

/* Between the steps of a handler its session counts the call itself. */
static const wax_runtime_suspension *step_layer(wax_runtime_async_call *run) {
  atomic_store_explicit(&run->in_flight->in_switch, run->in_switch, memory_order_relaxed);
  const wax_runtime_suspension *wait =
      step_handler(run->layer->async_handler, run->layer->context, run);
  atomic_store_explicit(&run->in_flight->in_switch, NULL, memory_order_release);
  return wait;
}

static inline void begin_measuring(wax_runtime_async_call *run) {
  run->layer_began = __builtin_expect(wax_runtime_layer_times(run->layer) != NULL, 0)
                         ? wax_runtime_times_now()
                         : 0;
}

/* The handler has returned for good. */
static inline void end_measuring(wax_runtime_async_call *run) {
  if (__builtin_expect(!run->layer_began, 1)) return;
  wax_runtime_times *times = wax_runtime_layer_times(run->layer);
  if (!times) return; /* measuring has ended meanwhile */
  bool failed = wax_runtime_times_take_failure(times);
  if (!run->declines || failed)
    wax_runtime_times_count(times, WAX_RUNTIME_TIMED_OVERRIDES, run->layer_began);
}

static const wax_runtime_suspension *step_run(wax_runtime_resumable_call *activity) {
  wax_runtime_async_call *run = (wax_runtime_async_call *)activity;
  if (run->phase == RUN_IN_ORIGINAL) {
    end(run);
    return NULL;
  }
  for (;;) {
    if (run->phase == RUN_ON_ITS_WAY) {
      while (!find_layer(run)) {
      }
      if (!run->layer && run->continuation) {
        go_on(run);
        continue;
      }
      if (!run->layer && run->slot->async_answer) {
        run->state = NULL;
        (void)step_handler(run->slot->async_answer, run->slot->answer_context, run);
        end(run);
        return NULL;
      }
      if (!run->layer) return call_original(run);
      run->phase = RUN_IN_LAYER;
      run->state = NULL;
      run->declines = false;
      begin_measuring(run);
    }
    const wax_runtime_suspension *wait = step_layer(run);
    if (wait) return wait;
    end_measuring(run);
    if (!run->declines) {
      end(run);
      return NULL;
    }
    run->frame->error = 0;
    run->record = NULL;
    run->above = run->layer; /* what has run does not run again */
    run->phase = RUN_ON_ITS_WAY;
  }
}

/* ====== }== */

/* {== Originals ====== */

/* Of a call in the layer's handler, which keeps the times. */
static inline void begin_measuring_original(wax_runtime_async_call *run) {
  run->original_times = wax_runtime_layer_times(run->above);
  if (__builtin_expect(run->original_times != NULL, 0))
    run->original_began = wax_runtime_times_now();
}

static const wax_runtime_suspension *start_next(wax_runtime_resumable_call *activity) {
  wax_runtime_async_call *run = (wax_runtime_async_call *)activity;
  run->in_flight = wax_runtime_async_in_flight_begin(run->slot);
  /* Announced first: a layer that is seen installed here, and what is older, is not freed now. */
  if (run->needs_layer && !wax_runtime_layer_is_installed(run->above)) {
    end(run);
    run->declines = true;
    return NULL;
  }
  activity->step = step_run;
  if (!run->needs_layer) begin_measuring_original(run);
  return step_run(activity);
}

void wax_runtime_call_next_async(wax_runtime_async_call *run, const wax_runtime_layer *layer,
                                 wax_runtime_frame *frame, bool if_installed) {
  memset(run, 0, sizeof *run);
  run->activity.step = start_next;
  run->frame = frame;
  run->slot = layer->slot;
  run->above = layer;
  run->continuation = layer->continuation;
  run->needs_layer = if_installed;
}

static bool has_layer_below(const wax_runtime_layer *layer, uint64_t now) {
  const wax_runtime_layer *below = wax_runtime_layer_below(layer, layer->slot);
  for (; below; below = atomic_load_explicit(&below->older, memory_order_acquire)) {
    const wax_runtime_session_switch *session =
        atomic_load_explicit(&below->session_switch, memory_order_acquire);
    if (wax_runtime_session_switch_is_on_in(session, now)) return true;
  }
  return false;
}

bool wax_runtime_suspend_for_original(const wax_runtime_layer *layer, wax_runtime_frame *frame,
                                      wax_runtime_suspension *wait) {
  const wax_runtime_slot *slot = layer->slot;
  /* What is measured has a beginning and an end of its own. */
  if (layer->continuation || slot->async_answer || wax_runtime_layer_times(layer)) return false;
  wax_runtime_in_flight_record *in_flight = wax_runtime_in_flight_begin(slot);
  uint64_t now = wax_runtime_epoch_now();
  bool is_next = !has_layer_below(layer, now) && wax_runtime_epoch_now() == now;
  wax_runtime_in_flight_end(in_flight);
  if (is_next) *wait = wait_for(slot, frame);
  return is_next;
}

/* ====== }== */

/* {== Calls in one another ====== */

/* Functions of the program that await one another between two overrides are looked through, so many
 * at most. */
#define MOST_BETWEEN 256

/* The context of a function, as it begins: that of who waits for it, and the code that then goes
 * on. */
typedef struct awaited_context {
  const struct awaited_context *parent;
  const void *resume;
} awaited_context;

extern const char wax_runtime_drive_resume[] WAX_RUNTIME_HIDDEN;

/* The context of the driver that waits for what this is the context of; NULL: another function
 * does. */
static const char *waiting_driver(const awaited_context *context) {
  return context->resume == wax_runtime_drive_resume ? (const char *)context->parent : NULL;
}

/* The run that a driver steps; NULL: it steps something else. */
static const wax_runtime_async_call *run_of(const char *driver) {
  wax_runtime_resumable_call *stepped =
      *(wax_runtime_resumable_call *const *)(driver + WAX_RUNTIME_CONTEXT_RESUMABLE_CALL);
  return stepped->step == step_run ? (const wax_runtime_async_call *)stepped : NULL;
}

/* NULL: the call has come through no stub. */
static const awaited_context *context_of(const wax_runtime_async_call *run) {
  bool is_arrival = run->activity.results && run->activity.results == run->frame;
  return is_arrival ? (const awaited_context *)(uintptr_t)run->frame->async_context : NULL;
}

void *wax_runtime_outer_record(const wax_runtime_async_call *run) {
  if (run->outer) return (void *)run->outer;
  const awaited_context *context = context_of(run);
  for (int i = 0; context && i < MOST_BETWEEN; i++, context = context->parent) {
    const char *driver = waiting_driver(context);
    const wax_runtime_async_call *waiting = driver ? run_of(driver) : NULL;
    if (!waiting) continue;
    if (waiting->phase == RUN_IN_LAYER && waiting->record) return waiting->record;
    if (waiting->outer) return (void *)waiting->outer;
  }
  return NULL;
}

static const wax_runtime_suspension *wait_of(const char *driver) {
  return *(const wax_runtime_suspension *const *)(driver + WAX_RUNTIME_CONTEXT_SUSPENSION);
}

/* What the driver waits for that has made the call; NULL: a function of the program has made it. A
 * dynamic function awaits its replacement, in a context of its own, and only hands on what that
 * leaves. */
static const wax_runtime_suspension *calling_wait(const wax_runtime_async_call *run) {
  const awaited_context *context = context_of(run);
  if (!context) return NULL;
  const char *driver = waiting_driver(context);
  if (driver) return wait_of(driver);
  if (atomic_load_explicit(&run->slot->stays, memory_order_relaxed)) return NULL;
  driver = context->parent ? waiting_driver(context->parent) : NULL;
  const wax_runtime_suspension *wait = driver ? wait_of(driver) : NULL;
  return wait && wait->function == run->slot->function ? wait : NULL;
}

/* The frame of the caller that can do without the outcome; NULL: it has said nothing of the kind.
 */
static wax_runtime_frame *cancelling_frame(const wax_runtime_async_call *run) {
  if (!wax_runtime_was_cancelled(run->frame)) return run->frame;
  const wax_runtime_suspension *wait = calling_wait(run);
  return wait && !wax_runtime_was_cancelled(wait->frame) ? wait->frame : NULL;
}

bool wax_runtime_may_cancel_async(const wax_runtime_async_call *run) {
  return cancelling_frame(run) != NULL;
}

void wax_runtime_cancel_async(wax_runtime_async_call *run) {
  wax_runtime_frame *caller = cancelling_frame(run);
  run->frame->error = 0;
  if (caller) caller->async_context = 0;
}

/* ====== }== */

/* {== Arrivals ====== */

/* In the context of a stub. */
typedef struct wax_runtime_arrival {
  wax_runtime_frame frame;
  uint64_t stack_bytes;
  wax_runtime_async_call run;
} arrival;

_Static_assert(offsetof(arrival, stack_bytes) == WAX_RUNTIME_ARRIVAL_STACK_BYTES,
               "read by the stubs");
_Static_assert(WAX_RUNTIME_CONTEXT_ARRIVAL % 16 == 0, "frames hold vectors");
_Static_assert(WAX_RUNTIME_CONTEXT_ARRIVAL + sizeof(arrival) <= WAX_RUNTIME_STUB_CONTEXT_SIZE,
               "room");
_Static_assert(offsetof(wax_runtime_async_call, activity) == 0, "a run is an activity");
_Static_assert(offsetof(wax_runtime_suspension, function) == WAX_RUNTIME_SUSPENSION_FUNCTION,
               "wait");
_Static_assert(offsetof(wax_runtime_suspension, marked) == WAX_RUNTIME_SUSPENSION_MARKED, "wait");
_Static_assert(offsetof(wax_runtime_suspension, frame) == WAX_RUNTIME_SUSPENSION_FRAME, "wait");
_Static_assert(offsetof(wax_runtime_suspension, stack_bytes) == WAX_RUNTIME_SUSPENSION_STACK_BYTES,
               "wait");
_Static_assert(offsetof(wax_runtime_suspension, executor) == WAX_RUNTIME_SUSPENSION_EXECUTOR,
               "wait");
_Static_assert(offsetof(wax_runtime_resumable_call, step) == WAX_RUNTIME_RESUMABLE_CALL_STEP,
               "activity");
_Static_assert(offsetof(wax_runtime_resumable_call, results) == WAX_RUNTIME_RESUMABLE_CALL_RESULTS,
               "activity");
_Static_assert(offsetof(wax_runtime_resumable_call, has_home) ==
                   WAX_RUNTIME_RESUMABLE_CALL_HAS_HOME,
               "activity");
_Static_assert(offsetof(wax_runtime_resumable_call, home) == WAX_RUNTIME_RESUMABLE_CALL_HOME,
               "activity");

/* The stub's callee pops its stack arguments: they are gone after the first wait. */
static void receive(arrival *at, uint64_t *stack, size_t stack_bytes) {
  memset(&at->run, 0, sizeof at->run);
  at->run.activity.step = step_run;
  at->run.activity.results = &at->frame;
  at->run.frame = &at->frame;
  at->stack_bytes = stack_bytes;
  if (!stack_bytes) return;
  at->run.stack_copy = swift_task_alloc(stack_bytes);
  memcpy(at->run.stack_copy, stack, stack_bytes);
  at->frame.stack = at->run.stack_copy;
}

/* Called by the stubs. */
wax_runtime_resumable_call *wax_runtime_async_arrive(wax_runtime_slot *slot, arrival *at,
                                                     uint64_t *stack) {
  /* Acquire: what the slot's first claim has written is there. */
  (void)atomic_load_explicit(&slot->newest, memory_order_acquire);
  receive(at, stack, slot->stack_bytes);
  wax_runtime_async_call *run = &at->run;
  run->slot = slot;
  run->in_flight = wax_runtime_async_in_flight_begin(slot);
  return &run->activity;
}

/* ====== }== */

/* {== Closures ====== */

static const wax_runtime_suspension *step_closure(wax_runtime_resumable_call *activity) {
  wax_runtime_async_call *run = (wax_runtime_async_call *)activity;
  wax_runtime_async_closure_context *context =
      (wax_runtime_async_closure_context *)run->frame->self_register;
  const wax_runtime_suspension *wait = step_handler(context->handler, context, run);
  if (!wait) end(run);
  return wait;
}

wax_runtime_resumable_call *wax_runtime_async_closure_arrive(arrival *at, uint64_t *stack) {
  wax_runtime_async_closure_context *context =
      (wax_runtime_async_closure_context *)at->frame.self_register;
  receive(at, stack, context->stack_bytes);
  at->run.activity.step = step_closure;
  return &at->run.activity;
}

/* ====== }== */

const void *wax_runtime_drive_pointer(void) { return wax_runtime_driveTu; }
const void *wax_runtime_async_closure_pointer(void) {
  return wax_runtime_async_closure_stub_pointer;
}

#else

void wax_runtime_call_next_async(wax_runtime_async_call *run, const wax_runtime_layer *layer,
                                 wax_runtime_frame *frame, bool if_installed) {
  (void)run, (void)layer, (void)frame, (void)if_installed;
  abort(); /* there are no layers */
}

bool wax_runtime_suspend_for_original(const wax_runtime_layer *layer, wax_runtime_frame *frame,
                                      wax_runtime_suspension *wait) {
  (void)layer, (void)frame, (void)wait;
  return false;
}

void *wax_runtime_outer_record(const wax_runtime_async_call *run) {
  (void)run;
  return NULL;
}

bool wax_runtime_may_cancel_async(const wax_runtime_async_call *run) {
  (void)run;
  return false;
}

void wax_runtime_cancel_async(wax_runtime_async_call *run) { (void)run; }

const void *wax_runtime_drive_pointer(void) { return NULL; }
const void *wax_runtime_async_closure_pointer(void) { return NULL; }

#endif
