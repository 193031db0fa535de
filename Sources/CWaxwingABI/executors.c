/* SPDX-License-Identifier: MIT */

#include "wax_abi_executors.h"

__attribute__((swiftcall)) extern wax_abi_executor swift_task_getCurrentExecutor(void);

wax_abi_executor wax_abi_executor_current(void) { return swift_task_getCurrentExecutor(); }
