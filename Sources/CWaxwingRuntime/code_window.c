/* SPDX-License-Identifier: MIT */

/* The first instructions of a function: whether a jump may take their place, and a copy of them
 * that does the same elsewhere.
 *
 * What cannot be judged is refused: an instruction that is not decoded, or one whose effect depends
 * on where it is in a way that is not known here. So is a function that branches back into its
 * first bytes: a loop there would look like calls. */

#include "code.h"

#if WAX_RUNTIME_CPU_SUPPORTED

#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <Zydis/Zydis.h>

#define ENDBR64 "\xf3\x0f\x1e\xfa"
#define ENDBR64_SIZE 4

typedef struct decoded {
  ZydisDecodedInstruction instruction;
  ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
} decoded;

static bool decode(const uint8_t *bytes, size_t size, decoded *result) {
  ZydisDecoder decoder;
  ZydisDecoderContext context;
  return ZYAN_SUCCESS(
             ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64)) &&
         ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(&decoder, &context, bytes, size,
                                                    &result->instruction)) &&
         ZYAN_SUCCESS(ZydisDecoderDecodeOperands(&decoder, &context, &result->instruction,
                                                 result->operands,
                                                 result->instruction.operand_count));
}

/* {== What an instruction is ====== */

static bool is_relative(const decoded *at) { return at->instruction.raw.imm[0].is_relative; }

/* Where a relative branch at `from` goes to. */
static uintptr_t target_of(const decoded *at, const uint8_t *from) {
  return (uintptr_t)from + at->instruction.length + (uintptr_t)at->instruction.raw.imm[0].value.s;
}

/* The operand in memory that counts from the next instruction; NULL: none. */
static const ZydisDecodedOperand *relative_operand(const decoded *at) {
  for (size_t i = 0; i < at->instruction.operand_count; i++) {
    const ZydisDecodedOperand *operand = &at->operands[i];
    if (operand->type != ZYDIS_OPERAND_TYPE_MEMORY) continue;
    if (operand->mem.base == ZYDIS_REGISTER_RIP || operand->mem.base == ZYDIS_REGISTER_EIP)
      return operand;
  }
  return NULL;
}

static bool is_call(const decoded *at) { return at->instruction.mnemonic == ZYDIS_MNEMONIC_CALL; }

/* Whether the instruction behind it is not reached by it. */
static bool ends(const decoded *at) {
  return at->instruction.mnemonic == ZYDIS_MNEMONIC_JMP ||
         at->instruction.mnemonic == ZYDIS_MNEMONIC_RET;
}

static bool is_conditional_jump(const decoded *at) {
  const ZydisDecodedInstruction *instruction = &at->instruction;
  bool is_short = instruction->opcode_map == ZYDIS_OPCODE_MAP_DEFAULT &&
                  (instruction->opcode & 0xf0) == 0x70,
       is_near =
           instruction->opcode_map == ZYDIS_OPCODE_MAP_0F && (instruction->opcode & 0xf0) == 0x80;
  return is_short || is_near;
}

/* Whether the operand of an indirect call is there once a return address has been pushed. */
static bool needs_stack_pointer(const decoded *at) {
  for (size_t i = 0; i < at->instruction.operand_count_visible; i++) {
    const ZydisDecodedOperand *operand = &at->operands[i];
    if (operand->type == ZYDIS_OPERAND_TYPE_MEMORY &&
        (operand->mem.base == ZYDIS_REGISTER_RSP || operand->mem.index == ZYDIS_REGISTER_RSP ||
         operand->mem.base == ZYDIS_REGISTER_ESP))
      return true;
    if (operand->type == ZYDIS_OPERAND_TYPE_REGISTER && operand->reg.value == ZYDIS_REGISTER_RSP)
      return true;
  }
  return false;
}

#ifndef ARCH_SHSTK_STATUS
#define ARCH_SHSTK_STATUS 0x5005
#endif

/* Whether the CPU compares return addresses with those that calls have left. */
static bool has_shadow_stack(void) {
  unsigned long features = 0;
  return syscall(SYS_arch_prctl, ARCH_SHSTK_STATUS, &features) == 0 && (features & 1);
}

/* A call is relocated as a push of the address behind the original one, and a jump: whoever walks
 * the stack finds the function, and a return goes there. */
static bool can_call(const decoded *at) {
  const ZydisDecodedInstruction *instruction = &at->instruction;
  if (has_shadow_stack()) return false;
  if (is_relative(at)) return instruction->opcode == 0xe8;
  return instruction->opcode == 0xff && instruction->raw.modrm.reg == 2 && !needs_stack_pointer(at);
}

/* Whether an instruction does the same in a copy, as it is or as `relocate` changes it. */
static bool can_be_copied(const decoded *at) {
  const ZydisDecodedInstruction *instruction = &at->instruction;
  if (instruction->attributes & ZYDIS_ATTRIB_HAS_OPERANDSIZE && (is_relative(at) || is_call(at)))
    return false;
  const ZydisDecodedOperand *relative = relative_operand(at);
  if (relative && (relative->mem.base != ZYDIS_REGISTER_RIP || instruction->raw.disp.size != 32))
    return false;
  if (is_call(at)) return can_call(at);
  if (is_relative(at))
    return instruction->mnemonic == ZYDIS_MNEMONIC_JMP || is_conditional_jump(at);
  switch (instruction->mnemonic) {
    case ZYDIS_MNEMONIC_UD0:
    case ZYDIS_MNEMONIC_UD1:
    case ZYDIS_MNEMONIC_UD2:
    case ZYDIS_MNEMONIC_HLT:
    case ZYDIS_MNEMONIC_ENDBR64:
    case ZYDIS_MNEMONIC_ENDBR32: return false;
    default: break;
  }
  switch (instruction->meta.category) {
    case ZYDIS_CATEGORY_INTERRUPT:
    case ZYDIS_CATEGORY_SYSCALL:
    case ZYDIS_CATEGORY_SYSRET:
    case ZYDIS_CATEGORY_SYSTEM: return false;
    default: return true;
  }
}

/* ====== }== */

/* {== Judging ====== */

/* Whether bytes behind a function are what fills the room up to the next one. */
static bool is_padding(const uint8_t *bytes, size_t size) {
  while (size > 0) {
    decoded at;
    if (!decode(bytes, size, &at)) return false;
    if (at.instruction.mnemonic != ZYDIS_MNEMONIC_NOP &&
        at.instruction.mnemonic != ZYDIS_MNEMONIC_INT3)
      return false;
    bytes += at.instruction.length;
    size -= at.instruction.length;
  }
  return true;
}

/* Behind a function that is shorter than a jump: functions begin at multiples of 16. */
static bool has_room(const uint8_t *bytes, uintptr_t end, size_t missing) {
  size_t room = (WAX_RUNTIME_PADDING - end % WAX_RUNTIME_PADDING) % WAX_RUNTIME_PADDING;
  return room >= missing && is_padding(bytes, room);
}

static wax_runtime_claim find_instructions(const uint8_t *bytes, size_t size,
                                           wax_runtime_code_window *window) {
  bool is_ended = false;
  while (window->size < WAX_RUNTIME_JUMP_SIZE) {
    if (window->size == size) {
      size_t missing = WAX_RUNTIME_JUMP_SIZE - size;
      bool is_whole = is_ended && has_room(bytes + size, (uintptr_t)window->at + size, missing);
      return is_whole ? WAX_RUNTIME_CLAIM_OK : WAX_RUNTIME_CLAIM_CODE_SHORT;
    }
    decoded at;
    bool is_known = decode(bytes + window->size, size - window->size, &at) && can_be_copied(&at);
    if (!is_known) return WAX_RUNTIME_CLAIM_CODE_INSTRUCTION;
    window->starts[window->count++] = window->size;
    window->size += at.instruction.length;
    is_ended = ends(&at);
  }
  return WAX_RUNTIME_CLAIM_OK;
}

/* Whether any instruction branches into the jump's bytes. A call may go to the first of them. */
static wax_runtime_claim find_branches(const uint8_t *bytes, const uint8_t *code, size_t size,
                                       const wax_runtime_code_window *window) {
  for (size_t i = 0; i < size;) {
    decoded at;
    if (!decode(bytes + i, size - i, &at)) return WAX_RUNTIME_CLAIM_CODE_INSTRUCTION;
    if (is_relative(&at)) {
      uintptr_t target = target_of(&at, code + i), first = (uintptr_t)code,
                end = (uintptr_t)window->at + WAX_RUNTIME_JUMP_SIZE;
      bool is_allowed = target < first || target >= end || (is_call(&at) && target == first);
      if (!is_allowed) return WAX_RUNTIME_CLAIM_CODE_LOOP;
    }
    i += at.instruction.length;
  }
  return WAX_RUNTIME_CLAIM_OK;
}

wax_runtime_claim wax_runtime_code_judge(const uint8_t *bytes, uint8_t *code, size_t size,
                                         wax_runtime_code_window *window) {
  size_t before =
      size >= ENDBR64_SIZE && memcmp(bytes, ENDBR64, ENDBR64_SIZE) == 0 ? ENDBR64_SIZE : 0;
  *window = (wax_runtime_code_window){.at = code + before, .lands = before > 0};
  wax_runtime_claim outcome = find_instructions(bytes + before, size - before, window);
  if (outcome != WAX_RUNTIME_CLAIM_OK) return outcome;
  return find_branches(bytes, code, size, window);
}

/* ====== }== */

/* {== Relocating ====== */

typedef struct relocation {
  wax_runtime_code_copy *copy;
  const uint8_t *to;
  bool is_reached; /* all that it refers to is within 2 GB */
} relocation;

static void emit(relocation *at, const void *bytes, size_t size) {
  memcpy(at->copy->bytes + at->copy->size, bytes, size);
  at->copy->size += (uint8_t)size;
}

static void emit_byte(relocation *at, uint8_t byte) { emit(at, &byte, 1); }

/* The distance from the end of an instruction, `rest` bytes behind the four. */
static int32_t distance(relocation *at, uintptr_t target, const uint8_t *place, size_t rest) {
  int64_t away = (int64_t)(target - ((uintptr_t)place + 4 + rest));
  at->is_reached &= away == (int32_t)away;
  return (int32_t)away;
}

static void emit_distance(relocation *at, uintptr_t target) {
  int32_t away = distance(at, target, at->to + at->copy->size, 0);
  emit(at, &away, sizeof away);
}

static void emit_jump(relocation *at, uintptr_t target) {
  emit_byte(at, 0xe9);
  emit_distance(at, target);
}

static void emit_push(relocation *at, uintptr_t value) {
  uint32_t low = (uint32_t)value, high = (uint32_t)(value >> 32);
  emit_byte(at, 0x68); /* push $low */
  emit(at, &low, sizeof low);
  emit(at, "\xc7\x44\x24\x04", 4); /* movl $high, 4(%rsp) */
  emit(at, &high, sizeof high);
}

/* The same bytes, with the operand that counts from the next instruction where it was. */
static void emit_copied(relocation *at, const decoded *from, const uint8_t *code,
                        const uint8_t *bytes) {
  const ZydisDecodedInstruction *instruction = &from->instruction;
  uint8_t *place = at->copy->bytes + at->copy->size;
  const uint8_t *to = at->to + at->copy->size;
  emit(at, bytes, instruction->length);
  if (is_call(from)) { /* to the same operand, a jump */
    uint8_t *modrm = place + instruction->raw.modrm.offset;
    *modrm = (uint8_t)((*modrm & 0xc7) | 4 << 3);
  }
  if (!relative_operand(from)) return;
  size_t offset = instruction->raw.disp.offset;
  uintptr_t target = (uintptr_t)code + instruction->length + (uintptr_t)instruction->raw.disp.value;
  int32_t away = distance(at, target, to + offset, instruction->length - offset - 4);
  memcpy(place + offset, &away, sizeof away);
}

static void emit_instruction(relocation *at, const decoded *from, const uint8_t *code,
                             const uint8_t *bytes) {
  if (is_call(from)) emit_push(at, (uintptr_t)code + from->instruction.length);
  if (!is_relative(from)) return emit_copied(at, from, code, bytes);
  if (is_conditional_jump(from)) {
    emit_byte(at, 0x0f);
    emit_byte(at, 0x80 | (from->instruction.opcode & 0x0f));
    return emit_distance(at, target_of(from, code));
  }
  emit_jump(at, target_of(from, code));
}

wax_runtime_claim wax_runtime_code_relocate(const wax_runtime_code_window *window,
                                            const uint8_t *to, wax_runtime_code_copy *copy) {
  relocation at = {.copy = copy, .to = to, .is_reached = true};
  copy->size = 0;
  bool is_ended = false;
  /* Calls of the original are indirect ones, as those of the function may be. */
  if (window->lands) emit(&at, ENDBR64, ENDBR64_SIZE);
  for (size_t i = 0; i < window->count; i++) {
    const uint8_t *code = window->at + window->starts[i];
    decoded from;
    if (!decode(code, (size_t)(window->size - window->starts[i]), &from))
      return WAX_RUNTIME_CLAIM_CODE_INSTRUCTION;
    copy->starts[i] = copy->size;
    emit_instruction(&at, &from, code, code);
    is_ended = ends(&from);
  }
  if (!is_ended) emit_jump(&at, (uintptr_t)window->at + window->size);
  return at.is_reached ? WAX_RUNTIME_CLAIM_OK : WAX_RUNTIME_CLAIM_NO_ROOM_NEARBY;
}

_Static_assert(ENDBR64_SIZE + 2 * 15 + 13 + 8 + 5 <= WAX_RUNTIME_COPY_SIZE,
               "two indirect calls, a long one, and the jump behind them");

/* ====== }== */

#endif
