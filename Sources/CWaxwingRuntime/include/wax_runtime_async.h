/* SPDX-License-Identifier: MIT */

/* Async functions: calls of them that are overridden, and calls of them that are made.
 *
 * A *resumable call* is what runs between waits: a step runs on the thread that it is driven by and
 * says what to wait for next. wax_runtime_drive, an async function, drives it:
 *
 *   step --> suspension: call an async function, or go to an executor
 *    ^                |
 *    +---- home <-----+     home: the executor that the steps belong on, an actor's for example
 *
 * An *async call* is the resumable call of a call that is on its way through the layers of a slot,
 * or in an async closure of ours. Steps of one resumable call never overlap, and each happens
 * before the next.
 *
 * Contexts come from the task's own allocator, last in, first out: one for each async function that
 * is waited for, freed when it has returned. What else a resumable call needs it must have
 * elsewhere. */

#ifndef WAX_RUNTIME_ASYNC_H
#define WAX_RUNTIME_ASYNC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wax_abi_executors.h"
#include "wax_runtime_frame.h"
#include "wax_runtime.h"

/* The wait of a resumable call. */
typedef struct wax_runtime_suspension {
  /* The async function pointer of what is called; NULL: only `executor` is gone to. */
  const void *function;
  /* Not NULL: the function is to run its own body, and this is its replacement entry. */
  const void *marked;
  /* Its registers; the results and, if it throws, r13 as the error land here. The address of an
   * indirect result is an ordinary argument, the first. */
  wax_runtime_frame *frame;
  size_t stack_bytes;
  wax_abi_executor executor;
} wax_runtime_suspension;

typedef struct wax_runtime_resumable_call {
  /* NULL: it is done. The suspension stays where it is until the next step. */
  const wax_runtime_suspension *(*step)(struct wax_runtime_resumable_call *);
  /* For stubs: where the results are that are returned. Else NULL. */
  wax_runtime_frame *results;
  /* The executor of the steps that follow a call. Without one, they run where the called function
     left off. */
  bool has_home;
  wax_abi_executor home;
} wax_runtime_resumable_call;

/* The async function pointer of `wax_runtime_drive`: (wax_runtime_resumable_call *) async -> (). */
const void *wax_runtime_drive_pointer(void);

typedef struct wax_runtime_async_call wax_runtime_async_call;

/* Stands in for an async function during one call: the step of a call that is in the layer. Called
 * again after each wait, until it returns NULL: then the results are in async_call->frame, unless
 * it sets async_call->declines: the call goes on to the next older layer, and the argument fields
 * must be as they came. It may set async_call->resumable.home. */
typedef const wax_runtime_suspension *(*wax_runtime_async_handler)(
    void *context, wax_runtime_async_call *async_call);

struct wax_runtime_async_call {
  wax_runtime_resumable_call resumable;
  wax_runtime_frame *frame;
  void *state;          /* the handler's, NULL at first */
  const void *compiled; /* the handler's: whose `state` is; NULL: Swift's */
  bool declines;
  void *record;      /* the handler's: what it has of the call, for calls that are made in it; NULL:
                        nothing */
  const void *outer; /* if it is known: see wax_runtime_outer_record */
  wax_runtime_suspension hop; /* the handler's, for a wait of its own */
  /* Everything below is async.c's. */
  bool needs_layer;
  uint8_t phase;
  struct wax_runtime_slot *slot;
  const struct wax_runtime_layer *above;
  const struct wax_runtime_layer *layer;
  const struct wax_runtime_layer *continuation;
  const struct wax_runtime_session_switch *in_switch;
  struct wax_runtime_in_flight_record *in_flight;
  uint64_t *stack_copy;
  uint64_t layer_began; /* when the call entered the layer; 0: that is not measured */
  struct wax_runtime_times
      *original_times; /* where the call counts as an original; NULL: nowhere */
  uint64_t original_began;
  wax_runtime_suspension original;
};

/* Calls an original from a handler, or outside one if `if_installed`: makes the resumable call of
   the code below `layer`, with this frame. It must not be moved before it is done. Afterwards
   async_call->declines tells whether the layer had been removed and nothing was called. */
void wax_runtime_call_next_async(wax_runtime_async_call *async_call,
                                 const struct wax_runtime_layer *layer, wax_runtime_frame *frame,
                                 bool if_installed);

/* The record of the innermost handler's call that waits for this one, directly or by way of
 * functions of the program; NULL: none does. For the call of an original who makes it says so in
 * async_call->outer, and for a call that declines its handler may. */
void *wax_runtime_outer_record(const wax_runtime_async_call *async_call);

/* wax_runtime_may_cancel and wax_runtime_cancel for functions that are async: the frame that allows
   it is that of the suspension. */
bool wax_runtime_may_cancel_async(const wax_runtime_async_call *async_call);
void wax_runtime_cancel_async(wax_runtime_async_call *async_call);

/* Calls the original if only the program's own code is below the layer: puts the call of that, with
   this frame, into `suspension`. False: there are other layers, or there may be, and nothing has
   been written. */
bool wax_runtime_suspend_for_original(const struct wax_runtime_layer *layer,
                                      wax_runtime_frame *frame, wax_runtime_suspension *suspension);

/* The code of a closure of ours, in place of an async function pointer. NULL if the CPU is not
   supported. */
const void *wax_runtime_async_closure_pointer(void);

/* The beginning of the context of an async closure of ours, after the header of a Swift object. */
typedef struct wax_runtime_async_closure_context {
  const void *metadata;
  uintptr_t reference_counts;
  wax_runtime_async_handler handler; /* its context is this object; it must not decline */
  size_t stack_bytes;
} wax_runtime_async_closure_context;

/* wax_runtime_slot_claim_answering for functions that are async; the answer neither declines nor
   waits. */
wax_runtime_claim wax_runtime_slot_claim_answering_async(wax_runtime_point point,
                                                         wax_runtime_async_handler answer,
                                                         void *context);

/* A layer for a slot that is async. */
struct wax_runtime_layer *wax_runtime_layer_create_async(struct wax_runtime_slot *,
                                                         struct wax_runtime_session_switch *,
                                                         wax_runtime_rank rank,
                                                         wax_runtime_async_handler, void *context);

#endif
