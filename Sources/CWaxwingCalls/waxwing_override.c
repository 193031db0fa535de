/* SPDX-License-Identifier: MIT */

#include "waxwing_override_call.h"

#include <stdlib.h>

#include "waxwing_process.h"

int waxwing_first_result(void) { return WAXWING_FIRST_RESULT; }

bool waxwing_takes_long_way(void) { return waxwing_environment("WAXWING_LONG_WAY") != NULL; }

/* [state entered]  Runs the call in a lane, and leaves the state. */
static inline bool run_in(waxwing_lane *lane, const waxwing_override *override,
                          waxwing_frame *frame) {
  waxwing_function_call call = {&override->arguments, frame, lane, override->reference};
  waxwing_call_record record;
  begin_record(&record, override, frame);
  waxwing_gate_count(override->gate);
  lane->drops_proxies = override->keeps_nothing;
  lane->function = override->reference;
  lane->frame_count = 0;
  waxwing_budget_renew(lane);
  waxwing_lane *outer = waxwing_budget_begin(lane);
  int status = waxwing_call_function(&call);
  waxwing_budget_end(lane, outer);
  bool is_done = status == LUA_OK && !override->arguments.are_owned &&
                 waxwing_take_result(&override->result, lane->L, frame);
  if (__builtin_expect(!is_done, 0))
    return override->conclude(override->context, frame, lane, &record, status,
                              WAXWING_FIRST_RESULT);
  waxwing_set_activation(record.previous);
  waxwing_give_back_lane(lane);
  waxwing_leave_at_once(override->state);
  if (__builtin_expect(record.owns, 0)) override->forget(&record); /* deinitializers may run */
  return true;
}

bool waxwing_run_override(void *context, waxwing_frame *frame) {
  const waxwing_override *override = context;
  waxwing_lane *lane = is_usual(override, frame) ? enter(override) : NULL;
  if (__builtin_expect(!lane, 0)) return override->run(override->context, frame);
  waxwing_crumb crumb = waxwing_crumb_enter(override->crumb);
  bool handled = run_in(lane, override, frame);
  waxwing_crumb_leave(crumb);
  return handled;
}
