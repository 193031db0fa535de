/* SPDX-License-Identifier: MIT */

/* Stands in for the assembly on CPUs that have none. No slot can be claimed there, so only a
 * caller that does not ask wax_runtime_cpu_supported comes here. */

#include "entry.h"

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

/* The kinds of entries that a port has to have machine code for. Of what no slot is claimed for,
 * only `leads_to` is asked. */

static wax_runtime_claim refuse(wax_runtime_slot *slot) {
  (void)slot;
  return WAX_RUNTIME_CLAIM_UNSUPPORTED;
}

static bool refute(const wax_runtime_slot *slot) {
  (void)slot;
  return false;
}

#define UNSUPPORTED_ENTRY                                                                          \
  {                                                                                                \
    .prepare = refuse, .is_ours = refute, .install = refuse, .remove = refuse, .verify = refute,   \
    .leads_to = wax_runtime_entry_holds,                                                           \
  }

const wax_runtime_entry_functions wax_runtime_async_pointer_entry = UNSUPPORTED_ENTRY;
const wax_runtime_entry_functions wax_runtime_code_entry = UNSUPPORTED_ENTRY;

#else

/* ISO C wants a declaration in every file. */
typedef int wax_runtime_cpu_is_supported;

#endif
