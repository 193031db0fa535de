/* SPDX-License-Identifier: MIT */

#include "wax_call_override_call.h"

#include <stdlib.h>

#include "wax_process.h"

int wax_call_first_result(void) { return WAX_CALL_FIRST_RESULT; }

bool wax_call_takes_long_way(void) { return wax_process_environment("WAXWING_LONG_WAY") != NULL; }

/* [state entered]  Runs the call in a coroutine, and leaves the state. */
static inline bool run_in(wax_lua_coroutine *coroutine, const wax_call_override *override,
                          wax_runtime_frame *frame) {
  wax_call_active record;
  wax_call_lua_call call = {&override->arguments, frame, coroutine, override->reference, NULL};
  begin_record(&record, override, frame, coroutine);
  if (may_lend(override, coroutine->L)) {
    if (override->lends_results) record.lends_results = override->reference;
    call.record = &record;
  }
  wax_call_gate_count(override->gate);
  coroutine->drops_proxies = keeps_nothing(override, coroutine->L);
  coroutine->function = override->reference;
  coroutine->frame_count = 0;
  wax_lua_budget_renew(coroutine);
  wax_lua_coroutine *outer = wax_lua_budget_begin(coroutine);
  int status = wax_call_lua_function(&call);
  wax_lua_budget_end(coroutine, outer);
  bool is_done =
      status == LUA_OK && !override->arguments.are_owned && record.depth != WAX_CALL_ENDING_DEPTH &&
      wax_call_take_result(&override->result, &override->arguments, &record, coroutine->L, frame);
  if (__builtin_expect(!is_done, 0))
    return override->long_way->conclude(override->context, frame, coroutine, &record, status,
                                        WAX_CALL_FIRST_RESULT);
  wax_lua_set_active_call(record.previous);
  wax_proxy_give_back_coroutine(coroutine);
  wax_lua_leave_at_once(override->state);
  if (__builtin_expect(record.owns || record.lent, 0))
    override->long_way->forget(&record); /* deinitializers may run */
  return true;
}

bool wax_call_run_override(void *context, wax_runtime_frame *frame) {
  const wax_call_override *override = context;
  wax_lua_coroutine *coroutine = is_usual(override, frame) ? enter(override) : NULL;
  if (__builtin_expect(!coroutine, 0)) return override->long_way->run(override->context, frame);
  wax_process_breadcrumb breadcrumb = wax_process_breadcrumb_enter(override->breadcrumb);
  bool handled = run_in(coroutine, override, frame);
  wax_process_breadcrumb_leave(breadcrumb);
  return handled;
}
