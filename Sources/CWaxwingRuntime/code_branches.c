/* SPDX-License-Identifier: MIT */

/* Jumps over short distances, which the assembler makes of those to near functions of the same
 * object file. Their distance is one byte, which says nothing without the instruction. */

#include "code.h"

#if WAX_RUNTIME_CPU_SUPPORTED

#include <stdlib.h>

#include <Zydis/Zydis.h>

#define LARGEST ((size_t)1 << 20)
#define SHORT 8   /* bits of the distance */
#define REACH 130 /* bytes, with those of the instruction */

static bool jumps(const uint8_t *bytes, size_t size, int64_t target) {
  ZydisDecoder decoder;
  if (!ZYAN_SUCCESS(ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64)))
    return true;
  for (size_t place = 0; place < size;) {
    ZydisDecodedInstruction at;
    ZyanStatus status =
        ZydisDecoderDecodeInstruction(&decoder, NULL, bytes + place, size - place, &at);
    if (!ZYAN_SUCCESS(status)) return status != ZYDIS_STATUS_NO_MORE_DATA;
    place += at.length;
    if (at.raw.imm[0].is_relative && at.raw.imm[0].size == SHORT &&
        (int64_t)place + at.raw.imm[0].value.s == target)
      return true;
  }
  return false;
}

/* Whether two bytes of the code could be such a jump: that is seldom so, and quickly seen. */
static bool may_jump(const uint8_t *code, size_t size, uintptr_t target) {
  uint8_t bytes[2 * REACH];
  if (size > sizeof bytes) size = sizeof bytes;
  if (!wax_runtime_code_read_live(code, size, bytes)) return true;
  for (size_t place = 0; place + 1 < size; place++) {
    uint8_t opcode = bytes[place];
    bool is_jump = opcode == 0xeb || opcode >> 4 == 7 || (opcode >= 0xe0 && opcode <= 0xe3);
    uintptr_t next = (uintptr_t)code + place + 2;
    if (is_jump && next + (uintptr_t)(intptr_t)(int8_t)bytes[place + 1] == target) return true;
  }
  return false;
}

bool wax_runtime_code_jumps_short(const void *code, size_t size, const void *target) {
  uintptr_t first = (uintptr_t)code, end = first + size, to = (uintptr_t)target;
  if (end > to + REACH) end = to + REACH;
  uintptr_t near = first < to - REACH ? to - REACH : first;
  if (near >= end || !may_jump((const uint8_t *)near, end - near, to)) return false;
  size = end - first;
  uint8_t *bytes = size <= LARGEST ? malloc(size) : NULL;
  if (!bytes) return true;
  /* A program goes on when its file is gone. */
  bool is_read = wax_runtime_code_read_file(code, size, bytes) == WAX_RUNTIME_CLAIM_OK ||
                 wax_runtime_code_read_live(code, size, bytes);
  bool found = !is_read || jumps(bytes, size, (int64_t)(to - first));
  free(bytes);
  return found;
}

#else

bool wax_runtime_code_jumps_short(const void *code, size_t size, const void *target) {
  (void)code;
  (void)size;
  (void)target;
  return false;
}

#endif
