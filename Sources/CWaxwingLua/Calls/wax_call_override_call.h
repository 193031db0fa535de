/* SPDX-License-Identifier: MIT
 *
 * How a call of an override begins: for override.c, and for async_override.c.
 */
#ifndef WAX_CALL_OVERRIDE_CALL_H
#define WAX_CALL_OVERRIDE_CALL_H

#include "wax_process_breadcrumbs.h"
#include "wax_call_lua_call.h"
#include "wax_call_override.h"
#include "wax_proxy_coroutine_end.h"
#include "wax_proxy_keeping.h"
#include "wax_proxy_passing.h"

static inline void begin_record(wax_call_active *record, const wax_call_override *override,
                                wax_runtime_frame *frame, wax_lua_coroutine *coroutine) {
  wax_call_active *previous = wax_lua_active_call();
  record->override = override->override;
  record->gate = override->gate;
  record->point = override->point;
  record->plan = override->plan;
  record->receiver = override->arguments.has_receiver ? frame->self_register : 0;
  record->previous = previous;
  record->depth = previous ? previous->depth + 1 : 1;
  record->serial = 0;
  record->frame = frame;
  record->original_ran = record->original_threw_opaque = false;
  record->lends_variables = record->owns = false;
  record->lends_results = 0;
  record->lent = NULL;
  record->caller_actor[0] = record->caller_actor[1] = 0;
  record->error = 0;
  record->codec = NULL;
  record->box = NULL;
  record->inouts = NULL;
  record->coroutine = coroutine;
  record->async_call = NULL;
  record->nesting = NULL;
  wax_lua_set_active_call(record);
}

/* [state entered; -0, +0, -]  Whether the call that begins keeps nothing. */
static inline bool keeps_nothing(const wax_call_override *override, lua_State *L) {
  uint8_t keeping = override->keeping;
  if (__builtin_expect(keeping != WAX_PROXY_KEEPING_NOTHING_OF_SCALARS, 1))
    return keeping != WAX_PROXY_KEEPING_ANYTHING;
  return wax_proxy_keeps_nothing(L, override->reference, (wax_proxy_keeping)keeping);
}

/* [state entered; -0, +0, -]  Whether the call that begins is lent values. */
static inline bool may_lend(const wax_call_override *override, lua_State *L) {
  if (__builtin_expect(!override->lends_results && !override->arguments.lent_steps, 1))
    return false;
  return !override->globals || wax_proxy_original_stands(L, override->reference, override->globals);
}

static inline bool has_room(const wax_call_override *override) {
  const wax_call_active *outer = wax_lua_active_call();
  if (outer && outer->depth >= override->depth) return false;
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  return wax_process_stack.floor && here >= wax_process_stack.entry && here < wax_process_stack.top;
}

/* Whether there is nothing about the call that takes Swift from the beginning. */
static inline bool is_usual(const wax_call_override *override, const wax_runtime_frame *frame) {
  return wax_call_gate_admission(override->gate) == WAX_CALL_ADMITS_ALL && has_room(override) &&
         (!override->metatype || (uintptr_t) override->metatype == frame->self_register) &&
         wax_call_can_push(&override->arguments, frame);
}

/* Enters the state, in which a coroutine is taken; NULL: neither is done. */
static inline wax_lua_coroutine *enter(const wax_call_override *override) {
  wax_lua_state *state = override->state;
  if (__builtin_expect(!wax_lua_enter_at_once(state), 0)) return NULL;
  /* Asked again: it may have ended before this thread was in. */
  wax_lua_coroutine *coroutine = wax_call_gate_admission(override->gate) == WAX_CALL_ADMITS_ALL
                                     ? wax_lua_take_idle_coroutine(state)
                                     : NULL;
  if (__builtin_expect(!coroutine, 0)) wax_lua_leave_at_once(state);
  return coroutine;
}

#endif
