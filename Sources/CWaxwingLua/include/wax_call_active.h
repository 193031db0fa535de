/* SPDX-License-Identifier: MIT
 *
 * The record of an active call: one that is in an override.
 */
#ifndef WAX_CALL_ACTIVE_H
#define WAX_CALL_ACTIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "wax_lua_lent.h"
#include "wax_lua_state.h"
#include "wax_runtime_frame.h"

/* Words of an original's result that is kept in place. */
#define WAX_CALL_PLACE_WORDS 4

/* On the stack of the call's thread, or of an async function in memory of its own. Nothing in it is
   reference-counted by itself, because most calls end without using it. Its Swift side is
   ActiveCall.swift, which explains each member. */
typedef struct wax_call_active {
  const void *override;             /* an Override */
  const struct wax_call_gate *gate; /* the override's */
  const void *point;                /* a PointOverrides, to be compared and not followed */
  const void *plan;                 /* a CallPlan */
  uint64_t receiver;                /* the object that the call is on; 0: none */
  struct wax_call_active *previous;
  int64_t depth; /* how many overrides the thread or task is in, this one counted */
  uint64_t serial;
  wax_runtime_frame *frame; /* the registers as the call came in */
  bool original_ran;
  bool original_threw_opaque;
  bool lends_variables; /* the original has the caller's own: nobody else may look at them */
  bool owns;            /* something of what follows has to be released */
  int lends_results;    /* the reference of the function that may be lent what originals return; 0:
                           none */
  wax_lua_lent_set *lent; /* what its function is lent, to be released; NULL: nothing */
  uint64_t caller_actor[2];
  uint64_t error;                       /* that the original threw, owned; 0: none */
  const void *codec;                    /* of the original's last result, a ValueCodec */
  uint64_t place[WAX_CALL_PLACE_WORDS]; /* that result, if it is small … */
  void *box;                            /* … or else */
  void *inouts;                         /* an InoutValues, owned */
  /* For the outermost call that is to end: a NestedCalls, owned; NULL for other calls. */
  void *nesting;
  struct wax_runtime_async_call *async_call; /* of an async function; NULL: it is none's */
  wax_lua_coroutine *coroutine;              /* that its Lua code runs in */
} wax_call_active;

/* The depth of a call that is to end, and of all on its thread that are in it: it has called itself
   too often. What is overridden is not any more in it. */
#define WAX_CALL_ENDING_DEPTH 0x7fffffff

#endif
