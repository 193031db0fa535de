/* SPDX-License-Identifier: MIT */

#include "code_probe.h"

#if defined(__x86_64__)

#define OWN __attribute__((visibility("hidden")))
OWN long beginning_help(long);
OWN long code_probe_value = 41, code_probe_other = 7;
OWN long (*code_probe_help_pointer)(long) = beginning_help;

/* Functions that add 100, with the beginnings that compilers make. */
#define FUNCTION(name, body)                                                                       \
  __asm__(".text\n.p2align 4\n.globl beginning_" #name "\n.hidden beginning_" #name                \
          "\n.type beginning_" #name ", @function\nbeginning_" #name ":\n" body                    \
          "\n.size beginning_" #name ", . - beginning_" #name "\nbeginning_" #name                 \
          "_end:\n.globl beginning_" #name "_end\n.hidden beginning_" #name                        \
          "_end\n.p2align 4, 0x90\n");                                                             \
  OWN long beginning_##name(long);                                                                 \
  extern OWN const char beginning_##name##_end[];

FUNCTION(frame, "pushq %rbp\nmovq %rsp, %rbp\npushq %r15\npushq %rbx\nleaq 100(%rdi), %rax\n"
                "popq %rbx\npopq %r15\npopq %rbp\nretq")
FUNCTION(pushes, "pushq %rbp\npushq %rbx\npushq %rcx\npushq %rdx\npushq %rsi\n"
                 "leaq 100(%rdi), %rax\npopq %rsi\npopq %rdx\npopq %rcx\npopq %rbx\npopq %rbp\n"
                 "retq")
FUNCTION(leaf, "leaq 100(%rdi), %rax\nretq")
FUNCTION(tiny, "movq %rdi, %rax\naddq $100, %rax\nretq")
FUNCTION(rip, "movq code_probe_value(%rip), %rax\nleaq 59(%rdi, %rax), %rax\nretq")
FUNCTION(rip_late, "pushq %rbx\nmovq code_probe_value(%rip), %rbx\nleaq 59(%rdi, %rbx), %rax\n"
                   "popq %rbx\nretq")
FUNCTION(rip_constant, "cmpq $7, code_probe_other(%rip)\njne 1f\nleaq 100(%rdi), %rax\nretq\n"
                       "1: xorl %eax, %eax\nretq")
FUNCTION(address, "leaq code_probe_value(%rip), %rax\nmovq (%rax), %rax\n"
                  "leaq 59(%rdi, %rax), %rax\nretq")
FUNCTION(stack, "subq $0x18, %rsp\nmovq %rdi, 8(%rsp)\nmovq 8(%rsp), %rax\naddq $0x18, %rsp\n"
                "addq $100, %rax\nretq")
FUNCTION(branch, "testq %rdi, %rdi\njs 1f\nleaq 100(%rdi), %rax\nretq\n1: leaq 100(%rdi), %rax\n"
                 "retq")
FUNCTION(long_branch, "testl %edi, %edi\n.byte 0x0f, 0x88\n.long 1f - . - 4\n"
                      "leaq 100(%rdi), %rax\nretq\n1: leaq 100(%rdi), %rax\nretq")
FUNCTION(help, "leaq 100(%rdi), %rax\nretq") /* never patched: the next ones call it */
FUNCTION(tail, ".byte 0xe9\n.long beginning_help - . - 4")
FUNCTION(tail_pointer, "jmpq *code_probe_help_pointer(%rip)")
FUNCTION(call, "pushq %rax\ncallq beginning_help\npopq %rcx\nretq")
FUNCTION(call_pointer, "pushq %rax\ncallq *code_probe_help_pointer(%rip)\npopq %rcx\nretq")
FUNCTION(call_register, "pushq %rbx\nleaq beginning_help(%rip), %rbx\ncallq *%rbx\npopq %rbx\nretq")
/* The call returns to a byte of the jump. */
FUNCTION(call_early, "pushq %rdx\ncallq *%rsi\npopq %rdx\nretq")
FUNCTION(vector, "movq %rdi, %xmm0\nmovq %xmm0, %rax\naddq $100, %rax\nretq")
FUNCTION(landing, "endbr64\npushq %rbx\nleaq 100(%rdi), %rax\npopq %rbx\nretq")
FUNCTION(landing_short, "endbr64\nleaq 100(%rdi), %rax\nretq")
FUNCTION(bytes, "nop\nnop\nnop\nnop\nleaq 100(%rdi), %rax\nretq")
FUNCTION(thread, "movq %fs:0, %rax\nleaq 100(%rdi), %rax\nretq")
FUNCTION(padded, "leal 100(%rdi), %eax\nretq") /* 4 bytes */
FUNCTION(recursive, "subq $8, %rsp\ntestq %rdi, %rdi\nje 1f\ndecq %rdi\ncallq beginning_recursive\n"
                    "incq %rax\naddq $8, %rsp\nretq\n1: movl $100, %eax\naddq $8, %rsp\nretq")

FUNCTION(loop_inner, "xorl %eax, %eax\nnop\n1: incl %eax\ncmpl $100, %eax\njl 1b\n"
                     "addq %rdi, %rax\nretq")
FUNCTION(loop_first, "1: decq %rdi\njne 1b\nmovl $100, %eax\nretq")
FUNCTION(loop_window, "1: nop\njrcxz 1b\nleaq 100(%rdi), %rax\nretq")
FUNCTION(jump_first, "pushq %rbx\npopq %rbx\ndecq %rdi\njs 1f\njmp beginning_jump_first\n"
                     "1: movl $100, %eax\nretq")
FUNCTION(trap, "ud2\nnop\nnop\nnop\nnop")
FUNCTION(trap_late, "pushq %rax\nud2\nnop\nnop\nnop")
FUNCTION(breakpoint, "int3\nleaq 100(%rdi), %rax\nretq")
FUNCTION(system_call, "syscall\nleaq 100(%rdi), %rax\nretq")
FUNCTION(invalid, "leaq 100(%rdi), %rax\nretq\n.byte 0x06")
FUNCTION(call_stack, "pushq %rsi\ncallq *(%rsp)\npopq %rsi\nretq")
__asm__(
    ".text\n.p2align 4\n.globl beginning_short\n.hidden beginning_short\nbeginning_short: retq\n"
    ".globl beginning_behind\n.hidden beginning_behind\nbeginning_behind: leaq 100(%rdi), "
    "%rax\nretq\n"
    ".p2align 4, 0x90\n");
OWN long beginning_short(long);

#define CASE(name, claim, boundaries)                                                              \
  {                                                                                                \
#name, (code_probe_function)(uintptr_t)beginning_##name, 0, claim, boundaries,                 \
        beginning_##name##_end                                                                     \
  }
#define OK WAX_RUNTIME_CLAIM_OK

static const struct {
  const char *name;
  code_probe_function function;
  uint32_t size; /* without an end */
  wax_runtime_claim claim;
  uint8_t boundaries;
  const char *end;
} cases[] = {
    CASE(frame, OK, 0x12),
    CASE(pushes, OK, 0x1e),
    CASE(leaf, OK, 0x10),
    CASE(tiny, OK, 0x08),
    CASE(rip, OK, 0),
    CASE(rip_late, OK, 0x02),
    CASE(rip_constant, OK, 0),
    CASE(address, OK, 0),
    CASE(stack, OK, 0x10),
    CASE(branch, OK, 0x08),
    CASE(long_branch, OK, 0x04),
    CASE(tail, OK, 0),
    CASE(tail_pointer, OK, 0),
    CASE(call, OK, 0x02),
    CASE(call_pointer, OK, 0x02),
    CASE(call_register, OK, 0x02),
    CASE(vector, OK, 0),
    CASE(landing, OK, 0x02),
    CASE(landing_short, OK, 0x10),
    CASE(bytes, OK, 0x1e),
    CASE(thread, OK, 0),
    CASE(recursive, OK, 0x10),
    CASE(call_early, OK, 0x1a),
    CASE(padded, OK, 0x08),
    CASE(loop_inner, WAX_RUNTIME_CLAIM_CODE_LOOP, 0),
    CASE(loop_first, WAX_RUNTIME_CLAIM_CODE_LOOP, 0),
    CASE(loop_window, WAX_RUNTIME_CLAIM_CODE_INSTRUCTION, 0),
    CASE(jump_first, WAX_RUNTIME_CLAIM_CODE_LOOP, 0),
    CASE(trap, WAX_RUNTIME_CLAIM_CODE_INSTRUCTION, 0),
    CASE(trap_late, WAX_RUNTIME_CLAIM_CODE_INSTRUCTION, 0),
    CASE(breakpoint, WAX_RUNTIME_CLAIM_CODE_INSTRUCTION, 0),
    CASE(system_call, WAX_RUNTIME_CLAIM_CODE_INSTRUCTION, 0),
    CASE(invalid, WAX_RUNTIME_CLAIM_CODE_INSTRUCTION, 0),
    CASE(call_stack, WAX_RUNTIME_CLAIM_CODE_INSTRUCTION, 0),
    {"short", (code_probe_function)(uintptr_t)beginning_short, 1, WAX_RUNTIME_CLAIM_CODE_SHORT, 0,
     NULL},
};

size_t code_probe_case_count(void) { return sizeof cases / sizeof cases[0]; }

code_probe_case code_probe_case_at(size_t index) {
  code_probe_case at = {cases[index].name, cases[index].function, cases[index].size,
                        cases[index].claim, cases[index].boundaries};
  if (cases[index].end)
    at.size = (uint32_t)((uintptr_t)cases[index].end - (uintptr_t)cases[index].function);
  return at;
}

long code_probe_call(size_t index, long argument) {
  return cases[index].function(argument, (const void *)(uintptr_t)beginning_help);
}

#else

size_t code_probe_case_count(void) { return 0; }

long code_probe_call(size_t index, long argument) {
  (void)index;
  return argument;
}

code_probe_case code_probe_case_at(size_t index) {
  (void)index;
  return (code_probe_case){0};
}

#endif

wax_runtime_point code_probe_point(size_t index) {
  code_probe_case at = code_probe_case_at(index);
  return (wax_runtime_point){.kind = WAX_RUNTIME_ENTRY_CODE,
                             .entry = (void **)(uintptr_t)at.function,
                             .function = (const void *)(uintptr_t)at.function,
                             .code_size = at.size};
}
