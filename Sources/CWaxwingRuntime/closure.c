/* SPDX-License-Identifier: MIT */

/* Closures that are made here: one stub for all of them. */

#include <errno.h>

#include "cpu.h"

#if WAX_RUNTIME_CPU_SUPPORTED

/* Called by the stub. What the handler does to `errno` is not the caller's business. */
void wax_runtime_closure_called(wax_runtime_frame *frame) {
  wax_runtime_closure_context *context = (wax_runtime_closure_context *)frame->self;
  int number = errno;
  context->handler(context, frame);
  errno = number;
}

const void *wax_runtime_closure_code(void) { return (const void *)wax_runtime_closure_stub; }

#else

const void *wax_runtime_closure_code(void) { return NULL; }

#endif
