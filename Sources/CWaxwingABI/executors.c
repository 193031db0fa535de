/* SPDX-License-Identifier: MIT */

#include "waxwing_executors.h"

__attribute__((swiftcall)) extern waxwing_executor swift_task_getCurrentExecutor(void);

waxwing_executor waxwing_executor_current(void) { return swift_task_getCurrentExecutor(); }
