/* SPDX-License-Identifier: MIT */

/* Calls of async functions on their way through the layers of a slot. */

#include "waxwing_async.h"

#include <stdlib.h>
#include <string.h>

#include "layers.h"

#if WAXWING_CPU_SUPPORTED

extern void *swift_task_alloc(size_t size);
extern void swift_task_dealloc(void *allocation);

typedef enum run_phase {
  RUN_ON_ITS_WAY,  /* the next layer, or the original, is to be found */
  RUN_IN_LAYER,    /* in the handler of `layer`, or before a wait of it */
  RUN_IN_ORIGINAL, /* the program's own code has been called */
} run_phase;

/* {== The way ====== */

static void end(waxwing_run *run) {
  if (run->cell) waxwing_async_call_end(run->cell);
  run->cell = NULL;
  if (run->stack_copy) swift_task_dealloc(run->stack_copy);
  run->stack_copy = NULL;
}

/* The first layer that is on becomes `layer`, NULL if there is none. False: another epoch began. */
static bool find_layer(waxwing_run *run) {
  uint64_t now = waxwing_epoch_now();
  const waxwing_layer *layer = waxwing_layer_below(run->above, run->slot);
  for (; layer; layer = atomic_load_explicit(&layer->older, memory_order_acquire)) {
    const waxwing_switch *session =
        atomic_load_explicit(&layer->session_switch, memory_order_acquire);
    if (!waxwing_switch_is_on_in(session, now)) continue;
    run->layer = layer;
    run->in_switch = session;
    return waxwing_cell_enter_switch(run->cell, session, now);
  }
  run->layer = NULL;
  return waxwing_epoch_now() == now;
}

static waxwing_wait wait_for(const waxwing_slot *slot, waxwing_frame *frame) {
  return (waxwing_wait){
      .function = slot->baseline,
      /* Someone else's replacement asks for nothing. */
      .marked = slot->baseline_is_function ? (const void *)slot->entry : NULL,
      .frame = frame,
      .stack_bytes = slot->stack_bytes,
  };
}

static const waxwing_wait *call_original(waxwing_run *run) {
  run->phase = RUN_IN_ORIGINAL;
  run->activity.has_home = false; /* whoever called it goes home himself */
  run->original = wait_for(run->slot, run->frame);
  waxwing_async_call_end(run->cell); /* it may take hours */
  run->cell = NULL;
  return &run->original;
}

/* Nothing is left in the slot of the layer whose original it is. */
static void go_on(waxwing_run *run) {
  const waxwing_layer *from = run->continuation;
  waxwing_async_call_end(run->cell);
  run->cell = waxwing_async_call_begin(from->slot);
  run->slot = from->slot;
  run->above = from;
  run->continuation = from->continuation;
}

/* Between the steps of a handler its session counts the call itself. */
static const waxwing_wait *step_layer(waxwing_run *run) {
  atomic_store_explicit(&run->cell->in_switch, run->in_switch, memory_order_relaxed);
  const waxwing_wait *wait = run->layer->async_handler(run->layer->context, run);
  atomic_store_explicit(&run->cell->in_switch, NULL, memory_order_release);
  return wait;
}

static const waxwing_wait *step_run(waxwing_activity *activity) {
  waxwing_run *run = (waxwing_run *)activity;
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
        (void)run->slot->async_answer(run->slot->answer_context, run);
        end(run);
        return NULL;
      }
      if (!run->layer) return call_original(run);
      run->phase = RUN_IN_LAYER;
      run->state = NULL;
      run->declines = false;
    }
    const waxwing_wait *wait = step_layer(run);
    if (wait) return wait;
    if (!run->declines) {
      end(run);
      return NULL;
    }
    run->frame->error = 0;
    run->above = run->layer; /* what has run does not run again */
    run->phase = RUN_ON_ITS_WAY;
  }
}

/* ====== }== */

/* {== Originals ====== */

static const waxwing_wait *start_next(waxwing_activity *activity) {
  waxwing_run *run = (waxwing_run *)activity;
  run->cell = waxwing_async_call_begin(run->slot);
  /* Announced first: a layer that is seen installed here, and what is older, is not freed now. */
  if (run->needs_layer && !waxwing_layer_is_installed(run->above)) {
    end(run);
    run->declines = true;
    return NULL;
  }
  activity->step = step_run;
  return step_run(activity);
}

void waxwing_run_next(waxwing_run *run, const waxwing_layer *layer, waxwing_frame *frame,
                      bool if_installed) {
  memset(run, 0, sizeof *run);
  run->activity.step = start_next;
  run->frame = frame;
  run->slot = layer->slot;
  run->above = layer;
  run->continuation = layer->continuation;
  run->needs_layer = if_installed;
}

static bool has_layer_below(const waxwing_layer *layer, uint64_t now) {
  const waxwing_layer *below = waxwing_layer_below(layer, layer->slot);
  for (; below; below = atomic_load_explicit(&below->older, memory_order_acquire)) {
    const waxwing_switch *session =
        atomic_load_explicit(&below->session_switch, memory_order_acquire);
    if (waxwing_switch_is_on_in(session, now)) return true;
  }
  return false;
}

bool waxwing_wait_for_original(const waxwing_layer *layer, waxwing_frame *frame,
                               waxwing_wait *wait) {
  const waxwing_slot *slot = layer->slot;
  if (layer->continuation || slot->async_answer) return false;
  waxwing_cell *cell = waxwing_call_begin(slot);
  uint64_t now = waxwing_epoch_now();
  bool is_next = !has_layer_below(layer, now) && waxwing_epoch_now() == now;
  waxwing_call_end(cell);
  if (is_next) *wait = wait_for(slot, frame);
  return is_next;
}

/* ====== }== */

/* {== Arrivals ====== */

/* In the context of a stub. */
typedef struct waxwing_arrival {
  waxwing_frame frame;
  uint64_t stack_bytes;
  waxwing_run run;
} arrival;

_Static_assert(offsetof(arrival, stack_bytes) == WAXWING_ARRIVAL_STACK_BYTES, "read by the stubs");
_Static_assert(WAXWING_CONTEXT_ARRIVAL % 16 == 0, "frames hold vectors");
_Static_assert(WAXWING_CONTEXT_ARRIVAL + sizeof(arrival) <= WAXWING_STUB_CONTEXT_SIZE, "room");
_Static_assert(offsetof(waxwing_run, activity) == 0, "a run is an activity");
_Static_assert(offsetof(waxwing_wait, function) == WAXWING_WAIT_FUNCTION, "wait");
_Static_assert(offsetof(waxwing_wait, marked) == WAXWING_WAIT_MARKED, "wait");
_Static_assert(offsetof(waxwing_wait, frame) == WAXWING_WAIT_FRAME, "wait");
_Static_assert(offsetof(waxwing_wait, stack_bytes) == WAXWING_WAIT_STACK_BYTES, "wait");
_Static_assert(offsetof(waxwing_wait, executor) == WAXWING_WAIT_EXECUTOR, "wait");
_Static_assert(offsetof(waxwing_activity, step) == WAXWING_ACTIVITY_STEP, "activity");
_Static_assert(offsetof(waxwing_activity, results) == WAXWING_ACTIVITY_RESULTS, "activity");
_Static_assert(offsetof(waxwing_activity, has_home) == WAXWING_ACTIVITY_HAS_HOME, "activity");
_Static_assert(offsetof(waxwing_activity, home) == WAXWING_ACTIVITY_HOME, "activity");

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
waxwing_activity *waxwing_async_arrive(waxwing_slot *slot, arrival *at, uint64_t *stack) {
  /* Acquire: what the slot's first claim has written is there. */
  (void)atomic_load_explicit(&slot->newest, memory_order_acquire);
  receive(at, stack, slot->stack_bytes);
  waxwing_run *run = &at->run;
  run->slot = slot;
  run->cell = waxwing_async_call_begin(slot);
  return &run->activity;
}

/* ====== }== */

/* {== Closures ====== */

static const waxwing_wait *step_closure(waxwing_activity *activity) {
  waxwing_run *run = (waxwing_run *)activity;
  waxwing_async_closure_context *context = (waxwing_async_closure_context *)run->frame->self;
  const waxwing_wait *wait = context->handler(context, run);
  if (!wait) end(run);
  return wait;
}

waxwing_activity *waxwing_async_closure_arrive(arrival *at, uint64_t *stack) {
  waxwing_async_closure_context *context = (waxwing_async_closure_context *)at->frame.self;
  receive(at, stack, context->stack_bytes);
  at->run.activity.step = step_closure;
  return &at->run.activity;
}

/* ====== }== */

const void *waxwing_drive_pointer(void) { return waxwing_driveTu; }
const void *waxwing_async_closure_pointer(void) { return waxwing_async_closure_stub_pointer; }

#else

void waxwing_run_next(waxwing_run *run, const waxwing_layer *layer, waxwing_frame *frame,
                      bool if_installed) {
  (void)run, (void)layer, (void)frame, (void)if_installed;
  abort(); /* there are no layers */
}

bool waxwing_wait_for_original(const waxwing_layer *layer, waxwing_frame *frame,
                               waxwing_wait *wait) {
  (void)layer, (void)frame, (void)wait;
  return false;
}

const void *waxwing_drive_pointer(void) { return NULL; }
const void *waxwing_async_closure_pointer(void) { return NULL; }

#endif
