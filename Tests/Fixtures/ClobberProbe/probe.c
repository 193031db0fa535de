/* SPDX-License-Identifier: MIT */

#include "clobber_probe.h"

#include <execinfo.h>
#include <string.h>

#define ASSERT_OFFSET(field, offset)                                                               \
  _Static_assert(offsetof(probe_registers, field) == (offset), "probe_registers." #field)

ASSERT_OFFSET(rax, PROBE_RAX);
ASSERT_OFFSET(r15, PROBE_R15);
ASSERT_OFFSET(flags, PROBE_FLAGS);
ASSERT_OFFSET(mxcsr, PROBE_MXCSR);
ASSERT_OFFSET(xmm, PROBE_XMM);
ASSERT_OFFSET(stack, PROBE_STACK);
_Static_assert(sizeof(probe_registers) == PROBE_SIZE, "probe_registers");

/* The assembly's. */
#define FOR_ASSEMBLY __attribute__((visibility("hidden")))
FOR_ASSEMBLY probe_registers probe_seen, probe_answer;
FOR_ASSEMBLY uint64_t probe_throws;
FOR_ASSEMBLY void probe_function(void);
FOR_ASSEMBLY void probe_note(void);

static uint64_t entered;
static bool marked;

extern void *swift_getFunctionReplacement(void **entry, void *current);

static void *no_entry = &no_entry;
static void **entry = &no_entry;

void probe_use_entry(void **used) { entry = used; }

/* No function has this address: the entry counts as replaced. */
bool probe_take_mark(void) { return swift_getFunctionReplacement(entry, (void *)1) == NULL; }

void probe_note(void) {
  entered++;
  marked = probe_take_mark();
}

const void *probe_function_address(void) { return (const void *)probe_function; }
const probe_registers *probe_seen_registers(void) { return &probe_seen; }
uint64_t probe_entry_count(void) { return entered; }
bool probe_was_marked(void) { return marked; }

void probe_prepare(const probe_registers *answer, bool throws) {
  memset(&probe_seen, 0, sizeof probe_seen);
  probe_answer = *answer;
  probe_throws = throws;
  entered = 0;
  marked = false;
}

size_t probe_backtrace(void **addresses, size_t capacity) {
  return (size_t)backtrace(addresses, (int)capacity);
}
