/* SPDX-License-Identifier: MIT */

/* Calls of async functions on their way through the layers of a slot. */

#include "wax_runtime_async.h"

#include <stdlib.h>
#include <string.h>

#include "entry.h"
#include "layers.h"
#include "times.h"
#include "wax_process_stack.h"

#if WAX_RUNTIME_CPU_SUPPORTED

extern void *swift_task_alloc(size_t size);
extern void swift_task_dealloc(void *allocation);

typedef enum call_phase {
  CALL_ON_ITS_WAY,  /* the next layer, or the original, is to be found */
  CALL_IN_LAYER,    /* in the handler of `layer`, or before a wait of it */
  CALL_IN_ORIGINAL, /* the program's own code has been called */
} call_phase;

/* {== The way ====== */

static void end(wax_runtime_async_call *async_call) {
  if (__builtin_expect(async_call->original_times != NULL, 0))
    wax_runtime_times_count(async_call->original_times, WAX_RUNTIME_TIMED_ORIGINALS,
                            async_call->original_began);
  if (async_call->in_flight) wax_runtime_async_in_flight_end(async_call->in_flight);
  async_call->in_flight = NULL;
  if (async_call->stack_copy) swift_task_dealloc(async_call->stack_copy);
  async_call->stack_copy = NULL;
}

/* The first layer that is on in the epoch `now` becomes `layer`, NULL if there is none. False:
 * another epoch began. */
static bool find_layer_in(wax_runtime_async_call *async_call, uint64_t now) {
  const wax_runtime_layer *layer = wax_runtime_layer_below(async_call->above, async_call->slot);
  for (; layer; layer = atomic_load_explicit(&layer->older, memory_order_acquire)) {
    const wax_runtime_session_switch *session =
        atomic_load_explicit(&layer->session_switch, memory_order_acquire);
    if (!wax_runtime_session_switch_is_on_in(session, now)) continue;
    async_call->layer = layer;
    async_call->in_switch = session;
    return wax_runtime_in_flight_enter_switch(async_call->in_flight, session, now);
  }
  async_call->layer = NULL;
  return wax_runtime_epoch_now() == now;
}

/* The call goes on in the slot `lower`, if what is found there is found in the epoch `now`. */
static bool find_layer_below(wax_runtime_async_call *async_call, wax_runtime_slot *lower,
                             uint64_t now) {
  wax_runtime_in_flight_record *in_flight = async_call->in_flight;
  const wax_runtime_layer *above = async_call->above;
  wax_runtime_slot *slot = async_call->slot;
  async_call->in_flight = wax_runtime_async_in_flight_begin(lower);
  async_call->above = NULL;
  async_call->slot = lower;
  if (find_layer_in(async_call, now)) {
    wax_runtime_async_in_flight_end(in_flight);
    return true;
  }
  wax_runtime_async_in_flight_end(async_call->in_flight);
  async_call->in_flight = in_flight;
  async_call->above = above;
  async_call->slot = slot;
  return false;
}

static bool find_layer(wax_runtime_async_call *async_call) {
  uint64_t now = wax_runtime_epoch_now();
  if (!find_layer_in(async_call, now)) return false;
  if (__builtin_expect(async_call->layer || async_call->continuation, 1)) return true;
  wax_runtime_slot *lower = wax_runtime_slot_lower(async_call->slot);
  return !lower || find_layer_below(async_call, lower, now);
}

static wax_runtime_suspension suspend_for(const wax_runtime_slot *slot, wax_runtime_frame *frame) {
  wax_runtime_suspension suspension = {.frame = frame, .stack_bytes = slot->stack_bytes};
  bool is_marked;
  suspension.function = wax_runtime_entry_original(slot, &is_marked);
  if (__builtin_expect(is_marked, 1)) suspension.marked = (const void *)slot->entry;
  return suspension;
}

static const wax_runtime_suspension *call_original(wax_runtime_async_call *async_call) {
  async_call->phase = CALL_IN_ORIGINAL;
  async_call->resumable.has_home = false; /* whoever called it goes home by itself */
  async_call->original = suspend_for(async_call->slot, async_call->frame);
  wax_runtime_async_in_flight_end(async_call->in_flight); /* it may take hours */
  async_call->in_flight = NULL;
  return &async_call->original;
}

/* Nothing is left in the slot of the layer whose original it is. */
static void go_on(wax_runtime_async_call *async_call) {
  const wax_runtime_layer *from = async_call->continuation;
  wax_runtime_async_in_flight_end(async_call->in_flight);
  async_call->in_flight = wax_runtime_async_in_flight_begin(from->slot);
  async_call->slot = from->slot;
  async_call->above = from;
  async_call->continuation = from->continuation;
}

/* A step of a handler: what has waited goes on in Lua. */
typedef struct handler_step {
  wax_runtime_async_handler handler;
  void *context;
  wax_runtime_async_call *async_call;
  const wax_runtime_suspension *suspension;
} handler_step;

static void step_lent(void *context) {
  handler_step *step = context;
  step->suspension = step->handler(step->context, step->async_call);
}

static const wax_runtime_suspension *step_handler(wax_runtime_async_handler handler, void *context,
                                                  wax_runtime_async_call *async_call) {
  handler_step step = {handler, context, async_call, NULL};
  wax_process_with_stack(step_lent, &step, async_call->state != NULL);
  return step.suspension;
}

/* Between the steps of a handler its session counts the call itself. */
static const wax_runtime_suspension *step_layer(wax_runtime_async_call *async_call) {
  atomic_store_explicit(&async_call->in_flight->in_switch, async_call->in_switch,
                        memory_order_relaxed);
  const wax_runtime_suspension *suspension =
      step_handler(async_call->layer->async_handler, async_call->layer->context, async_call);
  atomic_store_explicit(&async_call->in_flight->in_switch, NULL, memory_order_release);
  return suspension;
}

static inline void begin_measuring(wax_runtime_async_call *async_call) {
  async_call->layer_began = __builtin_expect(wax_runtime_layer_times(async_call->layer) != NULL, 0)
                                ? wax_runtime_times_now()
                                : 0;
}

/* The handler has returned for good. */
static inline void end_measuring(wax_runtime_async_call *async_call) {
  if (__builtin_expect(!async_call->layer_began, 1)) return;
  wax_runtime_times *times = wax_runtime_layer_times(async_call->layer);
  if (!times) return; /* measuring has ended meanwhile */
  bool failed = wax_runtime_times_take_failure(times);
  if (!async_call->declines || failed)
    wax_runtime_times_count(times, WAX_RUNTIME_TIMED_OVERRIDES, async_call->layer_began);
}

static const wax_runtime_suspension *step_async_call(wax_runtime_resumable_call *resumable) {
  wax_runtime_async_call *async_call = (wax_runtime_async_call *)resumable;
  if (async_call->phase == CALL_IN_ORIGINAL) {
    end(async_call);
    return NULL;
  }
  for (;;) {
    if (async_call->phase == CALL_ON_ITS_WAY) {
      while (!find_layer(async_call)) {
      }
      if (!async_call->layer && async_call->continuation) {
        go_on(async_call);
        continue;
      }
      if (!async_call->layer && async_call->slot->async_answer) {
        async_call->state = NULL;
        (void)step_handler(async_call->slot->async_answer, async_call->slot->answer_context,
                           async_call);
        end(async_call);
        return NULL;
      }
      if (!async_call->layer) return call_original(async_call);
      async_call->phase = CALL_IN_LAYER;
      async_call->state = NULL;
      async_call->declines = false;
      begin_measuring(async_call);
    }
    const wax_runtime_suspension *suspension = step_layer(async_call);
    if (suspension) return suspension;
    end_measuring(async_call);
    if (!async_call->declines) {
      end(async_call);
      return NULL;
    }
    async_call->frame->error = 0;
    async_call->record = NULL;
    async_call->above = async_call->layer; /* what has run does not run again */
    async_call->phase = CALL_ON_ITS_WAY;
  }
}

/* ====== }== */

/* {== Originals ====== */

/* Of a call in the layer's handler, which keeps the times. */
static inline void begin_measuring_original(wax_runtime_async_call *async_call) {
  async_call->original_times = wax_runtime_layer_times(async_call->above);
  if (__builtin_expect(async_call->original_times != NULL, 0))
    async_call->original_began = wax_runtime_times_now();
}

static const wax_runtime_suspension *start_next(wax_runtime_resumable_call *resumable) {
  wax_runtime_async_call *async_call = (wax_runtime_async_call *)resumable;
  async_call->in_flight = wax_runtime_async_in_flight_begin(async_call->slot);
  /* Announced first: a layer that is seen installed here, and what is older, is not freed now. */
  if (async_call->needs_layer && !wax_runtime_layer_is_installed(async_call->above)) {
    end(async_call);
    async_call->declines = true;
    return NULL;
  }
  resumable->step = step_async_call;
  if (!async_call->needs_layer) begin_measuring_original(async_call);
  return step_async_call(resumable);
}

void wax_runtime_call_next_async(wax_runtime_async_call *async_call, const wax_runtime_layer *layer,
                                 wax_runtime_frame *frame, bool if_installed) {
  memset(async_call, 0, sizeof *async_call);
  async_call->resumable.step = start_next;
  async_call->frame = frame;
  async_call->slot = layer->slot;
  async_call->above = layer;
  async_call->continuation = layer->continuation;
  async_call->needs_layer = if_installed;
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
                                      wax_runtime_suspension *suspension) {
  const wax_runtime_slot *slot = layer->slot;
  /* What is measured has a beginning and an end of its own. */
  if (layer->continuation || slot->async_answer || wax_runtime_layer_times(layer)) return false;
  wax_runtime_in_flight_record *in_flight = wax_runtime_in_flight_begin(slot);
  uint64_t now = wax_runtime_epoch_now();
  bool is_next = !has_layer_below(layer, now) && wax_runtime_epoch_now() == now;
  wax_runtime_in_flight_end(in_flight);
  if (is_next) *suspension = suspend_for(slot, frame);
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

/* The async call that a driver steps; NULL: it steps something else. */
static const wax_runtime_async_call *async_call_of(const char *driver) {
  wax_runtime_resumable_call *stepped =
      *(wax_runtime_resumable_call *const *)(driver + WAX_RUNTIME_CONTEXT_RESUMABLE_CALL);
  return stepped->step == step_async_call ? (const wax_runtime_async_call *)stepped : NULL;
}

/* NULL: the call has come through no stub. */
static const awaited_context *context_of(const wax_runtime_async_call *async_call) {
  bool is_arrival =
      async_call->resumable.results && async_call->resumable.results == async_call->frame;
  return is_arrival ? (const awaited_context *)(uintptr_t)async_call->frame->async_context : NULL;
}

void *wax_runtime_outer_record(const wax_runtime_async_call *async_call) {
  if (async_call->outer) return (void *)async_call->outer;
  const awaited_context *context = context_of(async_call);
  for (int i = 0; context && i < MOST_BETWEEN; i++, context = context->parent) {
    const char *driver = waiting_driver(context);
    const wax_runtime_async_call *waiting = driver ? async_call_of(driver) : NULL;
    if (!waiting) continue;
    if (waiting->phase == CALL_IN_LAYER && waiting->record) return waiting->record;
    if (waiting->outer) return (void *)waiting->outer;
  }
  return NULL;
}

static const wax_runtime_suspension *suspension_of(const char *driver) {
  return *(const wax_runtime_suspension *const *)(driver + WAX_RUNTIME_CONTEXT_SUSPENSION);
}

/* What the driver waits for that has made the call; NULL: a function of the program has made it. A
 * dynamic function awaits its replacement, in a context of its own, and only hands on what that
 * leaves. */
static const wax_runtime_suspension *calling_suspension(const wax_runtime_async_call *async_call) {
  const awaited_context *context = context_of(async_call);
  if (!context) return NULL;
  const char *driver = waiting_driver(context);
  if (driver) return suspension_of(driver);
  if (atomic_load_explicit(&async_call->slot->stays, memory_order_relaxed)) return NULL;
  driver = context->parent ? waiting_driver(context->parent) : NULL;
  const wax_runtime_suspension *suspension = driver ? suspension_of(driver) : NULL;
  return suspension && suspension->function == async_call->slot->function ? suspension : NULL;
}

/* The frame of the caller that can do without the outcome; NULL: it has said nothing of the kind.
 */
static wax_runtime_frame *cancelling_frame(const wax_runtime_async_call *async_call) {
  if (!wax_runtime_was_cancelled(async_call->frame)) return async_call->frame;
  const wax_runtime_suspension *suspension = calling_suspension(async_call);
  return suspension && !wax_runtime_was_cancelled(suspension->frame) ? suspension->frame : NULL;
}

bool wax_runtime_may_cancel_async(const wax_runtime_async_call *async_call) {
  return cancelling_frame(async_call) != NULL;
}

void wax_runtime_cancel_async(wax_runtime_async_call *async_call) {
  wax_runtime_frame *caller = cancelling_frame(async_call);
  async_call->frame->error = 0;
  if (caller) caller->async_context = 0;
}

/* ====== }== */

/* {== Arrivals ====== */

/* In the context of a stub. */
typedef struct wax_runtime_arrival {
  wax_runtime_frame frame;
  uint64_t stack_bytes;
  wax_runtime_async_call async_call;
} arrival;

_Static_assert(offsetof(arrival, stack_bytes) == WAX_RUNTIME_ARRIVAL_STACK_BYTES,
               "read by the stubs");
_Static_assert(WAX_RUNTIME_CONTEXT_ARRIVAL % 16 == 0, "frames hold vectors");
_Static_assert(WAX_RUNTIME_CONTEXT_ARRIVAL + sizeof(arrival) <= WAX_RUNTIME_STUB_CONTEXT_SIZE,
               "room");
_Static_assert(offsetof(wax_runtime_async_call, resumable) == 0,
               "an async call is a resumable call");
_Static_assert(offsetof(wax_runtime_suspension, function) == WAX_RUNTIME_SUSPENSION_FUNCTION,
               "suspension");
_Static_assert(offsetof(wax_runtime_suspension, marked) == WAX_RUNTIME_SUSPENSION_MARKED,
               "suspension");
_Static_assert(offsetof(wax_runtime_suspension, frame) == WAX_RUNTIME_SUSPENSION_FRAME,
               "suspension");
_Static_assert(offsetof(wax_runtime_suspension, stack_bytes) == WAX_RUNTIME_SUSPENSION_STACK_BYTES,
               "suspension");
_Static_assert(offsetof(wax_runtime_suspension, executor) == WAX_RUNTIME_SUSPENSION_EXECUTOR,
               "suspension");
_Static_assert(offsetof(wax_runtime_resumable_call, step) == WAX_RUNTIME_RESUMABLE_CALL_STEP,
               "resumable call");
_Static_assert(offsetof(wax_runtime_resumable_call, results) == WAX_RUNTIME_RESUMABLE_CALL_RESULTS,
               "resumable call");
_Static_assert(offsetof(wax_runtime_resumable_call, has_home) ==
                   WAX_RUNTIME_RESUMABLE_CALL_HAS_HOME,
               "resumable call");
_Static_assert(offsetof(wax_runtime_resumable_call, home) == WAX_RUNTIME_RESUMABLE_CALL_HOME,
               "resumable call");

/* The stub's callee pops its stack arguments: they are gone after the first wait. */
static void receive(arrival *at, uint64_t *stack, size_t stack_bytes) {
  memset(&at->async_call, 0, sizeof at->async_call);
  at->async_call.resumable.step = step_async_call;
  at->async_call.resumable.results = &at->frame;
  at->async_call.frame = &at->frame;
  at->stack_bytes = stack_bytes;
  if (!stack_bytes) return;
  at->async_call.stack_copy = swift_task_alloc(stack_bytes);
  memcpy(at->async_call.stack_copy, stack, stack_bytes);
  at->frame.stack = at->async_call.stack_copy;
}

/* Called by the stubs. */
wax_runtime_resumable_call *wax_runtime_async_arrive(wax_runtime_slot *slot, arrival *at,
                                                     uint64_t *stack) {
  /* Acquire: what the slot's first claim has written is there. */
  (void)atomic_load_explicit(&slot->newest, memory_order_acquire);
  receive(at, stack, slot->stack_bytes);
  wax_runtime_async_call *async_call = &at->async_call;
  async_call->slot = slot;
  async_call->in_flight = wax_runtime_async_in_flight_begin(slot);
  return &async_call->resumable;
}

/* ====== }== */

/* {== Closures ====== */

static const wax_runtime_suspension *step_closure(wax_runtime_resumable_call *resumable) {
  wax_runtime_async_call *async_call = (wax_runtime_async_call *)resumable;
  wax_runtime_async_closure_context *context =
      (wax_runtime_async_closure_context *)async_call->frame->self_register;
  const wax_runtime_suspension *suspension = step_handler(context->handler, context, async_call);
  if (!suspension) end(async_call);
  return suspension;
}

wax_runtime_resumable_call *wax_runtime_async_closure_arrive(arrival *at, uint64_t *stack) {
  wax_runtime_async_closure_context *context =
      (wax_runtime_async_closure_context *)at->frame.self_register;
  receive(at, stack, context->stack_bytes);
  at->async_call.resumable.step = step_closure;
  return &at->async_call.resumable;
}

/* ====== }== */

const void *wax_runtime_drive_pointer(void) { return wax_runtime_driveTu; }
const void *wax_runtime_async_closure_pointer(void) {
  return wax_runtime_async_closure_stub_pointer;
}

#else

void wax_runtime_call_next_async(wax_runtime_async_call *async_call, const wax_runtime_layer *layer,
                                 wax_runtime_frame *frame, bool if_installed) {
  (void)async_call, (void)layer, (void)frame, (void)if_installed;
  abort(); /* there are no layers */
}

bool wax_runtime_suspend_for_original(const wax_runtime_layer *layer, wax_runtime_frame *frame,
                                      wax_runtime_suspension *suspension) {
  (void)layer, (void)frame, (void)suspension;
  return false;
}

void *wax_runtime_outer_record(const wax_runtime_async_call *async_call) {
  (void)async_call;
  return NULL;
}

bool wax_runtime_may_cancel_async(const wax_runtime_async_call *async_call) {
  (void)async_call;
  return false;
}

void wax_runtime_cancel_async(wax_runtime_async_call *async_call) { (void)async_call; }

const void *wax_runtime_drive_pointer(void) { return NULL; }
const void *wax_runtime_async_closure_pointer(void) { return NULL; }

#endif
