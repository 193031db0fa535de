/* SPDX-License-Identifier: MIT */

/* What happens between a stub's two halves. */

#define _GNU_SOURCE

#include <errno.h>

#include "entry.h"
#include "layers.h"
#include "times.h"
#include "wax_process_stack.h"

/* {== The error number of a call ======
 *
 * Functions that say with `errno` why they failed do so through overrides as well: an original
 * finds the number of the call's beginning, or that which the original before it left, and what the
 * last one leaves is the caller's. What handlers do in between does not count.
 */

/* Of this thread's innermost call: where its number is kept meanwhile. */
static _Thread_local int *number_of_call __attribute__((tls_model("initial-exec")));

typedef struct error_number {
  int number;
  int *outer;
} error_number;

static inline void keep_error_number(error_number *kept) {
  kept->number = errno;
  kept->outer = number_of_call;
  number_of_call = &kept->number;
}

static inline void give_back_error_number(const error_number *kept) {
  number_of_call = kept->outer;
  errno = kept->number;
}

/* ====== }== */

/* {== The layers of a call ====== */

/* Acquire: a layer is installed before the epoch in which it is on. */
static inline bool has_layers(const wax_runtime_slot *slot) {
  return atomic_load_explicit(&slot->newest, memory_order_acquire) != NULL;
}

/* The slot's function, which is to run its own body; nothing but loads may come before the call. */
static inline const void *mark_original(const wax_runtime_slot *slot) {
  bool is_marked;
  const void *original = wax_runtime_entry_original(slot, &is_marked);
  if (__builtin_expect(is_marked, 1)) wax_runtime_lookup_mark = slot->entry;
  return original;
}

static void invoke_original(const wax_runtime_slot *slot, wax_runtime_frame *frame) {
  wax_runtime_invoke(mark_original(slot), frame, slot->stack_bytes);
}

typedef struct answer_run {
  const wax_runtime_slot *slot;
  wax_runtime_frame *frame;
} answer_run;

static void answer_lent(void *context) {
  const answer_run *run = context;
  run->slot->answer(run->slot->answer_context, run->frame);
}

/* There is no original, but something that answers. False: there is one. */
static inline bool answer_call(const wax_runtime_slot *slot, wax_runtime_frame *frame) {
  if (__builtin_expect(!slot->answer, 1)) return false;
  answer_run run = {slot, frame};
  wax_process_with_stack(answer_lent, &run, false);
  return true;
}

static void call_original(const wax_runtime_slot *slot, wax_runtime_frame *frame) {
  if (answer_call(slot, frame)) return;
  int *number = number_of_call;
  if (!number) return invoke_original(slot, frame);
  errno = *number;
  invoke_original(slot, frame);
  *number = errno;
}

/* Calls the handler of a layer that is measured. Not inlined: no other call is to pay for it. */
__attribute__((noinline, cold)) static bool
run_measured(const wax_runtime_layer *layer, wax_runtime_times *times, wax_runtime_frame *frame) {
  uint64_t began = wax_runtime_times_now();
  bool done = layer->handler(layer->context, frame);
  bool failed = wax_runtime_times_take_failure(times);
  if (done || failed) wax_runtime_times_count(times, WAX_RUNTIME_TIMED_OVERRIDES, began);
  return done;
}

static inline bool run_here(const wax_runtime_layer *layer, wax_runtime_frame *frame) {
  wax_runtime_times *times = wax_runtime_layer_times(layer);
  if (__builtin_expect(times != NULL, 0)) return run_measured(layer, times, frame);
  return layer->handler(layer->context, frame);
}

typedef struct layer_run {
  const wax_runtime_layer *layer;
  wax_runtime_frame *frame;
  bool done;
} layer_run;

static void run_lent(void *context) {
  layer_run *run = context;
  run->done = run_here(run->layer, run->frame);
}

__attribute__((noinline, cold)) static bool run_on_stack(const wax_runtime_layer *layer,
                                                         wax_runtime_frame *frame) {
  layer_run run = {layer, frame, false};
  wax_process_with_stack(run_lent, &run, false);
  return run.done;
}

static inline bool run_layer(const wax_runtime_layer *layer, wax_runtime_frame *frame) {
  if (__builtin_expect(!wax_process_stack_is_enough(), 0)) return run_on_stack(layer, frame);
  return run_here(layer, frame);
}

/* Calls the first layer below `*above` that is on in the epoch `now` and does not decline. False:
 * another epoch began before that. A layer of an ended session may have been removed already, so
 * that none was found.
 */
static inline bool run_layers(const wax_runtime_layer **above, const wax_runtime_slot *slot,
                              wax_runtime_in_flight_record *in_flight, wax_runtime_frame *frame,
                              uint64_t now, bool *done) {
  const wax_runtime_layer *layer = wax_runtime_layer_below(*above, slot);
  while (layer) {
    const wax_runtime_session_switch *session =
        atomic_load_explicit(&layer->session_switch, memory_order_acquire);
    if (wax_runtime_session_switch_is_on_in(session, now)) {
      if (__builtin_expect(!wax_runtime_in_flight_enter_switch(in_flight, session, now), 0))
        return false;
      *done = run_layer(layer, frame);
      /* Release: who finds no call in the switch has all that the handler did behind it. */
      atomic_store_explicit(&in_flight->in_switch, NULL, memory_order_release);
      if (__builtin_expect(*done, 1)) return true;
      frame->error = frame->entry_error;
      *above = layer; /* what has run does not run again */
    }
    layer = atomic_load_explicit(&layer->older, memory_order_acquire);
  }
  return wax_runtime_epoch_now() == now;
}

/* The call goes through the layers below `*above` that are on in one epoch, that of its beginning
 * or a later one. These are not freed as long as `in_flight` announces a call on their slot. False:
 * none took it. */
static bool run_from(const wax_runtime_layer **above, const wax_runtime_slot *slot,
                     wax_runtime_in_flight_record *in_flight, wax_runtime_frame *frame) {
  frame->error = frame->entry_error;
  bool done = false;
  while (__builtin_expect(
      !run_layers(above, slot, in_flight, frame, wax_runtime_epoch_now(), &done), 0)) {
  }
  return done;
}

/* The same through the layers of a slot and of the one that it leads to, all in one epoch: what
 * ends in the one and begins in the other is not missed between the two. */
static bool run_through(const wax_runtime_layer *above, const wax_runtime_slot *slot,
                        const wax_runtime_slot *lower, wax_runtime_in_flight_record *in_flight,
                        wax_runtime_frame *frame) {
  const wax_runtime_layer *above_lower = NULL;
  wax_runtime_in_flight_record *in_lower = wax_runtime_in_flight_begin(lower);
  bool done = false;
  for (;;) {
    uint64_t now = wax_runtime_epoch_now();
    /* What has run below does not run again above. */
    if (!above_lower && !run_layers(&above, slot, in_flight, frame, now, &done)) continue;
    if (done || run_layers(&above_lower, lower, in_lower, frame, now, &done)) break;
  }
  wax_runtime_in_flight_end(in_lower);
  return done;
}

typedef enum lower_outcome {
  LOWER_TOOK_IT,
  LOWER_DECLINED,
  LOWER_IS_LATE, /* the slot itself has layers now */
} lower_outcome;

/* The same where the slot itself has no layers, as it is as long as a patch is live. */
static inline lower_outcome run_lower(const wax_runtime_slot *slot, const wax_runtime_slot *lower,
                                      wax_runtime_frame *frame) {
  const wax_runtime_layer *above = NULL;
  lower_outcome outcome = LOWER_IS_LATE;
  bool done = false;
  wax_runtime_in_flight_record *in_flight = wax_runtime_in_flight_begin(lower);
  frame->error = frame->entry_error;
  for (;;) {
    uint64_t now = wax_runtime_epoch_now();
    if (!above && has_layers(slot)) break;
    if (!run_layers(&above, lower, in_flight, frame, now, &done)) continue;
    outcome = done ? LOWER_TOOK_IT : LOWER_DECLINED;
    break;
  }
  wax_runtime_in_flight_end(in_flight);
  return outcome;
}

/* Inlined twice, so that a call that is not measured goes straight through it. */
__attribute__((always_inline)) static inline void call_next(const wax_runtime_layer *layer,
                                                            wax_runtime_frame *frame) {
  for (;;) {
    const wax_runtime_slot *slot = layer->slot;
    wax_runtime_in_flight_record *in_flight = wax_runtime_in_flight_begin(slot);
    const wax_runtime_layer *above = layer;
    bool done = run_from(&above, slot, in_flight, frame);
    wax_runtime_in_flight_end(in_flight);
    if (done) return;
    if (__builtin_expect(!layer->continuation, 1)) return call_original(slot, frame);
    layer = layer->continuation;
  }
}

__attribute__((noinline, cold)) static void call_next_measured(const wax_runtime_layer *layer,
                                                               wax_runtime_times *times,
                                                               wax_runtime_frame *frame) {
  uint64_t began = wax_runtime_times_now();
  call_next(layer, frame);
  wax_runtime_times_count(times, WAX_RUNTIME_TIMED_ORIGINALS, began);
}

void wax_runtime_call_next(const wax_runtime_layer *layer, wax_runtime_frame *frame) {
  wax_runtime_times *times = wax_runtime_layer_times(layer);
  if (__builtin_expect(times != NULL, 0)) return call_next_measured(layer, times, frame);
  call_next(layer, frame);
}

bool wax_runtime_call_next_if_installed(const wax_runtime_layer *layer, wax_runtime_frame *frame) {
  const wax_runtime_slot *slot = layer->slot;
  wax_runtime_in_flight_record *in_flight = wax_runtime_in_flight_begin(slot);
  /* Announced first: a layer that is seen installed here, and what is older, is not freed now. */
  bool is_installed = wax_runtime_layer_is_installed(layer);
  const wax_runtime_layer *above = layer;
  bool done = is_installed && run_from(&above, slot, in_flight, frame);
  wax_runtime_in_flight_end(in_flight);
  if (!is_installed || done) return is_installed;
  if (layer->continuation)
    call_next(layer->continuation, frame);
  else
    call_original(slot, frame);
  return true;
}

/* ====== }== */

/* The slot whose original is to be run; NULL: a layer has taken the call. */
static inline const wax_runtime_slot *run_all(const wax_runtime_slot *slot,
                                              wax_runtime_frame *frame) {
  const wax_runtime_slot *lower = NULL;
  if (__builtin_expect(!has_layers(slot), 0) && (lower = wax_runtime_slot_lower(slot))) {
    lower_outcome outcome = run_lower(slot, lower, frame);
    if (__builtin_expect(outcome != LOWER_IS_LATE, 1))
      return outcome == LOWER_TOOK_IT ? NULL : lower;
  }
  const wax_runtime_layer *above = NULL;
  wax_runtime_in_flight_record *in_flight = wax_runtime_in_flight_begin(slot);
  bool done = run_from(&above, slot, in_flight, frame);
  if (__builtin_expect(!done, 0) && (lower = wax_runtime_slot_lower(slot))) {
    done = run_through(above, slot, lower, in_flight, frame);
    slot = lower;
  }
  wax_runtime_in_flight_end(in_flight);
  return done ? NULL : slot;
}

const void *wax_runtime_dispatch(wax_runtime_slot *slot, wax_runtime_frame *frame) {
  if (__builtin_expect(wax_runtime_thread.without_patches != 0, 0))
    return answer_call(slot, frame) ? NULL : mark_original(slot);
  error_number kept;
  keep_error_number(&kept);
  const wax_runtime_slot *left = run_all(slot, frame);
  give_back_error_number(&kept);
  return !left || answer_call(left, frame) ? NULL : mark_original(left);
}
