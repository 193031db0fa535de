/* SPDX-License-Identifier: MIT */

/* Ties the offsets that assembly uses to the structure that C and Swift use. */

#include <stddef.h>

#include "cpu.h"

#define ASSERT_OFFSET(field, offset)                                                               \
  _Static_assert(offsetof(wax_runtime_frame, field) == (offset), "wax_runtime_frame." #field)

ASSERT_OFFSET(integer, WAX_RUNTIME_FRAME_INTEGER);
ASSERT_OFFSET(indirect_result, WAX_RUNTIME_FRAME_INDIRECT_RESULT);
ASSERT_OFFSET(self, WAX_RUNTIME_FRAME_SELF);
ASSERT_OFFSET(error, WAX_RUNTIME_FRAME_ERROR);
ASSERT_OFFSET(async_context, WAX_RUNTIME_FRAME_ASYNC_CONTEXT);
ASSERT_OFFSET(vector, WAX_RUNTIME_FRAME_VECTOR);
ASSERT_OFFSET(stack, WAX_RUNTIME_FRAME_STACK);
ASSERT_OFFSET(integer_result, WAX_RUNTIME_FRAME_INTEGER_RESULT);
ASSERT_OFFSET(entry_error, WAX_RUNTIME_FRAME_ENTRY_ERROR);
ASSERT_OFFSET(vector_result, WAX_RUNTIME_FRAME_VECTOR_RESULT);
_Static_assert(sizeof(wax_runtime_frame) == WAX_RUNTIME_FRAME_SIZE, "wax_runtime_frame");
_Static_assert(sizeof(wax_runtime_vector) == 16, "wax_runtime_vector");
