/* SPDX-License-Identifier: MIT */

/* A caller that sets every register and looks at every register afterwards, and a function that
 * records every register it was entered with. What stands between the two is under test. */

#ifndef CLOBBER_PROBE_H
#define CLOBBER_PROBE_H

#define PROBE_RAX 0
#define PROBE_RBX 8
#define PROBE_RCX 16
#define PROBE_RDX 24
#define PROBE_RSI 32
#define PROBE_RDI 40
#define PROBE_RBP 48
#define PROBE_RSP 56
#define PROBE_R8 64
#define PROBE_R9 72
#define PROBE_R10 80
#define PROBE_R11 88
#define PROBE_R12 96
#define PROBE_R13 104
#define PROBE_R14 112
#define PROBE_R15 120
#define PROBE_FLAGS 128
#define PROBE_MXCSR 136
#define PROBE_XMM 144
#define PROBE_STACK 400
#define PROBE_STACK_WORDS 16
#define PROBE_SIZE 528

#ifndef __ASSEMBLER__

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct probe_vector {
  _Alignas(16) uint64_t low;
  uint64_t high;
} probe_vector;

typedef struct probe_registers {
  uint64_t rax, rbx, rcx, rdx, rsi, rdi, rbp, rsp, r8, r9, r10, r11, r12, r13, r14, r15;
  uint64_t flags;
  uint64_t mxcsr;
  probe_vector xmm[16];
  uint64_t stack[PROBE_STACK_WORDS]; /* the stack arguments, first one first */
} probe_registers;

/* Calls `function` with the registers and stack arguments of `in`, rsp and flags aside; `out` is
 * what was found when it had returned. */
void probe_call(const void *function, const probe_registers *in, probe_registers *out);

/* Records its registers and returns with those of probe_answer in rax, rdx, rcx, r8, xmm0-3, and
 * r12 if it is to throw; rbx, rbp, r13-15 kept, all others overwritten. One test at a time. */
const void *probe_function_address(void);
const probe_registers *probe_seen_registers(void);
/* Forgets what was recorded and says what to answer from now on. */
void probe_prepare(const probe_registers *answer, bool throws);
/* How many times it was entered, and whether the last time with the mark of its entry. */
uint64_t probe_entry_count(void);
bool probe_was_marked(void);

/* Whether this thread's mark for the probe's entry was set; clears it. */
bool probe_take_mark(void);
/* The replacement entry that the probe looks into. */
void probe_use_entry(void **entry);

/* Finds the function with a replacement entry in this executable whose demangled name contains
 * `part`, such as "Account.sum(". Needs .symtab. */
bool probe_patch_point(const char *part, void ***entry, void **function);

/* Where what a symbol of this executable stands for is, and its size. */
bool probe_code(const char *symbol, void **code, size_t *size);

/* The demangled or plain name of the function that `address` is in; freed by the caller. */
char *probe_function_name(const void *address);

/* Where the executable jumps to reach l64a(3), which it never calls. */
const void *probe_late_function(void);

/* The mangled name of what begins at `address` or, in the executable, of the function or variable
   that it is in; freed by the caller. NULL if there is none. */
char *probe_symbol(const void *address);

/* Return addresses of the calls under way, as backtrace(3) sees them. */
size_t probe_backtrace(void **addresses, size_t capacity);

#endif
#endif
