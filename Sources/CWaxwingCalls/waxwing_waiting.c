/* SPDX-License-Identifier: MIT */

#include "waxwing_waiting.h"

bool waxwing_waiting_begin(waxwing_waiting *waiting, waxwing_waiting_call *call, bool was_running) {
  waxwing_lock_take(&waiting->lock);
  if (was_running) waiting->running--;
  call->is_abandoned = waiting->is_ended;
  if (!waiting->is_ended) {
    call->newer = NULL;
    call->older = waiting->newest;
    if (call->older) call->older->newer = call;
    waiting->newest = call;
  }
  bool waits = !waiting->is_ended;
  waxwing_lock_give(&waiting->lock);
  return waits;
}

bool waxwing_waiting_resume(waxwing_waiting *waiting, waxwing_waiting_call *call) {
  waxwing_lock_take(&waiting->lock);
  bool goes_on = !call->is_abandoned;
  if (goes_on) {
    if (call->older) call->older->newer = call->newer;
    if (call->newer)
      call->newer->older = call->older;
    else
      waiting->newest = call->older;
    waiting->running++;
  }
  waxwing_lock_give(&waiting->lock);
  return goes_on;
}

void waxwing_waiting_end(waxwing_waiting *waiting) {
  waxwing_lock_take(&waiting->lock);
  waiting->running--;
  waxwing_lock_give(&waiting->lock);
}

void waxwing_waiting_visit(waxwing_waiting *waiting, bool abandons, void *argument,
                           void (*visit)(void *argument, const void *context)) {
  waxwing_lock_take(&waiting->lock);
  for (waxwing_waiting_call *call = waiting->newest; call; call = call->older) {
    visit(argument, call->context);
    if (abandons) call->is_abandoned = true;
  }
  if (abandons) {
    waiting->is_ended = true;
    waiting->newest = NULL;
  }
  waxwing_lock_give(&waiting->lock);
}

void waxwing_waiting_go_on(waxwing_waiting *waiting) {
  waxwing_lock_take(&waiting->lock);
  waiting->is_ended = false;
  waxwing_lock_give(&waiting->lock);
}

size_t waxwing_waiting_count(waxwing_waiting *waiting, size_t *running) {
  size_t count = 0;
  waxwing_lock_take(&waiting->lock);
  *running = waiting->running;
  for (const waxwing_waiting_call *call = waiting->newest; call; call = call->older) count++;
  waxwing_lock_give(&waiting->lock);
  return count;
}
