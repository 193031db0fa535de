/* SPDX-License-Identifier: MIT
 *
 * What the torture test sees beside the engine: the words in the replacement entries of
 * TortureFixture's functions, the code of TorturePlain's, and what threads do that make no
 * progress.
 */
#ifndef TORTURE_PROBE_H
#define TORTURE_PROBE_H

#include <stddef.h>
#include <stdint.h>

size_t torture_entry_count(void);

/* The function that the entry belongs to, as TortureFixture has it. */
const char *torture_entry_name(size_t index);

/* What the entry holds now. */
const void *torture_entry_word(size_t index);

/* What the entry of tortureLate(_:) holds: code that may be called with torture_call_late for as
 * long as the process lives. */
const void *torture_late_word(void);

/* Calls that code as tortureLate(_:), however late. */
long torture_call_late(const void *word, long argument);

/* Where the code of TortureShop.plain(_:) and TortureShop.holds(_:) begins. */
const void *torture_plain_code(void);
const void *torture_holds_code(void);

/* What is there now. */
uint64_t torture_word_at(uintptr_t address);

/* The kernel's id of the calling thread. */
uint64_t torture_thread(void);

/* Prepares for the function below; to be called early. */
void torture_prepare_dump(void);

/* Lets each thread of the process write its stack to standard error. It is meant for the end of a
 * process that is stuck: what the threads were about may go wrong afterwards. */
void torture_dump_threads(void);

#endif
