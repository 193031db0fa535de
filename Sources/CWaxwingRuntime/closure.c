/* SPDX-License-Identifier: MIT */

/* Closures that are made here: one stub for all of them. */

#include <errno.h>

#include "cpu.h"

#if WAXWING_CPU_SUPPORTED

/* Called by the stub. What the handler does to `errno` is not the caller's business. */
void waxwing_closure_called(waxwing_frame *frame) {
  waxwing_closure_context *context = (waxwing_closure_context *)frame->self;
  int number = errno;
  context->handler(context, frame);
  errno = number;
}

const void *waxwing_closure_code(void) { return (const void *)waxwing_closure_stub; }

#else

const void *waxwing_closure_code(void) { return NULL; }

#endif
