/* SPDX-License-Identifier: MIT */

/* Async functions: calls of them that are overridden, and calls of them that are made.
 *
 * An *activity* is what runs between waits: a step runs on the thread that it is driven by and says
 * what to wait for next. waxwing_drive, an async function, drives it:
 *
 *   step --> wait: call an async function, or go to an executor
 *    ^                |
 *    +---- home <-----+     home: the executor that the steps belong on, an actor's for example
 *
 * A *run* is the activity of a call on its way through the layers of a slot. Steps of one activity
 * never overlap, and each happens before the next.
 *
 * Contexts come from the task's own allocator, last in, first out: one for each async function that
 * is waited for, freed when it has returned. What else an activity needs it must have elsewhere. */

#ifndef WAXWING_ASYNC_H
#define WAXWING_ASYNC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "waxwing_executors.h"
#include "waxwing_frame.h"
#include "waxwing_runtime.h"

/* What an activity waits for. */
typedef struct waxwing_wait {
  /* The async function pointer of what is called; NULL: only `executor` is gone to. */
  const void *function;
  /* Not NULL: the function is to run its own body, and this is its replacement entry. */
  const void *marked;
  /* Its registers; the results and, if it throws, r13 as the error land here. The address of an
   * indirect result is an ordinary argument, the first. */
  waxwing_frame *frame;
  size_t stack_bytes;
  waxwing_executor executor;
} waxwing_wait;

typedef struct waxwing_activity {
  /* NULL: it is done. The wait stays where it is until the next step. */
  const waxwing_wait *(*step)(struct waxwing_activity *);
  /* For stubs: where the results are that are returned. Else NULL. */
  waxwing_frame *results;
  /* Where steps run that follow a call. If it has none, they run where the called function left
   * off. */
  bool has_home;
  waxwing_executor home;
} waxwing_activity;

/* The async function pointer of `waxwing_drive`: (waxwing_activity *) async -> (). */
const void *waxwing_drive_pointer(void);

typedef struct waxwing_run waxwing_run;

/* Stands in for an async function during one call: the step of a call that is in the layer. Called
 * again after each wait, until it returns NULL: then the results are in run->frame, unless it sets
 * run->declines: the call goes on to the next older layer, and the argument fields must be as they
 * came. It may set run->activity.home. */
typedef const waxwing_wait *(*waxwing_async_handler)(void *context, waxwing_run *run);

struct waxwing_run {
  waxwing_activity activity;
  waxwing_frame *frame;
  void *state;          /* the handler's, NULL at first */
  const void *compiled; /* the handler's: whose `state` is; NULL: Swift's */
  bool declines;
  waxwing_wait hop; /* the handler's, for a wait of its own */
  /* Everything below is async.c's. */
  bool needs_layer;
  uint8_t phase;
  struct waxwing_slot *slot;
  const struct waxwing_layer *above;
  const struct waxwing_layer *layer;
  const struct waxwing_layer *continuation;
  const struct waxwing_switch *in_switch;
  struct waxwing_cell *cell;
  uint64_t *stack_copy;
  waxwing_wait original;
};

/* For who calls an original from a handler, or outside one if `if_installed`: the activity of the
 * call of what is below `layer`, with this frame. Not to be moved before it is done; afterwards
 * run->declines tells that the layer had been removed and nothing was called. */
void waxwing_run_next(waxwing_run *run, const struct waxwing_layer *layer, waxwing_frame *frame,
                      bool if_installed);

/* The same where nothing is below the layer but the program's own code: the call of that, with this
 * frame, into `wait`. False: there is more, or there may be, and nothing has been written. */
bool waxwing_wait_for_original(const struct waxwing_layer *layer, waxwing_frame *frame,
                               waxwing_wait *wait);

/* In an async function pointer's place: what a closure of ours has for its code. NULL where the CPU
 * is not supported. */
const void *waxwing_async_closure_pointer(void);

/* How the context of an async closure of ours begins, behind the header of a Swift object. */
typedef struct waxwing_async_closure_context {
  const void *metadata;
  uintptr_t reference_counts;
  waxwing_async_handler handler; /* its context is this object; it must not decline */
  size_t stack_bytes;
} waxwing_async_closure_context;

/* What waxwing_slot_claim_answering is for those that are not; the answer
 * neither declines nor waits. */
waxwing_claim waxwing_slot_claim_answering_async(void **entry, size_t stack_bytes,
                                                 waxwing_async_handler answer, void *context);

/* A layer for a slot that is async. */
struct waxwing_layer *waxwing_layer_create_async(struct waxwing_slot *, struct waxwing_switch *,
                                                 waxwing_rank rank, waxwing_async_handler,
                                                 void *context);

#endif
