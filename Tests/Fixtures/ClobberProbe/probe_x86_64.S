/* SPDX-License-Identifier: MIT */

#include "clobber_probe.h"

#if defined(__x86_64__) && defined(__linux__)

        .text

        .macro  move_vectors_from base
        .irp    n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        movups  PROBE_XMM + 16 * \n(\base), %xmm\n
        .endr
        .endm

        .macro  move_vectors_to base
        .irp    n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        movups  %xmm\n, PROBE_XMM + 16 * \n(\base)
        .endr
        .endm

        /* 0-127(%rsp) stack arguments, 128 out, 136 MXCSR to restore, 144 scratch */
        .globl  probe_call
        .type   probe_call, @function
probe_call:
        .cfi_startproc
        pushq   %rbp
        .cfi_def_cfa_offset 16
        .cfi_offset %rbp, -16
        pushq   %rbx
        pushq   %r12
        pushq   %r13
        pushq   %r14
        pushq   %r15
        subq    $168, %rsp
        .cfi_def_cfa_offset 224
        .cfi_offset %rbx, -24
        .cfi_offset %r12, -32
        .cfi_offset %r13, -40
        .cfi_offset %r14, -48
        .cfi_offset %r15, -56
        movq    %rdx, 128(%rsp)
        stmxcsr 136(%rsp)
        xorl    %ecx, %ecx
1:      movq    PROBE_STACK(%rsi, %rcx, 8), %rax
        movq    %rax, (%rsp, %rcx, 8)
        incq    %rcx
        cmpq    $PROBE_STACK_WORDS, %rcx
        jne     1b
        move_vectors_from %rsi
        ldmxcsr PROBE_MXCSR(%rsi)
        movq    %rdi, 144(%rsp)
        movq    PROBE_RAX(%rsi), %rax
        movq    PROBE_RBX(%rsi), %rbx
        movq    PROBE_RCX(%rsi), %rcx
        movq    PROBE_RDX(%rsi), %rdx
        movq    PROBE_RDI(%rsi), %rdi
        movq    PROBE_RBP(%rsi), %rbp
        movq    PROBE_R8(%rsi), %r8
        movq    PROBE_R9(%rsi), %r9
        movq    PROBE_R10(%rsi), %r10
        movq    PROBE_R11(%rsi), %r11
        movq    PROBE_R12(%rsi), %r12
        movq    PROBE_R13(%rsi), %r13
        movq    PROBE_R14(%rsi), %r14
        movq    PROBE_R15(%rsi), %r15
        movq    PROBE_RSI(%rsi), %rsi
        callq   *144(%rsp)
        movq    %rax, 144(%rsp)
        movq    128(%rsp), %rax
        movq    %rbx, PROBE_RBX(%rax)
        movq    %rcx, PROBE_RCX(%rax)
        movq    %rdx, PROBE_RDX(%rax)
        movq    %rsi, PROBE_RSI(%rax)
        movq    %rdi, PROBE_RDI(%rax)
        movq    %rbp, PROBE_RBP(%rax)
        movq    %rsp, PROBE_RSP(%rax)
        movq    %r8, PROBE_R8(%rax)
        movq    %r9, PROBE_R9(%rax)
        movq    %r10, PROBE_R10(%rax)
        movq    %r11, PROBE_R11(%rax)
        movq    %r12, PROBE_R12(%rax)
        movq    %r13, PROBE_R13(%rax)
        movq    %r14, PROBE_R14(%rax)
        movq    %r15, PROBE_R15(%rax)
        movq    144(%rsp), %rcx
        movq    %rcx, PROBE_RAX(%rax)
        pushfq
        popq    PROBE_FLAGS(%rax)
        movq    $0, PROBE_MXCSR(%rax)
        stmxcsr PROBE_MXCSR(%rax)
        move_vectors_to %rax
        ldmxcsr 136(%rsp)
        cld
        addq    $168, %rsp
        .cfi_def_cfa_offset 56
        popq    %r15
        popq    %r14
        popq    %r13
        popq    %r12
        popq    %rbx
        popq    %rbp
        .cfi_def_cfa_offset 8
        retq
        .cfi_endproc
        .size   probe_call, . - probe_call

        .globl  probe_function
        .type   probe_function, @function
probe_function:
        .cfi_startproc
        pushq   %r11
        .cfi_def_cfa_offset 16
        leaq    probe_seen(%rip), %r11
        movq    %rax, PROBE_RAX(%r11)
        movq    %rbx, PROBE_RBX(%r11)
        movq    %rcx, PROBE_RCX(%r11)
        movq    %rdx, PROBE_RDX(%r11)
        movq    %rsi, PROBE_RSI(%r11)
        movq    %rdi, PROBE_RDI(%r11)
        movq    %rbp, PROBE_RBP(%r11)
        movq    %r8, PROBE_R8(%r11)
        movq    %r9, PROBE_R9(%r11)
        movq    %r10, PROBE_R10(%r11)
        movq    %r12, PROBE_R12(%r11)
        movq    %r13, PROBE_R13(%r11)
        movq    %r14, PROBE_R14(%r11)
        movq    %r15, PROBE_R15(%r11)
        leaq    8(%rsp), %rax           /* rsp as at entry */
        movq    %rax, PROBE_RSP(%r11)
        movq    (%rsp), %rax
        movq    %rax, PROBE_R11(%r11)
        pushfq
        popq    PROBE_FLAGS(%r11)
        movq    $0, PROBE_MXCSR(%r11)
        stmxcsr PROBE_MXCSR(%r11)
        move_vectors_to %r11
        xorl    %ecx, %ecx
1:      movq    16(%rsp, %rcx, 8), %rax
        movq    %rax, PROBE_STACK(%r11, %rcx, 8)
        incq    %rcx
        cmpq    $PROBE_STACK_WORDS, %rcx
        jne     1b
        callq   probe_note
        leaq    probe_answer(%rip), %r11
        move_vectors_from %r11
        movq    PROBE_RAX(%r11), %rax
        movq    PROBE_RCX(%r11), %rcx
        movq    PROBE_RDX(%r11), %rdx
        movq    PROBE_RSI(%r11), %rsi
        movq    PROBE_RDI(%r11), %rdi
        movq    PROBE_R8(%r11), %r8
        movq    PROBE_R9(%r11), %r9
        movq    PROBE_R10(%r11), %r10
        cmpq    $0, probe_throws(%rip)
        je      2f
        movq    PROBE_R12(%r11), %r12
2:      movq    PROBE_R11(%r11), %r11
        addq    $8, %rsp
        .cfi_def_cfa_offset 8
        retq
        .cfi_endproc
        .size   probe_function, . - probe_function

        /* Where the linker has put the jump to a function that nothing has called yet. */
        .globl  probe_late_function
        .type   probe_late_function, @function
probe_late_function:
        .cfi_startproc
        leaq    l64a@PLT(%rip), %rax
        retq
        .cfi_endproc
        .size   probe_late_function, . - probe_late_function

        .section .note.GNU-stack, "", @progbits

#endif
