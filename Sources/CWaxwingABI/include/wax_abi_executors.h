/* SPDX-License-Identifier: MIT
 *
 * Where tasks run.
 */
#ifndef WAX_ABI_EXECUTORS_H
#define WAX_ABI_EXECUTORS_H

#include <stdint.h>

/* SerialExecutorRef of the runtime: all zero for none. ABI/Executor.h */
typedef struct wax_abi_executor {
  uintptr_t identity;
  uintptr_t implementation;
} wax_abi_executor;

/* The executor of the job that the calling thread runs; none if it runs a job of no actor, or no
   job at all. Concurrency.h */
wax_abi_executor wax_abi_executor_current(void);

#endif
