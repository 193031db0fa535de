/* SPDX-License-Identifier: MIT
 *
 * Where tasks run.
 */
#ifndef WAXWING_EXECUTORS_H
#define WAXWING_EXECUTORS_H

#include <stdint.h>

/* SerialExecutorRef of the runtime: all zero for none. ABI/Executor.h */
typedef struct waxwing_executor {
  uintptr_t identity;
  uintptr_t implementation;
} waxwing_executor;

/* What the calling thread runs a job of; none if it runs one of no actor, or no job at all.
   Concurrency.h */
waxwing_executor waxwing_executor_current(void);

#endif
