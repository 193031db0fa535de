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

#include "wax_lua_opcodes.h"

/* The largest number of registers of a function that is analysed. */
#define MAX_REGISTERS 256
/* A function of more is not for a few lines around an original. */
#define MAX_INSTRUCTIONS 4096
#define MAX_CONSTANTS 1024

/* The parts that are read of a function that Lua has dumped. */
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
