/* SPDX-License-Identifier: MIT */

#include "wax_call_lua_closure.h"

#include <time.h>

#include "wax_process_breadcrumbs.h"
#include "wax_call_lua_call.h"
#include "wax_process.h"

/* {==================================================================
** Those that Swift holds
** =================================================================== */

static inline void lock(wax_call_lua_closure *held) { wax_lua_lock_take(&held->lock); }
static inline void unlock(wax_call_lua_closure *held) { wax_lua_lock_give(&held->lock); }

void wax_call_lua_closure_lock(wax_call_lua_closure *held) { lock(held); }
void wax_call_lua_closure_unlock(wax_call_lua_closure *held) { unlock(held); }

void wax_call_lua_closure_init(wax_call_lua_closure *held, wax_lua_state *state, uint64_t crumb) {
  *held = (wax_call_lua_closure){.state = state, .crumb = crumb};
}

static uint64_t coarse_time(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static inline bool enter(wax_call_lua_closure *held, wax_call_lua_closure_call *call) {
  if (wax_process_is_forked_child()) return false;
  call->thread = wax_lua_kernel_thread();
  call->began = coarse_time();
  call->newer = NULL;
  lock(held);
  bool is_open =
      !held->is_ended || held->exception == call->thread || (call->is_for_object && !held->is_over);
  if (is_open) {
    call->number = ++held->calls_made;
    call->older = held->newest;
    if (call->older) call->older->newer = call;
    held->newest = call;
  }
  unlock(held);
  return is_open;
}

static inline void leave(wax_call_lua_closure *held, wax_call_lua_closure_call *call) {
  lock(held);
  if (call->older) call->older->newer = call->newer;
  if (call->newer)
    call->newer->older = call->older;
  else
    held->newest = call->older;
  unlock(held);
}

bool wax_call_lua_closure_enter(wax_call_lua_closure *held, wax_call_lua_closure_call *call) {
  return enter(held, call);
}

void wax_call_lua_closure_leave(wax_call_lua_closure *held, wax_call_lua_closure_call *call) {
  leave(held, call);
}

void wax_call_lua_closure_add(wax_call_lua_closure *held, wax_call_lua_closure_context *closure) {
  closure->newer = closure->older = NULL;
  if (wax_process_is_forked_child()) return;
  lock(held);
  closure->older = held->newest_closure;
  if (closure->older) closure->older->newer = closure;
  held->newest_closure = closure;
  held->closure_count++;
  unlock(held);
}

void wax_call_lua_closure_remove(wax_call_lua_closure *held,
                                 wax_call_lua_closure_context *closure) {
  if (wax_process_is_forked_child()) return;
  lock(held);
  if (closure->older) closure->older->newer = closure->newer;
  if (closure->newer)
    closure->newer->older = closure->older;
  else if (held->newest_closure == closure)
    held->newest_closure = closure->older;
  held->closure_count--;
  if (!held->is_ended) wax_lua_return_reference(held->state, closure->reference);
  unlock(held);
}

/* }================================================================== */

/* [state entered]  Runs the call in a coroutine, and leaves the state and the call. */
static inline void run_in(wax_lua_coroutine *coroutine, wax_call_lua_closure_context *closure,
                          wax_runtime_frame *frame, wax_call_lua_closure_call *call) {
  const wax_call_lua_closure_plan *plan = closure->plan;
  wax_call_lua_closure *held = closure->held;
  wax_call_lua_call function_call = {&plan->arguments, frame, coroutine, closure->reference};
  coroutine->function = closure->reference;
  coroutine->frame_count = 0;
  wax_lua_budget_renew(coroutine);
  wax_lua_coroutine *outer = wax_lua_budget_begin(coroutine);
  int status = wax_call_lua_function(&function_call);
  wax_lua_budget_end(coroutine, outer);
  bool is_done = status == LUA_OK && !plan->arguments.are_owned &&
                 wax_call_take_result(&plan->result, coroutine->L, frame);
  if (__builtin_expect(!is_done, 0)) {
    plan->conclude(closure, frame, coroutine, call, status, WAX_CALL_FIRST_RESULT);
    return;
  }
  wax_proxy_give_back_coroutine(coroutine);
  wax_lua_leave_at_once(held->state);
  leave(held, call);
}

static inline bool has_room(void) {
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  return wax_lua_stack.floor && here >= wax_lua_stack.entry && here < wax_lua_stack.top;
}

void wax_call_run_lua_closure(void *context, wax_runtime_frame *frame) {
  wax_call_lua_closure_context *closure = context;
  const wax_call_lua_closure_plan *plan = closure->plan;
  wax_call_lua_closure *held = closure->held;
  wax_call_lua_closure_call call = {.method = NULL, .is_for_object = false};
  if (!held || !has_room() || !wax_call_can_push(&plan->arguments, frame) || !enter(held, &call)) {
    plan->run(closure, frame);
    return;
  }
  bool is_in = wax_lua_enter_at_once(held->state);
  wax_lua_coroutine *coroutine = is_in ? wax_lua_take_idle_coroutine(held->state) : NULL;
  if (__builtin_expect(!coroutine, 0)) {
    if (is_in) wax_lua_leave_at_once(held->state);
    leave(held, &call);
    plan->run(closure, frame);
    return;
  }
  wax_process_breadcrumb crumb = wax_process_breadcrumb_enter(held->crumb);
  run_in(coroutine, closure, frame, &call);
  wax_process_breadcrumb_leave(crumb);
}
