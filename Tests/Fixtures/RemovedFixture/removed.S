/* SPDX-License-Identifier: MIT
 *
 * What the compiler leaves of `Bank.SealedLetter.gone()` if an optimised program does not call it:
 * the symbol, and behind it a function that ends the program. `_swift_dead_method_stub`
 * in the compiler's lib/IRGen, Swift 6.3.
 */
#if defined(__ELF__)

        .text
        .type   _swift_dead_method_stub, @function
_swift_dead_method_stub:
        .byte   0xcc, 0xcc, 0xcc, 0xcc
        .size   _swift_dead_method_stub, 4

        .globl  "$s4Bank12SealedLetterC4goneyyF"
        .type   "$s4Bank12SealedLetterC4goneyyF", @function
        .set    "$s4Bank12SealedLetterC4goneyyF", _swift_dead_method_stub

        // What is called keeps the section, and all of it.
        .globl  removed_fixture_keep
        .type   removed_fixture_keep, @function
removed_fixture_keep:
        ret
        .size   removed_fixture_keep, . - removed_fixture_keep

        .section .note.GNU-stack, "", @progbits

#endif
