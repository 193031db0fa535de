/* SPDX-License-Identifier: MIT */

/* Stubs and invokers for swiftcc on x86_64.
 *
 *   rdi rsi rdx rcx r8 r9   integer arguments    rax rdx rcx r8   integer results
 *   xmm0-7                  vector arguments     xmm0-3           vector results
 *   rax                     where an indirect result goes
 *   r13  self register      r12  error, in and out    r14  async context
 *   rbx rbp r15 r13 r14     kept by the callee; r12 too where the function does not throw
 *   r10 r11                 free at entry
 *
 * Neither the direction flag nor MXCSR nor x87 are touched. Of ymm and zmm only the xmm part is
 * kept. Return addresses are never moved, so the CPU predicts every `ret` here. */

#include "cpu.h"

#if WAX_RUNTIME_CPU_SUPPORTED

        .text

/* ====== Stubs: one per slot ====== */

        .globl  wax_runtime_stubs
        .hidden wax_runtime_stubs
        .type   wax_runtime_stubs, @function
        .p2align 6
wax_runtime_stubs:
        .cfi_startproc
        .set    index, 0
        .rept   WAX_RUNTIME_SLOT_CAPACITY
        leaq    wax_runtime_slots + WAX_RUNTIME_SLOT_SIZE * index(%rip), %r11
        jmp     wax_runtime_stub_common
        .p2align 4
        .set    index, index + 1
        .endr
        .cfi_endproc
        .size   wax_runtime_stubs, . - wax_runtime_stubs

        /* Goes backwards, which is an error, if a stub is larger than WAX_RUNTIME_STUB_SIZE. */
        .org    wax_runtime_stubs + WAX_RUNTIME_STUB_SIZE * WAX_RUNTIME_SLOT_CAPACITY

        .macro  save_arguments frame=%rsp
        movq    %rdi, WAX_RUNTIME_FRAME_INTEGER + 0(\frame)
        movq    %rsi, WAX_RUNTIME_FRAME_INTEGER + 8(\frame)
        movq    %rdx, WAX_RUNTIME_FRAME_INTEGER + 16(\frame)
        movq    %rcx, WAX_RUNTIME_FRAME_INTEGER + 24(\frame)
        movq    %r8, WAX_RUNTIME_FRAME_INTEGER + 32(\frame)
        movq    %r9, WAX_RUNTIME_FRAME_INTEGER + 40(\frame)
        movq    %rax, WAX_RUNTIME_FRAME_INDIRECT_RESULT(\frame)
        movq    %r13, WAX_RUNTIME_FRAME_SELF_REGISTER(\frame)
        movq    %r12, WAX_RUNTIME_FRAME_ERROR(\frame)
        movq    %r12, WAX_RUNTIME_FRAME_ENTRY_ERROR(\frame)
        movq    %r14, WAX_RUNTIME_FRAME_ASYNC_CONTEXT(\frame)
        movaps  %xmm0, WAX_RUNTIME_FRAME_VECTOR + 0(\frame)
        movaps  %xmm1, WAX_RUNTIME_FRAME_VECTOR + 16(\frame)
        movaps  %xmm2, WAX_RUNTIME_FRAME_VECTOR + 32(\frame)
        movaps  %xmm3, WAX_RUNTIME_FRAME_VECTOR + 48(\frame)
        movaps  %xmm4, WAX_RUNTIME_FRAME_VECTOR + 64(\frame)
        movaps  %xmm5, WAX_RUNTIME_FRAME_VECTOR + 80(\frame)
        movaps  %xmm6, WAX_RUNTIME_FRAME_VECTOR + 96(\frame)
        movaps  %xmm7, WAX_RUNTIME_FRAME_VECTOR + 112(\frame)
        .endm

        /* After this: rbp the caller's frame, rsp a frame with all that came in registers. */
        .macro  enter_stub
        pushq   %rbp
        .cfi_def_cfa_offset 16
        .cfi_offset %rbp, -16
        movq    %rsp, %rbp
        .cfi_def_cfa_register %rbp
        subq    $WAX_RUNTIME_FRAME_SIZE, %rsp
        save_arguments
        leaq    16(%rbp), %rax
        movq    %rax, WAX_RUNTIME_FRAME_STACK(%rsp)
        .endm

        /* To the caller, with the results in the frame at rsp. */
        .macro  return_from_stub
        movq    WAX_RUNTIME_FRAME_INTEGER_RESULT + 0(%rsp), %rax
        movq    WAX_RUNTIME_FRAME_INTEGER_RESULT + 8(%rsp), %rdx
        movq    WAX_RUNTIME_FRAME_INTEGER_RESULT + 16(%rsp), %rcx
        movq    WAX_RUNTIME_FRAME_INTEGER_RESULT + 24(%rsp), %r8
        movaps  WAX_RUNTIME_FRAME_VECTOR_RESULT + 0(%rsp), %xmm0
        movaps  WAX_RUNTIME_FRAME_VECTOR_RESULT + 16(%rsp), %xmm1
        movaps  WAX_RUNTIME_FRAME_VECTOR_RESULT + 32(%rsp), %xmm2
        movaps  WAX_RUNTIME_FRAME_VECTOR_RESULT + 48(%rsp), %xmm3
        movq    WAX_RUNTIME_FRAME_ERROR(%rsp), %r12
        .cfi_remember_state
        leave
        .cfi_def_cfa %rsp, 8
        .cfi_restore %rbp
        retq
        .cfi_restore_state
        .endm

        /* All argument registers but self, error and async context. */
        .macro  load_arguments frame
        movq    WAX_RUNTIME_FRAME_INTEGER + 0(\frame), %rdi
        movq    WAX_RUNTIME_FRAME_INTEGER + 8(\frame), %rsi
        movq    WAX_RUNTIME_FRAME_INTEGER + 16(\frame), %rdx
        movq    WAX_RUNTIME_FRAME_INTEGER + 24(\frame), %rcx
        movq    WAX_RUNTIME_FRAME_INTEGER + 32(\frame), %r8
        movq    WAX_RUNTIME_FRAME_INTEGER + 40(\frame), %r9
        movq    WAX_RUNTIME_FRAME_INDIRECT_RESULT(\frame), %rax
        movaps  WAX_RUNTIME_FRAME_VECTOR + 0(\frame), %xmm0
        movaps  WAX_RUNTIME_FRAME_VECTOR + 16(\frame), %xmm1
        movaps  WAX_RUNTIME_FRAME_VECTOR + 32(\frame), %xmm2
        movaps  WAX_RUNTIME_FRAME_VECTOR + 48(\frame), %xmm3
        movaps  WAX_RUNTIME_FRAME_VECTOR + 64(\frame), %xmm4
        movaps  WAX_RUNTIME_FRAME_VECTOR + 80(\frame), %xmm5
        movaps  WAX_RUNTIME_FRAME_VECTOR + 96(\frame), %xmm6
        movaps  WAX_RUNTIME_FRAME_VECTOR + 112(\frame), %xmm7
        .endm

        /* In: r11 the slot, all else as the caller of the patched function left it. */
        .type   wax_runtime_stub_common, @function
        .p2align 6
wax_runtime_stub_common:
        .cfi_startproc
        enter_stub
        movq    %r11, %rdi
        movq    %rsp, %rsi
        callq   wax_runtime_dispatch
        testq   %rax, %rax
        jne     1f
        return_from_stub
        /* No layer has taken the call: to the original, as if we had not been here; but for an
           initializer's self, in whose place there may be another object. */
1:      movq    %rax, %r11
        movq    WAX_RUNTIME_FRAME_SELF_REGISTER(%rsp), %r13
        load_arguments %rsp
        leave
        .cfi_def_cfa %rsp, 8
        .cfi_restore %rbp
        jmpq    *%r11
        .cfi_endproc
        .size   wax_runtime_stub_common, . - wax_runtime_stub_common

        /* The code of every closure of ours that is not async; r13 tells which. */
        .globl  wax_runtime_closure_stub
        .hidden wax_runtime_closure_stub
        .type   wax_runtime_closure_stub, @function
        .p2align 6
wax_runtime_closure_stub:
        .cfi_startproc
        enter_stub
        movq    %rsp, %rdi
        callq   wax_runtime_closure_called
        return_from_stub
        .cfi_endproc
        .size   wax_runtime_closure_stub, . - wax_runtime_closure_stub

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
        movq    WAX_RUNTIME_FRAME_STACK(%rbx), %r10
1:      movq    -8(%r10, %rdx), %rcx
        movq    %rcx, -8(%rsp, %rdx)
        subq    $8, %rdx
        jne     1b
2:
        .endm

        /* Calls r11 with the registers of the frame in rbx. */
        .macro  call_and_leave_invoker
        load_arguments %rbx
        movq    WAX_RUNTIME_FRAME_SELF_REGISTER(%rbx), %r13
        movq    WAX_RUNTIME_FRAME_ERROR(%rbx), %r12
        movq    WAX_RUNTIME_FRAME_ASYNC_CONTEXT(%rbx), %r14
        callq   *%r11
        movq    %rax, WAX_RUNTIME_FRAME_INTEGER_RESULT + 0(%rbx)
        movq    %rdx, WAX_RUNTIME_FRAME_INTEGER_RESULT + 8(%rbx)
        movq    %rcx, WAX_RUNTIME_FRAME_INTEGER_RESULT + 16(%rbx)
        movq    %r8, WAX_RUNTIME_FRAME_INTEGER_RESULT + 24(%rbx)
        movaps  %xmm0, WAX_RUNTIME_FRAME_VECTOR_RESULT + 0(%rbx)
        movaps  %xmm1, WAX_RUNTIME_FRAME_VECTOR_RESULT + 16(%rbx)
        movaps  %xmm2, WAX_RUNTIME_FRAME_VECTOR_RESULT + 32(%rbx)
        movaps  %xmm3, WAX_RUNTIME_FRAME_VECTOR_RESULT + 48(%rbx)
        movq    %r12, WAX_RUNTIME_FRAME_ERROR(%rbx)
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

        /* void wax_runtime_invoke(const void *function, wax_runtime_frame *frame, size_t stack_bytes) */
        .globl  wax_runtime_invoke
        .type   wax_runtime_invoke, @function
        .p2align 4
wax_runtime_invoke:
        enter_invoker
        movq    %rdi, %r11
        call_and_leave_invoker
        .size   wax_runtime_invoke, . - wax_runtime_invoke
        .globl  wax_runtime_invoke_end
        .hidden wax_runtime_invoke_end
wax_runtime_invoke_end:

/* ====== Async functions ======
 *
 *   r14  context, allocated by the caller: word 0 its own context, word 1 what to resume
 *   arguments as above, but an indirect result's address is the first of them, and stack arguments
 *   are popped by the callee: their area is a multiple of 16, plus 8. A function without any has an
 *   area of 8 bytes.
 *   A function returns by a jump to what is to be resumed: r14 its own context, results as the first
 *   arguments, the error in r13. Of the others only rbx rbp r12 r15 are kept.
 *
 * Calls and returns are jumps: what stands on the stack below the return address is whoever runs the
 * task. */

        .macro  enter_async
        pushq   %rbp
        .cfi_def_cfa_offset 16
        .cfi_offset %rbp, -16
        movq    %rsp, %rbp
        .cfi_def_cfa_register %rbp
        pushq   %rbx
        .cfi_offset %rbx, -24
        pushq   %rax
        .endm

        .macro  leave_async
        popq    %rax
        popq    %rbx
        popq    %rbp
        .cfi_def_cfa %rsp, 8
        .cfi_restore %rbx
        .cfi_restore %rbp
        .endm

        /* Bytes of an area of stack arguments beyond the 8 that are always there. */
        .macro  excess bytes
        addq    $23, \bytes
        andq    $-16, \bytes
        subq    $16, \bytes
        .endm

        /* One a slot: its async function pointer, which says that the code is right behind it, and the
         * code. */
        .globl  wax_runtime_async_stubs
        .hidden wax_runtime_async_stubs
        .type   wax_runtime_async_stubs, @function
        .p2align 6
wax_runtime_async_stubs:
        .cfi_startproc
        .set    index, 0
        .rept   WAX_RUNTIME_SLOT_CAPACITY
        .long   8
        .long   WAX_RUNTIME_STUB_CONTEXT_SIZE
        leaq    wax_runtime_slots + WAX_RUNTIME_SLOT_SIZE * index(%rip), %r11
        jmp     wax_runtime_async_stub_common
        .p2align 5
        .set    index, index + 1
        .endr
        .cfi_endproc
        .size   wax_runtime_async_stubs, . - wax_runtime_async_stubs
        .org    wax_runtime_async_stubs + WAX_RUNTIME_ASYNC_STUB_SIZE * WAX_RUNTIME_SLOT_CAPACITY

        /* After this: rbx the context, rsi its arrival with all that came in registers, rdx the stack
         * arguments. */
        .macro  enter_async_stub
        enter_async
        leaq    WAX_RUNTIME_CONTEXT_ARRIVAL(%r14), %r10
        save_arguments %r10
        movq    $0, WAX_RUNTIME_FRAME_ERROR(%r10)
        movq    $0, WAX_RUNTIME_FRAME_ENTRY_ERROR(%r10)
        movq    %r14, %rbx
        movq    %r10, %rsi
        leaq    16(%rbp), %rdx
        .endm

        /* The resumable call is in rax: pops the stack arguments and drives it. */
        .macro  drive_from_stub
        movq    %rax, WAX_RUNTIME_CONTEXT_RESUMABLE_CALL(%rbx)
        movq    WAX_RUNTIME_CONTEXT_ARRIVAL + WAX_RUNTIME_ARRIVAL_STACK_BYTES(%rbx), %rcx
        movq    %rbx, %r14
        leave_async
        excess  %rcx
        popq    %rax
        addq    %rcx, %rsp
        pushq   %rax
        jmp     wax_runtime_drive_step
        .endm

        /* In: r11 the slot. */
        .type   wax_runtime_async_stub_common, @function
        .p2align 6
wax_runtime_async_stub_common:
        .cfi_startproc
        enter_async_stub
        movq    %r11, %rdi
        callq   wax_runtime_async_arrive
        drive_from_stub
        .cfi_endproc
        .size   wax_runtime_async_stub_common, . - wax_runtime_async_stub_common

/* ====== Islands: from async function pointers of the program to their slots' stubs ====== */

        /* A page that is mapped near such pointers, as often as it is needed. In the page of data behind
         * it are the slots, each where its island is in this one; the first word is where all go on. */
        .globl  wax_runtime_islands
        .hidden wax_runtime_islands
        .type   wax_runtime_islands, @function
        .p2align 12
wax_runtime_islands:
        .cfi_startproc
        .set    index, 0
        .rept   WAX_RUNTIME_ISLAND_PAGE / WAX_RUNTIME_ISLAND_SIZE
        movq    wax_runtime_islands + WAX_RUNTIME_ISLAND_PAGE + WAX_RUNTIME_ISLAND_SIZE * index(%rip), %r11
        jmpq    *wax_runtime_islands + WAX_RUNTIME_ISLAND_PAGE(%rip)
        .p2align 4
        .set    index, index + 1
        .endr
        .cfi_endproc
        .size   wax_runtime_islands, . - wax_runtime_islands
        .org    wax_runtime_islands + WAX_RUNTIME_ISLAND_PAGE

        /* In: r11 the slot, r14 a context that may be too small for a stub. The stub gets one of its own,
         * which is freed when it returns. */
        .globl  wax_runtime_async_island_common
        .hidden wax_runtime_async_island_common
        .type   wax_runtime_async_island_common, @function
        .p2align 6
wax_runtime_async_island_common:
        .cfi_startproc
        enter_async
        subq    $WAX_RUNTIME_FRAME_SIZE, %rsp
        save_arguments %rsp
        movq    %r11, %rbx
        movl    $WAX_RUNTIME_STUB_CONTEXT_SIZE, %edi
        callq   swift_task_alloc@PLT
        movq    %r14, 0(%rax)
        leaq    wax_runtime_async_island_resume(%rip), %rcx
        movq    %rcx, 8(%rax)
        movq    %rax, %r14
        movq    %rbx, %r11
        load_arguments %rsp
        addq    $WAX_RUNTIME_FRAME_SIZE, %rsp
        leave_async
        jmp     wax_runtime_async_stub_common
        .cfi_endproc
        .size   wax_runtime_async_island_common, . - wax_runtime_async_island_common

        /* The stub has returned. In: r14 its context, the results and the error. */
        .type   wax_runtime_async_island_resume, @function
        .p2align 4
wax_runtime_async_island_resume:
        .cfi_startproc
        enter_async
        subq    $WAX_RUNTIME_FRAME_SIZE, %rsp
        save_arguments %rsp
        movq    %r14, %rdi
        movq    0(%r14), %r14
        callq   swift_task_dealloc@PLT
        load_arguments %rsp
        addq    $WAX_RUNTIME_FRAME_SIZE, %rsp
        leave_async
        jmpq    *8(%r14)
        .cfi_endproc
        .size   wax_runtime_async_island_resume, . - wax_runtime_async_island_resume

        .type   wax_runtime_async_closure_stub, @function
        .p2align 6
wax_runtime_async_closure_stub:
        .cfi_startproc
        enter_async_stub
        movq    %rsi, %rdi
        movq    %rdx, %rsi
        callq   wax_runtime_async_closure_arrive
        drive_from_stub
        .cfi_endproc
        .size   wax_runtime_async_closure_stub, . - wax_runtime_async_closure_stub

        /* func wax_runtime_drive(_ call: UnsafeMutableRawPointer) async */
        .globl  wax_runtime_drive
        .hidden wax_runtime_drive
        .type   wax_runtime_drive, @function
        .p2align 6
wax_runtime_drive:
        .cfi_startproc
        movq    %rdi, WAX_RUNTIME_CONTEXT_RESUMABLE_CALL(%r14)
        .cfi_endproc
        .size   wax_runtime_drive, . - wax_runtime_drive

        .type   wax_runtime_drive_step, @function
wax_runtime_drive_step:
        .cfi_startproc
        enter_async
        movq    %r14, %rbx
        movq    WAX_RUNTIME_CONTEXT_RESUMABLE_CALL(%rbx), %rdi
        callq   *WAX_RUNTIME_RESUMABLE_CALL_STEP(%rdi)
        testq   %rax, %rax
        je      3f
        movq    %rax, WAX_RUNTIME_CONTEXT_SUSPENSION(%rbx)
        movq    WAX_RUNTIME_SUSPENSION_FUNCTION(%rax), %rcx
        testq   %rcx, %rcx
        je      2f

        /* A call. The context's size is the second half of the async function pointer. */
        movl    4(%rcx), %edi
        callq   swift_task_alloc@PLT
        movq    %rax, WAX_RUNTIME_CONTEXT_CHILD(%rbx)
        movq    %rbx, 0(%rax)
        leaq    wax_runtime_drive_resume(%rip), %rcx
        movq    %rcx, 8(%rax)
        movq    WAX_RUNTIME_CONTEXT_SUSPENSION(%rbx), %r10
        movq    WAX_RUNTIME_SUSPENSION_FUNCTION(%r10), %rax
        /* The mark: nothing but loads stands between here and who consumes it. */
        movq    WAX_RUNTIME_SUSPENSION_MARKED(%r10), %rdi
        testq   %rdi, %rdi
        je      1f
        movq    wax_runtime_lookup_mark@gottpoff(%rip), %rcx
        movq    %rdi, %fs:(%rcx)
1:      movslq  0(%rax), %r11
        addq    %rax, %r11
        movq    WAX_RUNTIME_CONTEXT_CHILD(%rbx), %r14
        movq    WAX_RUNTIME_SUSPENSION_STACK_BYTES(%r10), %rdx
        movq    WAX_RUNTIME_SUSPENSION_FRAME(%r10), %r10
        .cfi_remember_state
        leave_async
        testq   %rdx, %rdx
        je      5f
        popq    %rax
        movq    %rdx, %rcx
        excess  %rcx
        subq    %rcx, %rsp
        movq    WAX_RUNTIME_FRAME_STACK(%r10), %rsi
4:      movq    -8(%rsi, %rdx), %rcx
        movq    %rcx, -8(%rsp, %rdx)
        subq    $8, %rdx
        jne     4b
        pushq   %rax
5:      load_arguments %r10
        movq    WAX_RUNTIME_FRAME_SELF_REGISTER(%r10), %r13
        jmpq    *%r11
        .cfi_restore_state

        /* Another executor. */
2:      movq    WAX_RUNTIME_SUSPENSION_EXECUTOR + 0(%rax), %rsi
        movq    WAX_RUNTIME_SUSPENSION_EXECUTOR + 8(%rax), %rdx
        leaq    wax_runtime_drive_step(%rip), %rdi
        movq    %rbx, %r14
        .cfi_remember_state
        leave_async
        jmp     swift_task_switch@PLT
        .cfi_restore_state

        /* Done. */
3:      movq    WAX_RUNTIME_CONTEXT_RESUMABLE_CALL(%rbx), %rax
        movq    WAX_RUNTIME_RESUMABLE_CALL_RESULTS(%rax), %r10
        movq    %rbx, %r14
        leave_async
        testq   %r10, %r10
        je      6f
        movq    WAX_RUNTIME_FRAME_INTEGER_RESULT + 0(%r10), %rdi
        movq    WAX_RUNTIME_FRAME_INTEGER_RESULT + 8(%r10), %rsi
        movq    WAX_RUNTIME_FRAME_INTEGER_RESULT + 16(%r10), %rdx
        movq    WAX_RUNTIME_FRAME_INTEGER_RESULT + 24(%r10), %rcx
        movaps  WAX_RUNTIME_FRAME_VECTOR_RESULT + 0(%r10), %xmm0
        movaps  WAX_RUNTIME_FRAME_VECTOR_RESULT + 16(%r10), %xmm1
        movaps  WAX_RUNTIME_FRAME_VECTOR_RESULT + 32(%r10), %xmm2
        movaps  WAX_RUNTIME_FRAME_VECTOR_RESULT + 48(%r10), %xmm3
        movq    WAX_RUNTIME_FRAME_ERROR(%r10), %r13
6:      jmpq    *8(%r14)
        .cfi_endproc
        .size   wax_runtime_drive_step, . - wax_runtime_drive_step

        /* What was called has returned. In: r14 its context. */
        .globl  wax_runtime_drive_resume
        .hidden wax_runtime_drive_resume
        .type   wax_runtime_drive_resume, @function
        .p2align 4
wax_runtime_drive_resume:
        .cfi_startproc
        movq    0(%r14), %r14
        enter_async
        movq    %r14, %rbx
        movq    WAX_RUNTIME_CONTEXT_SUSPENSION(%rbx), %rax
        movq    WAX_RUNTIME_SUSPENSION_FRAME(%rax), %rax
        movq    %rdi, WAX_RUNTIME_FRAME_INTEGER_RESULT + 0(%rax)
        movq    %rsi, WAX_RUNTIME_FRAME_INTEGER_RESULT + 8(%rax)
        movq    %rdx, WAX_RUNTIME_FRAME_INTEGER_RESULT + 16(%rax)
        movq    %rcx, WAX_RUNTIME_FRAME_INTEGER_RESULT + 24(%rax)
        movaps  %xmm0, WAX_RUNTIME_FRAME_VECTOR_RESULT + 0(%rax)
        movaps  %xmm1, WAX_RUNTIME_FRAME_VECTOR_RESULT + 16(%rax)
        movaps  %xmm2, WAX_RUNTIME_FRAME_VECTOR_RESULT + 32(%rax)
        movaps  %xmm3, WAX_RUNTIME_FRAME_VECTOR_RESULT + 48(%rax)
        movq    %r13, WAX_RUNTIME_FRAME_ERROR(%rax)
        movq    WAX_RUNTIME_CONTEXT_CHILD(%rbx), %rdi
        callq   swift_task_dealloc@PLT
        movq    WAX_RUNTIME_CONTEXT_RESUMABLE_CALL(%rbx), %rcx
        movq    %rbx, %r14
        .cfi_remember_state
        leave_async
        cmpb    $0, WAX_RUNTIME_RESUMABLE_CALL_HAS_HOME(%rcx)
        je      wax_runtime_drive_step
        movq    WAX_RUNTIME_RESUMABLE_CALL_HOME + 0(%rcx), %rsi
        movq    WAX_RUNTIME_RESUMABLE_CALL_HOME + 8(%rcx), %rdx
        leaq    wax_runtime_drive_step(%rip), %rdi
        jmp     swift_task_switch@PLT
        .cfi_restore_state
        .cfi_endproc
        .size   wax_runtime_drive_resume, . - wax_runtime_drive_resume

/* ====== Async function pointers: where the code is, from here, and the size of the context ====== */

        .section .rodata

        .globl  wax_runtime_async_closure_stub_pointer
        .hidden wax_runtime_async_closure_stub_pointer
        .type   wax_runtime_async_closure_stub_pointer, @object
        .p2align 3
wax_runtime_async_closure_stub_pointer:
        .long   wax_runtime_async_closure_stub - .
        .long   WAX_RUNTIME_STUB_CONTEXT_SIZE

        /* What Swift code calls `wax_runtime_drive` by. */
        .globl  wax_runtime_driveTu
        .type   wax_runtime_driveTu, @object
        .p2align 3
wax_runtime_driveTu:
        .long   wax_runtime_drive - .
        .long   WAX_RUNTIME_DRIVE_CONTEXT_SIZE

        .section .note.GNU-stack, "", @progbits

#endif
