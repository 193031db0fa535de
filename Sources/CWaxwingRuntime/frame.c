/* SPDX-License-Identifier: MIT */

/* Ties the offsets that assembly uses to the structure that C and Swift use; and calls that end
 * without an outcome. */

#include <stddef.h>

#include "cpu.h"

#define ASSERT_OFFSET(field, offset)                                                               \
  _Static_assert(offsetof(wax_runtime_frame, field) == (offset), "wax_runtime_frame." #field)

ASSERT_OFFSET(integer, WAX_RUNTIME_FRAME_INTEGER);
ASSERT_OFFSET(indirect_result, WAX_RUNTIME_FRAME_INDIRECT_RESULT);
ASSERT_OFFSET(self_register, WAX_RUNTIME_FRAME_SELF_REGISTER);
ASSERT_OFFSET(error, WAX_RUNTIME_FRAME_ERROR);
ASSERT_OFFSET(async_context, WAX_RUNTIME_FRAME_ASYNC_CONTEXT);
ASSERT_OFFSET(vector, WAX_RUNTIME_FRAME_VECTOR);
ASSERT_OFFSET(stack, WAX_RUNTIME_FRAME_STACK);
ASSERT_OFFSET(integer_result, WAX_RUNTIME_FRAME_INTEGER_RESULT);
ASSERT_OFFSET(entry_error, WAX_RUNTIME_FRAME_ENTRY_ERROR);
ASSERT_OFFSET(vector_result, WAX_RUNTIME_FRAME_VECTOR_RESULT);
_Static_assert(sizeof(wax_runtime_frame) == WAX_RUNTIME_FRAME_SIZE, "wax_runtime_frame");
_Static_assert(sizeof(wax_runtime_vector) == 16, "wax_runtime_vector");

/* How far a frame that is given to wax_runtime_invoke is from the stack of the call, at most: it
 * and the stack arguments are in between. */
#define FARTHEST_FRAME (UINT64_C(1) << 20)

/* The frame of the caller that can do without the outcome; NULL: it has said nothing of the kind.
 */
static wax_runtime_frame *cancelling_frame(const wax_runtime_frame *frame) {
  uint64_t address = frame->async_context ^ WAX_RUNTIME_MAY_CANCEL;
  wax_runtime_frame *caller = (wax_runtime_frame *)(uintptr_t)address;
  if (caller == frame) return caller; /* an older layer: the call has come through no stub */
#if WAX_RUNTIME_CPU_SUPPORTED
  if (!frame->stack) return NULL;
  /* Of any other word the register may hold nothing is known. */
  uint64_t here = (uint64_t)(uintptr_t)frame->stack, returns_to = frame->stack[-1];
  if (returns_to < (uint64_t)(uintptr_t)wax_runtime_invoke ||
      returns_to >= (uint64_t)(uintptr_t)wax_runtime_invoke_end)
    return NULL;
  if (address % _Alignof(wax_runtime_frame) || address < here || address - here > FARTHEST_FRAME)
    return NULL;
  return wax_runtime_was_cancelled(caller) ? NULL : caller;
#else
  return NULL;
#endif
}

bool wax_runtime_may_cancel(const wax_runtime_frame *frame) {
  return cancelling_frame(frame) != NULL;
}

void wax_runtime_cancel(wax_runtime_frame *frame) {
  wax_runtime_frame *caller = cancelling_frame(frame);
  if (!caller) return;
  frame->error = frame->entry_error;
  caller->async_context = 0;
}
