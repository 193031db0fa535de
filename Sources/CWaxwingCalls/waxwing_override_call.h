/* SPDX-License-Identifier: MIT
 *
 * How a call of an override begins: for waxwing_override.c, and for waxwing_async_override.c.
 */
#ifndef WAXWING_OVERRIDE_CALL_H
#define WAXWING_OVERRIDE_CALL_H

#include "waxwing_breadcrumbs.h"
#include "waxwing_function_call.h"
#include "waxwing_override.h"
#include "waxwing_lane_end.h"

static inline void begin_record(waxwing_call_record *record, const waxwing_override *override,
                                waxwing_frame *frame) {
  waxwing_call_record *previous = waxwing_activation();
  record->override = override->override;
  record->gate = override->gate;
  record->point = override->point;
  record->plan = override->plan;
  record->receiver = override->arguments.has_receiver ? frame->self : 0;
  record->previous = previous;
  record->depth = previous ? previous->depth + 1 : 1;
  record->serial = 0;
  record->frame = frame;
  record->original_ran = record->original_threw_opaque = record->owns = false;
  record->caller_actor[0] = record->caller_actor[1] = 0;
  record->error = 0;
  record->codec = NULL;
  record->box = NULL;
  record->inouts = NULL;
  waxwing_set_activation(record);
}

static inline bool has_room(const waxwing_override *override) {
  const waxwing_call_record *outer = waxwing_activation();
  if (outer && outer->depth >= override->depth) return false;
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  return waxwing_stack.floor && here >= waxwing_stack.entry && here < waxwing_stack.top;
}

/* Whether there is nothing about the call that takes Swift from the beginning. */
static inline bool is_usual(const waxwing_override *override, const waxwing_frame *frame) {
  return waxwing_gate_admission(override->gate) == WAXWING_ADMITS_ALL && has_room(override) &&
         (!override->metatype || (uintptr_t) override->metatype == frame->self) &&
         waxwing_can_push(&override->arguments, frame);
}

/* Enters the state, in which a lane is taken; NULL: neither is done. */
static inline waxwing_lane *enter(const waxwing_override *override) {
  waxwing_state *state = override->state;
  if (__builtin_expect(!waxwing_enter_at_once(state), 0)) return NULL;
  /* Asked again: it may have ended before this thread was in. */
  waxwing_lane *lane = waxwing_gate_admission(override->gate) == WAXWING_ADMITS_ALL
                           ? waxwing_take_idle_lane(state)
                           : NULL;
  if (__builtin_expect(!lane, 0)) waxwing_leave_at_once(state);
  return lane;
}

#endif
