/* SPDX-License-Identifier: MIT */

/* Closures that are made here: one stub for all of them. */

#include <errno.h>

#include "cpu.h"
#include "wax_process_stack.h"

#if WAX_RUNTIME_CPU_SUPPORTED

static void call_handler(void *called) {
  wax_runtime_frame *frame = called;
  wax_runtime_closure_context *context = (wax_runtime_closure_context *)frame->self_register;
  context->handler(context, frame);
}

/* Called by the stub. What the handler does to `errno` is not the caller's business. */
void wax_runtime_closure_called(wax_runtime_frame *frame) {
  wax_runtime_closure_context *context = (wax_runtime_closure_context *)frame->self_register;
  int number = errno;
  if (__builtin_expect(wax_process_stack_is_enough(), 1))
    context->handler(context, frame);
  else
    wax_process_with_stack(call_handler, frame, false);
  errno = number;
}

const void *wax_runtime_closure_code(void) { return (const void *)wax_runtime_closure_stub; }

#else

const void *wax_runtime_closure_code(void) { return NULL; }

#endif
