/* SPDX-License-Identifier: MIT */

/* Functions with beginnings of all kinds, and what code entries make of them. */

#ifndef CODE_PROBE_H
#define CODE_PROBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wax_runtime.h"

/* The second argument is a function that does the same. */
typedef long (*code_probe_function)(long, const void *);

/* What is to come of a code entry at a function. Whatever has one returns its argument + 100. */
typedef struct code_probe_case {
  const char *name;
  code_probe_function function;
  uint32_t size;
  wax_runtime_claim claim;
  /* Boundaries at these bytes of the jump, as bits. */
  uint8_t boundaries;
} code_probe_case;

size_t code_probe_case_count(void);
code_probe_case code_probe_case_at(size_t index);

/* Calls the function of a case. */
long code_probe_call(size_t index, long argument);

/* The patch point of a case. */
wax_runtime_point code_probe_point(size_t index);

/* Claims, installs, calls, removes: NULL, or what was wrong. */
const char *code_probe_go_round(size_t index);

/* The same for all, `rounds` times, while threads call all of them and signals come. NULL, or what
 * was wrong. */
const char *code_probe_storm(size_t rounds, size_t workers, bool signals);

/* The functions below fork: in a process that has called nothing overridden yet, as nothing is
 * overridden in the children of one that has. */

/* In a child that is forked: NULL, or what was wrong. The environments forbid to make memory
 * executable: PR_SET_MDWE, and a filter of system calls as systemd's MemoryDenyWriteExecute. */
typedef enum code_probe_environment {
  CODE_PROBE_PLAIN,
  CODE_PROBE_MDWE,
  CODE_PROBE_SECCOMP,
  CODE_PROBE_NOT_DUMPABLE, /* as another user, whose memory is no file */
} code_probe_environment;
const char *code_probe_in(code_probe_environment environment, bool by_mapping);

/* A child writes into its own code, and its parent into its own. */
const char *code_probe_fork(bool by_mapping);

/* Installing and removing of which one write is refused, each in turn: NULL, or what was wrong. */
const char *code_probe_failing_writes(void);

/* A kernel that has no membarrier. */
const char *code_probe_without_barrier(void);

/* What a claim says of code that something else has changed. */
wax_runtime_claim code_probe_claim_changed(uint8_t byte);

/* A jump that something else changes is left alone. NULL, or what was wrong. */
const char *code_probe_foreign(void);

/* What installing says while a thread blocks SIGILL, and whether it names that thread. */
wax_runtime_claim code_probe_install_blocked(bool *is_named);

/* A round beside a thread of the kernel's, which blocks all signals. NULL, or what was wrong. */
const char *code_probe_beside_kernel_thread(void);

/* Handlers of SIGILL: NULL, or what was wrong. */
const char *code_probe_handler_before(void);
const char *code_probe_handler_after(void);
const char *code_probe_handler_once(void);
const char *code_probe_crash(void);

/* Installs and removes, `count` times; returns ns for each. */
uint64_t code_probe_time(size_t count);

#endif
