/* SPDX-License-Identifier: MIT
 *
 * Lua functions as `lua_dump` writes them, in the format of Lua 5.4 (ldump.c): for who finds out
 * what a function does.
 */
#ifndef WAX_PROXY_BYTECODE_H
#define WAX_PROXY_BYTECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Of the registers of a function. */
#define MAX_REGISTERS 256
/* A function of more is not for a few lines around an original. */
#define MAX_INSTRUCTIONS 4096
#define MAX_CONSTANTS 1024

/* Of Lua 5.4 (lopcodes.h). */
enum {
  OP_MOVE = 0,
  OP_LOADI = 1,
  OP_LOADF = 2,
  OP_LOADK = 3,
  OP_LOADFALSE = 5,
  OP_LFALSESKIP = 6,
  OP_LOADTRUE = 7,
  OP_LOADNIL = 8,
  OP_GETUPVAL = 9,
  OP_SETUPVAL = 10,
  OP_GETTABUP = 11,
  OP_GETTABLE = 12,
  OP_GETI = 13,
  OP_GETFIELD = 14,
  OP_SETTABUP = 15,
  OP_SETTABLE = 16,
  OP_SETI = 17,
  OP_SETFIELD = 18,
  OP_NEWTABLE = 19,
  OP_SELF = 20,
  OP_ADDI = 21, /* the first that calculates … */
  OP_SHLI = 33, /* … with a constant; … */
  OP_ADD = 34,
  OP_SHR = 45, /* … the last */
  OP_MMBIN = 46,
  OP_MMBINI = 47,
  OP_MMBINK = 48,
  OP_UNM = 49,
  OP_BNOT = 50,
  OP_NOT = 51,
  OP_LEN = 52,
  OP_CONCAT = 53,
  OP_CLOSE = 54,
  OP_TBC = 55,
  OP_JMP = 56,
  OP_EQ = 57,
  OP_LT = 58,
  OP_LE = 59,
  OP_EQK = 60,
  OP_EQI = 61,
  OP_TEST = 66,
  OP_TESTSET = 67,
  OP_CALL = 68,
  OP_TAILCALL = 69,
  OP_RETURN = 70,
  OP_RETURN0 = 71,
  OP_RETURN1 = 72,
  OP_FORLOOP = 73,
  OP_FORPREP = 74,
  OP_TFORPREP = 75,
  OP_TFORCALL = 76,
  OP_TFORLOOP = 77,
  OP_SETLIST = 78,
  OP_CLOSURE = 79,
  OP_VARARG = 80,
  OP_VARARGPREP = 81,
  OP_EXTRAARG = 82
};

/* What is read of a function that Lua has dumped. */
typedef struct code {
  const unsigned char *bytes;
  size_t size, at;
  bool is_bad;
} code;

static inline const unsigned char *take(code *code, size_t size) {
  if (code->is_bad || code->size - code->at < size) {
    code->is_bad = true;
    return NULL;
  }
  const unsigned char *start = code->bytes + code->at;
  code->at += size;
  return start;
}

static inline unsigned take_byte(code *code) {
  const unsigned char *byte = take(code, 1);
  return byte ? *byte : 0;
}

/* Seven bits a byte, the highest first; the last one is marked. */
static inline size_t take_size(code *code) {
  size_t size = 0;
  for (int i = 0; i < 10 && !code->is_bad; i++) {
    unsigned byte = take_byte(code);
    size = size << 7 | (byte & 0x7f);
    if (byte & 0x80) return size;
  }
  code->is_bad = true;
  return 0;
}

typedef struct text {
  const char *start;
  size_t size;
} text;

static inline text take_text(code *code) {
  size_t size = take_size(code);
  if (size == 0) return (text){NULL, 0};
  return (text){(const char *)take(code, size - 1), size - 1};
}

/* A constant, if it is a string. */
static inline text take_constant(code *code) {
  switch (take_byte(code)) {
    case 0x00:
    case 0x01:
    case 0x11: break;
    case 0x03:
    case 0x13: take(code, 8); break;
    case 0x04:
    case 0x14: return take_text(code);
    default: code->is_bad = true;
  }
  return (text){NULL, 0};
}

typedef struct function {
  const unsigned char *instructions;
  size_t count;
  text constants[MAX_CONSTANTS];
  size_t constant_count;
  unsigned parameters, registers;
  bool is_vararg;
} function;

static inline uint32_t instruction(const function *function, size_t index) {
  uint32_t word;
  memcpy(&word, function->instructions + 4 * index, sizeof word);
  return word;
}

static inline bool read_header(code *code) {
  static const unsigned char head[] = "\x1bLua\x54\x00\x19\x93\r\n\x1a\n\x04\x08\x08";
  const unsigned char *found = take(code, sizeof head - 1);
  take(code, 16); /* an integer and a number, to tell the order of bytes */
  take_byte(code);
  return found && !memcmp(found, head, sizeof head - 1);
}

static inline bool read_function(code *code, function *function) {
  if (!read_header(code)) return false;
  take_text(code);
  take_size(code);
  take_size(code);
  function->parameters = take_byte(code);
  function->is_vararg = take_byte(code) != 0;
  function->registers = take_byte(code);
  function->count = take_size(code);
  if (function->count > MAX_INSTRUCTIONS) return false;
  function->instructions = take(code, 4 * function->count);
  function->constant_count = take_size(code);
  if (function->constant_count > MAX_CONSTANTS) return false;
  for (size_t i = 0; i < function->constant_count; i++)
    function->constants[i] = take_constant(code);
  return !code->is_bad;
}

#endif
