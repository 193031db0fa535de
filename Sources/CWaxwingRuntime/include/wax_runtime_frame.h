/* SPDX-License-Identifier: MIT */

/* The registers of one call, as stubs save them and invokers load them. Read by C, Swift and
 * assembly; frame.c asserts the offsets. */

#ifndef WAX_RUNTIME_FRAME_H
#define WAX_RUNTIME_FRAME_H

#define WAX_RUNTIME_INTEGER_ARGUMENTS 6
#define WAX_RUNTIME_VECTOR_ARGUMENTS 8
#define WAX_RUNTIME_INTEGER_RESULTS 4
#define WAX_RUNTIME_VECTOR_RESULTS 4

#define WAX_RUNTIME_FRAME_INTEGER 0
#define WAX_RUNTIME_FRAME_INDIRECT_RESULT 48
#define WAX_RUNTIME_FRAME_SELF_REGISTER 56
#define WAX_RUNTIME_FRAME_ERROR 64
#define WAX_RUNTIME_FRAME_ASYNC_CONTEXT 72
#define WAX_RUNTIME_FRAME_VECTOR 80
#define WAX_RUNTIME_FRAME_STACK 208
#define WAX_RUNTIME_FRAME_INTEGER_RESULT 216
#define WAX_RUNTIME_FRAME_ENTRY_ERROR 248
#define WAX_RUNTIME_FRAME_VECTOR_RESULT 256
#define WAX_RUNTIME_FRAME_SIZE 320

#ifndef __ASSEMBLER__

#include <stdint.h>

/* One vector register, all 16 bytes. A Float or Double sits in the low end of `low`. What a wider
 * register (ymm, zmm) holds above that is not kept; swiftcc passes nothing there unless a module is
 * compiled for AVX and passes 32-byte SIMD values. */
typedef struct wax_runtime_vector {
  _Alignas(16) uint64_t low;
  uint64_t high;
} wax_runtime_vector;

/* One call. A stub fills it from the registers at entry and loads the registers from it at exit;
 * an invoker does the same the other way round. A copy is a frame as good as the first: to call an
 * original with other arguments, copy the frame, change the copy and pass that. */
typedef struct wax_runtime_frame {
  uint64_t integer[WAX_RUNTIME_INTEGER_ARGUMENTS];         /* rdi rsi rdx rcx r8 r9 */
  uint64_t indirect_result;                                /* rax at entry */
  uint64_t self_register;                                  /* r13 */
  uint64_t error;                                          /* r12: in as found, out as left */
  uint64_t async_context;                                  /* r14: loaded, never changed */
  wax_runtime_vector vector[WAX_RUNTIME_VECTOR_ARGUMENTS]; /* xmm0-7 */
  uint64_t *stack;                                         /* the caller's stack arguments */
  uint64_t integer_result[WAX_RUNTIME_INTEGER_RESULTS];    /* rax rdx rcx r8 at exit */
  uint64_t entry_error; /* r12 as the stub found it; never written */
  wax_runtime_vector vector_result[WAX_RUNTIME_VECTOR_RESULTS]; /* xmm0-3 at exit */
} wax_runtime_frame;

#endif
#endif
