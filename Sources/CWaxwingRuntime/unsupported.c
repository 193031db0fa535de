/* SPDX-License-Identifier: MIT */

/* Stands in for the assembly on CPUs that have none. No slot can be claimed there, so only a
 * caller that does not ask wax_runtime_cpu_supported comes here. */

#include "cpu.h"

#if !WAX_RUNTIME_CPU_SUPPORTED

#include <stdio.h>
#include <stdlib.h>

static void unsupported(void) {
  fputs("waxwing: calling functions is not supported on this CPU\n", stderr);
  abort();
}

void wax_runtime_invoke(const void *function, wax_runtime_frame *frame, size_t stack_bytes) {
  (void)function, (void)frame, (void)stack_bytes;
  unsupported();
}

#else

/* ISO C wants a declaration in every file. */
typedef int wax_runtime_cpu_is_supported;

#endif
