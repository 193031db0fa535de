/* SPDX-License-Identifier: MIT */

/* Which arguments a function's code uses. All ways through the code are followed, with the set of
 * the registers that still hold what the caller has put there. Whatever is not understood ends a
 * way: it may say that an argument is not used which is, and not the reverse. */

#define _GNU_SOURCE

#include "code.h"

#if WAX_RUNTIME_CPU_SUPPORTED

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include <Zydis/Zydis.h>

#include "wax_abi_code.h"

#define SELF WAX_RUNTIME_READ_SELF
#define FIRST WAX_RUNTIME_READ_INTEGER
#define LARGEST ((size_t)1 << 20)
#define CALLEE_SIZE 512 /* bytes of a function whose size is not known */
#define DEPTH 3         /* of calls in calls */
#define CALLS 200       /* that are looked at, in all */

typedef struct search {
  ZydisDecoder decoder;
  size_t calls;
} search;

/* One function's code. */
typedef struct body {
  const uint8_t *at; /* where it runs */
  size_t size;
  size_t depth;
  const uint8_t *bytes; /* as its file has them */
  uint16_t *seen;       /* registers that a way has come by with */
  size_t *open;         /* places to go on at; each is there once at most */
  bool *is_open;
  size_t count;
  uint32_t found;
} body;

typedef struct step {
  ZydisDecodedInstruction instruction;
  ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
} step;

static uint32_t reads(search *search, const uint8_t *code, size_t size, uint32_t wanted,
                      size_t depth);

static uint32_t register_bit(ZydisRegister name) {
  ZydisRegister whole = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, name);
  switch (whole) {
    case ZYDIS_REGISTER_RDI: return FIRST;
    case ZYDIS_REGISTER_RSI: return FIRST << 1;
    case ZYDIS_REGISTER_RDX: return FIRST << 2;
    case ZYDIS_REGISTER_RCX: return FIRST << 3;
    case ZYDIS_REGISTER_R8: return FIRST << 4;
    case ZYDIS_REGISTER_R9: return FIRST << 5;
    case ZYDIS_REGISTER_R13: return SELF;
    default: break;
  }
  if (whole >= ZYDIS_REGISTER_ZMM0 && whole <= ZYDIS_REGISTER_ZMM7)
    return WAX_RUNTIME_READ_VECTOR << (whole - ZYDIS_REGISTER_ZMM0);
  return 0;
}

/* Whether the result does not depend on what was in the register: xor %ecx, %ecx. */
static bool clears(const step *at) {
  const ZydisDecodedOperand *operands = at->operands;
  size_t count = at->instruction.operand_count_visible;
  switch (at->instruction.mnemonic) {
    case ZYDIS_MNEMONIC_XOR:
    case ZYDIS_MNEMONIC_SUB:
    case ZYDIS_MNEMONIC_SBB:
    case ZYDIS_MNEMONIC_XORPS:
    case ZYDIS_MNEMONIC_XORPD:
    case ZYDIS_MNEMONIC_PXOR:
    case ZYDIS_MNEMONIC_VXORPS:
    case ZYDIS_MNEMONIC_VXORPD:
    case ZYDIS_MNEMONIC_VPXOR: break;
    default: return false;
  }
  return count >= 2 && operands[count - 1].type == ZYDIS_OPERAND_TYPE_REGISTER &&
         operands[count - 2].type == ZYDIS_OPERAND_TYPE_REGISTER &&
         operands[count - 1].reg.value == operands[count - 2].reg.value;
}

/* Whether it stores a register that the caller may want back, as functions do that use it. */
static bool keeps_on_stack(const step *at) {
  const ZydisDecodedOperand *to = &at->operands[0], *from = &at->operands[1];
  return at->instruction.mnemonic == ZYDIS_MNEMONIC_MOV && to->type == ZYDIS_OPERAND_TYPE_MEMORY &&
         from->type == ZYDIS_OPERAND_TYPE_REGISTER && from->reg.value == ZYDIS_REGISTER_R13 &&
         (to->mem.base == ZYDIS_REGISTER_RSP || to->mem.base == ZYDIS_REGISTER_RBP);
}

/* The registers that an instruction reads and writes. A push keeps what is the caller's. */
static void look(const step *at, uint32_t *read, uint32_t *written) {
  bool keeps = at->instruction.mnemonic == ZYDIS_MNEMONIC_PUSH || clears(at);
  *read = *written = 0;
  for (size_t i = 0; i < at->instruction.operand_count; i++) {
    const ZydisDecodedOperand *operand = &at->operands[i];
    if (operand->type == ZYDIS_OPERAND_TYPE_MEMORY)
      *read |= register_bit(operand->mem.base) | register_bit(operand->mem.index);
    if (operand->type != ZYDIS_OPERAND_TYPE_REGISTER) continue;
    uint32_t bit = register_bit(operand->reg.value);
    if (!keeps && operand->actions & ZYDIS_OPERAND_ACTION_MASK_READ) *read |= bit;
    if (operand->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) *written |= bit;
  }
}

static void go_on(body *body, size_t place, uint32_t held) {
  if (place >= body->size || (held & ~(uint32_t)body->seen[place]) == 0) return;
  body->seen[place] |= (uint16_t)held;
  if (body->is_open[place]) return;
  body->is_open[place] = true;
  body->open[body->count++] = place;
}

/* What the runtime's functions take is not always told by their code: their first argument is. */
static bool is_of_runtime(const void *code) {
  Dl_info info;
  return dladdr(code, &info) && info.dli_sname && info.dli_saddr == code &&
         strncmp(info.dli_sname, "swift_", strlen("swift_")) == 0;
}

/* What a function reads of the registers that are held when it is called. */
static void look_into(search *search, body *body, uintptr_t target, uint32_t held) {
  held &= ~body->found;
  if (held == 0 || body->depth == DEPTH || search->calls == CALLS) return;
  search->calls++;
  const void *code = wax_abi_code_target((const void *)target);
  if (!code) return;
  if (is_of_runtime(code))
    body->found |= held & FIRST;
  else
    body->found |= reads(search, code, CALLEE_SIZE, held, body->depth + 1);
}

/* A jump or a call to a place that the instruction has. */
static bool is_direct(const step *at) { return at->instruction.raw.imm[0].is_relative; }

static void follow(search *search, body *body, size_t place) {
  uint32_t held = body->seen[place];
  step at;
  ZydisDecoderContext context;
  if (!ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(&search->decoder, &context, body->bytes + place,
                                                  body->size - place, &at.instruction)) ||
      !ZYAN_SUCCESS(ZydisDecoderDecodeOperands(&search->decoder, &context, &at.instruction,
                                               at.operands, at.instruction.operand_count)))
    return;
  uint32_t read, written;
  look(&at, &read, &written);
  if (body->depth > 0 && keeps_on_stack(&at)) read &= ~SELF;
  body->found |= read & held;
  held &= ~written;
  size_t next = place + at.instruction.length;
  uint64_t away = is_direct(&at) ? at.instruction.raw.imm[0].value.u : 0;
  size_t target = next + (size_t)away;
  switch (at.instruction.meta.category) {
    case ZYDIS_CATEGORY_CALL:
      if (is_direct(&at)) look_into(search, body, (uintptr_t)body->at + target, held);
      /* Where the end of a function is not known, there may be none behind a call. */
      if (body->depth == 0) go_on(body, next, held & SELF);
      return;
    case ZYDIS_CATEGORY_COND_BR: go_on(body, next, held); break;
    case ZYDIS_CATEGORY_UNCOND_BR: break;
    case ZYDIS_CATEGORY_RET:
    case ZYDIS_CATEGORY_INTERRUPT: return;
    default:
      if (at.instruction.mnemonic != ZYDIS_MNEMONIC_UD2) go_on(body, next, held);
      return;
  }
  if (!is_direct(&at)) return;
  if (target < body->size)
    go_on(body, target, held);
  else
    look_into(search, body, (uintptr_t)body->at + target, held);
}

static uint32_t reads(search *search, const uint8_t *code, size_t size, uint32_t wanted,
                      size_t depth) {
  if (size == 0 || size > LARGEST) return 0;
  uint8_t *bytes = malloc(size);
  uint16_t *seen = calloc(size, sizeof *seen);
  size_t *open = calloc(size, sizeof *open);
  bool *is_open = calloc(size, sizeof *is_open);
  body body = {code, size, depth, bytes, seen, open, is_open, 0, 0};
  if (bytes && seen && open && is_open &&
      wax_runtime_code_read_file(code, size, bytes) == WAX_RUNTIME_CLAIM_OK) {
    go_on(&body, 0, wanted);
    while (body.count > 0 && body.found != wanted) {
      size_t place = open[--body.count];
      is_open[place] = false;
      follow(search, &body, place);
    }
  }
  free(bytes);
  free(seen);
  free(open);
  free(is_open);
  return body.found;
}

uint32_t wax_runtime_code_reads(const void *code, size_t size, uint32_t wanted) {
  search search = {.calls = 0};
  if (!ZYAN_SUCCESS(
          ZydisDecoderInit(&search.decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64)))
    return 0;
  return wanted ? reads(&search, code, size, wanted, 0) : 0;
}

#else

uint32_t wax_runtime_code_reads(const void *code, size_t size, uint32_t wanted) {
  (void)code;
  (void)size;
  (void)wanted;
  return 0;
}

#endif
