/* SPDX-License-Identifier: MIT */

/* Ties the offsets that assembly uses to the structure that C and Swift use. */

#include <stddef.h>

#include "cpu.h"

#define ASSERT_OFFSET(field, offset)                                                               \
  _Static_assert(offsetof(waxwing_frame, field) == (offset), "waxwing_frame." #field)

ASSERT_OFFSET(integer, WAXWING_FRAME_INTEGER);
ASSERT_OFFSET(indirect_result, WAXWING_FRAME_INDIRECT_RESULT);
ASSERT_OFFSET(self, WAXWING_FRAME_SELF);
ASSERT_OFFSET(error, WAXWING_FRAME_ERROR);
ASSERT_OFFSET(async_context, WAXWING_FRAME_ASYNC_CONTEXT);
ASSERT_OFFSET(vector, WAXWING_FRAME_VECTOR);
ASSERT_OFFSET(stack, WAXWING_FRAME_STACK);
ASSERT_OFFSET(integer_result, WAXWING_FRAME_INTEGER_RESULT);
ASSERT_OFFSET(entry_error, WAXWING_FRAME_ENTRY_ERROR);
ASSERT_OFFSET(vector_result, WAXWING_FRAME_VECTOR_RESULT);
_Static_assert(sizeof(waxwing_frame) == WAXWING_FRAME_SIZE, "waxwing_frame");
_Static_assert(sizeof(waxwing_vector) == 16, "waxwing_vector");
