/* SPDX-License-Identifier: MIT */

#include "wax_call_waiting.h"

bool wax_call_waiting_begin(wax_call_waiting *waiting, wax_call_waiting_call *call,
                            bool was_running) {
  wax_lua_lock_take(&waiting->lock);
  if (was_running) waiting->running--;
  call->is_abandoned = waiting->is_ended;
  if (!waiting->is_ended) {
    call->newer = NULL;
    call->older = waiting->newest;
    if (call->older) call->older->newer = call;
    waiting->newest = call;
  }
  bool waits = !waiting->is_ended;
  wax_lua_lock_give(&waiting->lock);
  return waits;
}

bool wax_call_waiting_resume(wax_call_waiting *waiting, wax_call_waiting_call *call) {
  wax_lua_lock_take(&waiting->lock);
  bool goes_on = !call->is_abandoned;
  if (goes_on) {
    if (call->older) call->older->newer = call->newer;
    if (call->newer)
      call->newer->older = call->older;
    else
      waiting->newest = call->older;
    waiting->running++;
  }
  wax_lua_lock_give(&waiting->lock);
  return goes_on;
}

void wax_call_waiting_end(wax_call_waiting *waiting) {
  wax_lua_lock_take(&waiting->lock);
  waiting->running--;
  wax_lua_lock_give(&waiting->lock);
}

size_t wax_call_waiting_visit(wax_call_waiting *waiting, bool abandons, void *argument,
                              void (*visit)(void *argument, const void *context)) {
  wax_lua_lock_take(&waiting->lock);
  size_t running = waiting->running;
  for (wax_call_waiting_call *call = waiting->newest; call; call = call->older) {
    visit(argument, call->context);
    if (abandons) call->is_abandoned = true;
  }
  if (abandons) {
    waiting->is_ended = true;
    waiting->newest = NULL;
  }
  wax_lua_lock_give(&waiting->lock);
  return running;
}

void wax_call_waiting_readmit(wax_call_waiting *waiting) {
  wax_lua_lock_take(&waiting->lock);
  waiting->is_ended = false;
  wax_lua_lock_give(&waiting->lock);
}

size_t wax_call_waiting_count(wax_call_waiting *waiting, size_t *running) {
  size_t count = 0;
  wax_lua_lock_take(&waiting->lock);
  *running = waiting->running;
  for (const wax_call_waiting_call *call = waiting->newest; call; call = call->older) count++;
  wax_lua_lock_give(&waiting->lock);
  return count;
}
