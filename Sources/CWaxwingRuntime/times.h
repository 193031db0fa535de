/* SPDX-License-Identifier: MIT */

/* How dispatch.c and async.c count the times of calls. */

#ifndef TIMES_H
#define TIMES_H

#include <time.h>

#include "slot.h"
#include "wax_runtime_times.h"

/* NULL: the layer is not measured. Relaxed but for what it points at, which was made before. */
static inline wax_runtime_times *wax_runtime_layer_times(const wax_runtime_layer *layer) {
  return atomic_load_explicit(&layer->times, memory_order_acquire);
}

static inline uint64_t wax_runtime_times_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* A call that began then is over. */
void wax_runtime_times_count(wax_runtime_times *, wax_runtime_timed, uint64_t began)
    __attribute__((visibility("hidden")));

/* Whether the handler that has just returned on this thread failed; told once. */
bool wax_runtime_times_take_failure(const wax_runtime_times *)
    __attribute__((visibility("hidden")));

#endif
