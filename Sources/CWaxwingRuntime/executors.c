/* SPDX-License-Identifier: MIT */

#define _GNU_SOURCE

#include "waxwing_executors.h"

#include <unistd.h>

__attribute__((swiftcall)) extern waxwing_executor swift_task_getCurrentExecutor(void);

waxwing_executor waxwing_executor_current(void) { return swift_task_getCurrentExecutor(); }

_Bool waxwing_is_main_thread(void) { return gettid() == getpid(); }
