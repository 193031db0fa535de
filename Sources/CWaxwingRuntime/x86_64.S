/* SPDX-License-Identifier: MIT */

/* Stubs and invokers for swiftcc on x86_64.
 *
 *   rdi rsi rdx rcx r8 r9   integer arguments    rax rdx rcx r8   integer results
 *   xmm0-7                  vector arguments     xmm0-3           vector results
 *   rax                     where an indirect result goes
 *   r13  self or context    r12  error, in and out    r14  async context
 *   rbx rbp r15 r13 r14     kept by the callee; r12 too where the function does not throw
 *   r10 r11                 free at entry
 *
 * Neither the direction flag nor MXCSR nor x87 are touched. Of ymm and zmm only the xmm part is
 * kept. Return addresses are never moved, so the CPU predicts every `ret` here. */

#include "slot.h"
#include "waxwing_frame.h"

#if WAXWING_CPU_SUPPORTED

        .text

/* ====== Stubs: one per slot ====== */

        .globl  waxwing_stubs
        .hidden waxwing_stubs
        .type   waxwing_stubs, @function
        .p2align 6
waxwing_stubs:
        .cfi_startproc
        .set    index, 0
        .rept   WAXWING_SLOT_CAPACITY
        leaq    waxwing_slots + WAXWING_SLOT_SIZE * index(%rip), %r11
        jmp     waxwing_stub_common
        .p2align 4
        .set    index, index + 1
        .endr
        .cfi_endproc
        .size   waxwing_stubs, . - waxwing_stubs

        /* Goes backwards, which is an error, if a stub is larger than WAXWING_STUB_SIZE. */
        .org    waxwing_stubs + WAXWING_STUB_SIZE * WAXWING_SLOT_CAPACITY

        .macro  save_arguments
        movq    %rdi, WAXWING_FRAME_INTEGER + 0(%rsp)
        movq    %rsi, WAXWING_FRAME_INTEGER + 8(%rsp)
        movq    %rdx, WAXWING_FRAME_INTEGER + 16(%rsp)
        movq    %rcx, WAXWING_FRAME_INTEGER + 24(%rsp)
        movq    %r8, WAXWING_FRAME_INTEGER + 32(%rsp)
        movq    %r9, WAXWING_FRAME_INTEGER + 40(%rsp)
        movq    %rax, WAXWING_FRAME_INDIRECT_RESULT(%rsp)
        movq    %r13, WAXWING_FRAME_SELF(%rsp)
        movq    %r12, WAXWING_FRAME_ERROR(%rsp)
        movq    %r12, WAXWING_FRAME_ENTRY_ERROR(%rsp)
        movq    %r14, WAXWING_FRAME_ASYNC_CONTEXT(%rsp)
        movaps  %xmm0, WAXWING_FRAME_VECTOR + 0(%rsp)
        movaps  %xmm1, WAXWING_FRAME_VECTOR + 16(%rsp)
        movaps  %xmm2, WAXWING_FRAME_VECTOR + 32(%rsp)
        movaps  %xmm3, WAXWING_FRAME_VECTOR + 48(%rsp)
        movaps  %xmm4, WAXWING_FRAME_VECTOR + 64(%rsp)
        movaps  %xmm5, WAXWING_FRAME_VECTOR + 80(%rsp)
        movaps  %xmm6, WAXWING_FRAME_VECTOR + 96(%rsp)
        movaps  %xmm7, WAXWING_FRAME_VECTOR + 112(%rsp)
        .endm

        /* After this: rbp the caller's frame, rsp a frame with all that came in registers. */
        .macro  enter_stub
        pushq   %rbp
        .cfi_def_cfa_offset 16
        .cfi_offset %rbp, -16
        movq    %rsp, %rbp
        .cfi_def_cfa_register %rbp
        subq    $WAXWING_FRAME_SIZE, %rsp
        save_arguments
        leaq    16(%rbp), %rax
        movq    %rax, WAXWING_FRAME_STACK(%rsp)
        .endm

        /* To the caller, with the results in the frame at rsp. */
        .macro  return_from_stub
        movq    WAXWING_FRAME_INTEGER_RESULT + 0(%rsp), %rax
        movq    WAXWING_FRAME_INTEGER_RESULT + 8(%rsp), %rdx
        movq    WAXWING_FRAME_INTEGER_RESULT + 16(%rsp), %rcx
        movq    WAXWING_FRAME_INTEGER_RESULT + 24(%rsp), %r8
        movaps  WAXWING_FRAME_VECTOR_RESULT + 0(%rsp), %xmm0
        movaps  WAXWING_FRAME_VECTOR_RESULT + 16(%rsp), %xmm1
        movaps  WAXWING_FRAME_VECTOR_RESULT + 32(%rsp), %xmm2
        movaps  WAXWING_FRAME_VECTOR_RESULT + 48(%rsp), %xmm3
        movq    WAXWING_FRAME_ERROR(%rsp), %r12
        .cfi_remember_state
        leave
        .cfi_def_cfa %rsp, 8
        .cfi_restore %rbp
        retq
        .cfi_restore_state
        .endm

        /* All argument registers but self, error and async context. */
        .macro  load_arguments frame
        movq    WAXWING_FRAME_INTEGER + 0(\frame), %rdi
        movq    WAXWING_FRAME_INTEGER + 8(\frame), %rsi
        movq    WAXWING_FRAME_INTEGER + 16(\frame), %rdx
        movq    WAXWING_FRAME_INTEGER + 24(\frame), %rcx
        movq    WAXWING_FRAME_INTEGER + 32(\frame), %r8
        movq    WAXWING_FRAME_INTEGER + 40(\frame), %r9
        movq    WAXWING_FRAME_INDIRECT_RESULT(\frame), %rax
        movaps  WAXWING_FRAME_VECTOR + 0(\frame), %xmm0
        movaps  WAXWING_FRAME_VECTOR + 16(\frame), %xmm1
        movaps  WAXWING_FRAME_VECTOR + 32(\frame), %xmm2
        movaps  WAXWING_FRAME_VECTOR + 48(\frame), %xmm3
        movaps  WAXWING_FRAME_VECTOR + 64(\frame), %xmm4
        movaps  WAXWING_FRAME_VECTOR + 80(\frame), %xmm5
        movaps  WAXWING_FRAME_VECTOR + 96(\frame), %xmm6
        movaps  WAXWING_FRAME_VECTOR + 112(\frame), %xmm7
        .endm

        /* In: r11 the slot, all else as the caller of the patched function left it. */
        .type   waxwing_stub_common, @function
        .p2align 6
waxwing_stub_common:
        .cfi_startproc
        enter_stub
        movq    %r11, %rdi
        movq    %rsp, %rsi
        callq   waxwing_dispatch
        testq   %rax, %rax
        jne     1f
        return_from_stub
        /* The slot is at its baseline: to the function, as if we had not been here. */
1:      movq    %rax, %r11
        load_arguments %rsp
        leave
        .cfi_def_cfa %rsp, 8
        .cfi_restore %rbp
        jmpq    *%r11
        .cfi_endproc
        .size   waxwing_stub_common, . - waxwing_stub_common

        /* The code of every closure of ours; r13 tells which. */
        .globl  waxwing_closure_stub
        .hidden waxwing_closure_stub
        .type   waxwing_closure_stub, @function
        .p2align 6
waxwing_closure_stub:
        .cfi_startproc
        enter_stub
        movq    %rsp, %rdi
        callq   waxwing_closure_called
        return_from_stub
        .cfi_endproc
        .size   waxwing_closure_stub, . - waxwing_closure_stub

/* ====== Invokers ====== */

        /* After this: rbx the frame, rdi what came in rdi, stack arguments in place, rsp aligned.
         * Clobbers rax rcx rdx r10. */
        .macro  enter_invoker
        .cfi_startproc
        pushq   %rbp
        .cfi_def_cfa_offset 16
        .cfi_offset %rbp, -16
        movq    %rsp, %rbp
        .cfi_def_cfa_register %rbp
        pushq   %rbx
        pushq   %r12
        pushq   %r13
        pushq   %r14
        .cfi_offset %rbx, -24
        .cfi_offset %r12, -32
        .cfi_offset %r13, -40
        .cfi_offset %r14, -48
        movq    %rsi, %rbx
        testq   %rdx, %rdx
        je      2f
        leaq    15(%rdx), %rax
        andq    $-16, %rax
        subq    %rax, %rsp
        movq    WAXWING_FRAME_STACK(%rbx), %r10
1:      movq    -8(%r10, %rdx), %rcx
        movq    %rcx, -8(%rsp, %rdx)
        subq    $8, %rdx
        jne     1b
2:
        .endm

        /* Calls r11 with the registers of the frame in rbx. */
        .macro  call_and_leave_invoker
        load_arguments %rbx
        movq    WAXWING_FRAME_SELF(%rbx), %r13
        movq    WAXWING_FRAME_ERROR(%rbx), %r12
        movq    WAXWING_FRAME_ASYNC_CONTEXT(%rbx), %r14
        callq   *%r11
        movq    %rax, WAXWING_FRAME_INTEGER_RESULT + 0(%rbx)
        movq    %rdx, WAXWING_FRAME_INTEGER_RESULT + 8(%rbx)
        movq    %rcx, WAXWING_FRAME_INTEGER_RESULT + 16(%rbx)
        movq    %r8, WAXWING_FRAME_INTEGER_RESULT + 24(%rbx)
        movaps  %xmm0, WAXWING_FRAME_VECTOR_RESULT + 0(%rbx)
        movaps  %xmm1, WAXWING_FRAME_VECTOR_RESULT + 16(%rbx)
        movaps  %xmm2, WAXWING_FRAME_VECTOR_RESULT + 32(%rbx)
        movaps  %xmm3, WAXWING_FRAME_VECTOR_RESULT + 48(%rbx)
        movq    %r12, WAXWING_FRAME_ERROR(%rbx)
        leaq    -32(%rbp), %rsp
        popq    %r14
        popq    %r13
        popq    %r12
        popq    %rbx
        popq    %rbp
        .cfi_def_cfa %rsp, 8
        retq
        .cfi_endproc
        .endm

        /* void waxwing_invoke(const void *function, waxwing_frame *frame, size_t stack_bytes) */
        .globl  waxwing_invoke
        .type   waxwing_invoke, @function
        .p2align 4
waxwing_invoke:
        enter_invoker
        movq    %rdi, %r11
        call_and_leave_invoker
        .size   waxwing_invoke, . - waxwing_invoke

        /* void waxwing_invoke_original(void *const *saved, waxwing_frame *, size_t stack_bytes)
         * swift_getOrigOfReplaceable sets the mark and returns *saved; nothing but loads stands
         * between it and the function that consumes the mark. */
        .globl  waxwing_invoke_original
        .type   waxwing_invoke_original, @function
        .p2align 4
waxwing_invoke_original:
        enter_invoker
        callq   swift_getOrigOfReplaceable@PLT
        movq    %rax, %r11
        call_and_leave_invoker
        .size   waxwing_invoke_original, . - waxwing_invoke_original

        .section .note.GNU-stack, "", @progbits

#endif
