/* SPDX-License-Identifier: MIT */

#include "wax_call_lua_closure.h"

#include <time.h>

#include "wax_process_breadcrumbs.h"
#include "wax_call_lua_call.h"
#include "wax_process.h"
#include "wax_runtime_barrier.h"

/* {==================================================================
** The held functions of a script
** =================================================================== */

static inline void lock(wax_call_lua_closure *held) { wax_lua_lock_take(&held->lock); }
static inline void unlock(wax_call_lua_closure *held) { wax_lua_lock_give(&held->lock); }

/* [state entered]  The list of calls inside. False: another thread has just been there, and the
   lock is taken in earnest. */
static inline bool begin_listing(wax_call_lua_closure *held) {
  atomic_store_explicit(&held->is_listing, true, memory_order_relaxed);
  wax_runtime_light_barrier();
  /* Acquire: what others have written before they gave the lock is seen. */
  if (__builtin_expect(
          atomic_load_explicit(&held->others.word, memory_order_acquire) == WAX_LUA_LOCK_FREE, 1))
    return true;
  atomic_store_explicit(&held->is_listing, false, memory_order_release);
  wax_lua_lock_take(&held->others);
  return false;
}

static inline void end_listing(wax_call_lua_closure *held, bool is_light) {
  if (__builtin_expect(is_light, 1))
    atomic_store_explicit(&held->is_listing, false, memory_order_release);
  else
    wax_lua_lock_give(&held->others);
}

void wax_call_lua_closure_lock(wax_call_lua_closure *held) {
  lock(held);
  wax_lua_lock_take(&held->others);
  wax_runtime_calls_barrier();
  /* For as long as it takes to write a few words, unless that thread has been put off: then it is
     given time, whatever the priorities are. */
  const struct timespec moment = {0, 20000};
  for (int looks = 0; atomic_load_explicit(&held->is_listing, memory_order_acquire); looks++)
    if (looks > 100) nanosleep(&moment, NULL);
}

void wax_call_lua_closure_unlock(wax_call_lua_closure *held) {
  wax_lua_lock_give(&held->others);
  unlock(held);
}

void wax_call_lua_closure_init(wax_call_lua_closure *held, wax_lua_state *state,
                               uint64_t breadcrumb) {
  *held = (wax_call_lua_closure){.state = state, .breadcrumb = breadcrumb};
}

static uint64_t coarse_time(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Under the locks of the lists. */
static inline bool is_open(const wax_call_lua_closure *held,
                           const wax_call_lua_closure_call *call) {
  return !held->is_ended || held->exception == call->thread ||
         (call->is_for_object && !held->is_over);
}

static inline void link_call(wax_call_lua_closure_call **newest, wax_call_lua_closure_call *call) {
  call->older = *newest;
  if (call->older) call->older->newer = call;
  *newest = call;
}

static inline void unlink_call(wax_call_lua_closure_call **newest,
                               wax_call_lua_closure_call *call) {
  if (call->older) call->older->newer = call->newer;
  if (call->newer)
    call->newer->older = call->older;
  else
    *newest = call->older;
}

static inline void begin_call(wax_call_lua_closure_call *call) {
  call->thread = wax_lua_kernel_thread();
  call->began = coarse_time();
  call->newer = NULL;
}

bool wax_call_lua_closure_enter(wax_call_lua_closure *held, wax_call_lua_closure_call *call) {
  if (wax_process_is_forked_child()) return false;
  begin_call(call);
  lock(held);
  bool opens = is_open(held, call);
  if (opens) {
    call->number = 2 * ++held->calls_made;
    link_call(&held->newest, call);
  }
  unlock(held);
  return opens;
}

void wax_call_lua_closure_leave(wax_call_lua_closure *held, wax_call_lua_closure_call *call) {
  lock(held);
  unlink_call(&held->newest, call);
  unlock(held);
}

/* The state's lock has been taken. */
static inline bool list_inside(wax_call_lua_closure *held, wax_call_lua_closure_call *call) {
  bool is_light = begin_listing(held);
  bool opens = is_open(held, call);
  if (opens) {
    call->number = 2 * ++held->calls_made_inside + 1;
    link_call(&held->newest_inside, call);
  }
  end_listing(held, is_light);
  return opens;
}

static inline void leave_inside(wax_call_lua_closure *held, wax_call_lua_closure_call *call) {
  bool is_light = begin_listing(held);
  unlink_call(&held->newest_inside, call);
  end_listing(held, is_light);
}

void wax_call_lua_closure_leave_inside(wax_call_lua_closure *held,
                                       wax_call_lua_closure_call *call) {
  leave_inside(held, call);
}

/* Enters the state without waiting, and announces the call. False: neither is done. The lock comes
   first: until the call is listed the state may be closed, and nothing else of it is touched. */
static inline bool enter(wax_call_lua_closure *held, wax_call_lua_closure_call *call) {
  wax_lua_state *state = held->state;
  if (wax_process_is_forked_child()) return false;
  bool is_in = atomic_load_explicit(&state->owner, memory_order_relaxed) == wax_lua_this_thread();
  if (!is_in && !wax_lua_lock_try(&state->lock)) return false;
  begin_call(call);
  if (__builtin_expect(!list_inside(held, call), 0)) {
    if (!is_in) wax_lua_lock_give(&state->lock);
    return false;
  }
  if (is_in)
    state->depth++;
  else
    wax_lua_begin_turn(state);
  return true;
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
                 wax_call_take_result(&plan->result, &plan->arguments, NULL, coroutine->L, frame);
  if (__builtin_expect(!is_done, 0)) {
    plan->conclude(closure, frame, coroutine, call, status, WAX_CALL_FIRST_RESULT);
    return;
  }
  wax_proxy_give_back_coroutine(coroutine);
  leave_inside(held, call);
  wax_lua_leave_at_once(held->state);
}

static inline bool has_room(void) {
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  return wax_process_stack.floor && here >= wax_process_stack.entry && here < wax_process_stack.top;
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
  wax_lua_coroutine *coroutine = wax_lua_take_idle_coroutine(held->state);
  if (__builtin_expect(!coroutine, 0)) {
    leave_inside(held, &call);
    wax_lua_leave_at_once(held->state);
    plan->run(closure, frame);
    return;
  }
  wax_process_breadcrumb breadcrumb = wax_process_breadcrumb_enter(held->breadcrumb);
  run_in(coroutine, closure, frame, &call);
  wax_process_breadcrumb_leave(breadcrumb);
}
