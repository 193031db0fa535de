/* SPDX-License-Identifier: MIT */

#if defined(__x86_64__)

        .section .rodata

        /* The async function pointer of `waxwing_abi_probe` of abi_check.c: where the code is, from
         * here, and the size of the context, which is a header and nothing more. */
        .globl  waxwing_abi_probeTu
        .type   waxwing_abi_probeTu, @object
        .p2align 3
waxwing_abi_probeTu:
        .long   waxwing_abi_probe - .
        .long   16

#endif

        .section .note.GNU-stack, "", @progbits
