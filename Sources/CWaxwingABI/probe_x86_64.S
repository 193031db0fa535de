/* SPDX-License-Identifier: MIT */

#if defined(__x86_64__)

        .section .rodata

        /* The async function pointer of `wax_abi_probe` of self_check.c: where the code is, from
         * here, and the size of the context, which is a header and nothing more. */
        .globl  wax_abi_probeTu
        .type   wax_abi_probeTu, @object
        .p2align 3
wax_abi_probeTu:
        .long   wax_abi_probe - .
        .long   16

#endif

        .section .note.GNU-stack, "", @progbits
