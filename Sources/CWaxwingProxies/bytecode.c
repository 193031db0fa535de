/* SPDX-License-Identifier: MIT
 *
 * Whether a Lua function can keep what it sees: read from its code.
 *
 * A function can keep a value by storing it, in a table, an upvalue or a closure, or by giving it
 * to another function that does. One whose code stores nothing and calls nothing but originals
 * keeps nothing; what it saw can be let go when its call ends, as it would be without it. The code
 * comes from `lua_dump`, in the format of Lua 5.4 (ldump.c, lopcodes.h): what is of another format,
 * or not understood, may keep everything. */
#include "wax_proxy_keeping.h"

#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

#include "wax_lua_call_private.h"
#include "wax_proxy_private.h"

/* Of the registers of a function. */
#define MAX_REGISTERS 256
/* A function of more is not for a few lines around an original. */
#define MAX_INSTRUCTIONS 4096
#define MAX_CONSTANTS 1024

/* Those that neither store nor call. Metamethods of what a function can see in this way are ours.
 */
enum {
  OP_MOVE = 0,
  OP_LOADNIL = 8,
  OP_GETTABUP = 11,
  OP_GETFIELD = 14,
  OP_SELF = 20,
  OP_MMBIN = 46,
  OP_MMBINI = 47,
  OP_MMBINK = 48,
  OP_JMP = 56,
  OP_EQ = 57,
  OP_LFALSESKIP = 6,
  OP_TESTSET = 67,
  OP_CALL = 68,
  OP_TAILCALL = 69,
  OP_RETURN = 70,
  OP_RETURN0 = 71,
  OP_RETURN1 = 72,
  OP_FORLOOP = 73,
  OP_FORPREP = 74,
  OP_VARARG = 80,
  OP_VARARGPREP = 81
};

static bool is_plain(unsigned op) {
  return (op >= 1 && op <= 8 && op != 4) || op == OP_MOVE || op == OP_GETFIELD ||
         (op >= 21 && op <= 53) || (op >= OP_JMP && op <= OP_TESTSET) ||
         (op >= OP_RETURN && op <= OP_FORPREP) || op == OP_VARARG || op == OP_VARARGPREP;
}

/* What is read of a function that Lua has dumped. */
typedef struct code {
  const unsigned char *bytes;
  size_t size, at;
  bool is_bad;
} code;

static const unsigned char *take(code *code, size_t size) {
  if (code->is_bad || code->size - code->at < size) {
    code->is_bad = true;
    return NULL;
  }
  const unsigned char *start = code->bytes + code->at;
  code->at += size;
  return start;
}

static unsigned take_byte(code *code) {
  const unsigned char *byte = take(code, 1);
  return byte ? *byte : 0;
}

/* Seven bits a byte, the highest first; the last one is marked. */
static size_t take_size(code *code) {
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

static text take_text(code *code) {
  size_t size = take_size(code);
  if (size == 0) return (text){NULL, 0};
  return (text){(const char *)take(code, size - 1), size - 1};
}

/* A constant, if it is a string. */
static text take_constant(code *code) {
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
} function;

static uint32_t instruction(const function *function, size_t index) {
  uint32_t word;
  memcpy(&word, function->instructions + 4 * index, sizeof word);
  return word;
}

static bool read_header(code *code) {
  static const unsigned char head[] = "\x1bLua\x54\x00\x19\x93\r\n\x1a\n\x04\x08\x08";
  const unsigned char *found = take(code, sizeof head - 1);
  take(code, 16); /* an integer and a number, to tell the order of bytes */
  take_byte(code);
  return found && !memcmp(found, head, sizeof head - 1);
}

static bool read_function(code *code, function *function) {
  if (!read_header(code)) return false;
  take_text(code);
  take_size(code);
  take_size(code);
  take(code, 3); /* parameters, whether there are more, registers */
  function->count = take_size(code);
  if (function->count > MAX_INSTRUCTIONS) return false;
  function->instructions = take(code, 4 * function->count);
  function->constant_count = take_size(code);
  if (function->constant_count > MAX_CONSTANTS) return false;
  for (size_t i = 0; i < function->constant_count; i++)
    function->constants[i] = take_constant(code);
  return !code->is_bad;
}

/* Registers that hold a function which keeps nothing. */
typedef struct walk {
  lua_State *L;
  int index; /* the function on the stack */
  const function *function;
  bool is_target[MAX_INSTRUCTIONS + 2];
  bool is_original[MAX_REGISTERS];
  bool is_narrow; /* so far: see WAX_PROXY_KEEPING_NOTHING_CALLS_ORIGINALS */
} walk;

static bool constant_is(const walk *walk, unsigned index, const char *name, bool is_prefix) {
  if (index >= walk->function->constant_count) return false;
  text text = walk->function->constants[index];
  size_t size = strlen(name);
  return text.start && (is_prefix ? text.size > size : text.size == size) &&
         !memcmp(text.start, name, size);
}

/* Whether the upvalue is the script's globals and `original` there is ours. */
static bool has_original(lua_State *L, int function, unsigned upvalue) {
  const char *name = lua_getupvalue(L, function, (int)upvalue + 1);
  if (!name) return false;
  bool is_ours = false;
  if (!strcmp(name, "_ENV") && lua_type(L, -1) == LUA_TTABLE) {
    lua_pushliteral(L, "original");
    lua_rawget(L, -2);
    is_ours = wax_lua_is_original(L, -1);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  return is_ours;
}

static void mark_targets(walk *walk) {
  for (size_t i = 0; i < walk->function->count; i++) {
    uint32_t word = instruction(walk->function, i);
    unsigned op = word & 0x7f;
    size_t target = 0;
    if (op == OP_JMP) target = i + 1 + (size_t)((int64_t)(word >> 7) - 0xffffff);
    if (op == OP_FORLOOP) target = i + 1 - (word >> 15);
    if (op == OP_FORPREP) target = i + 2 + (word >> 15);
    if (op == OP_LFALSESKIP || (op >= OP_EQ && op <= OP_TESTSET)) target = i + 2;
    if (target && target < walk->function->count) walk->is_target[target] = true;
  }
}

/* Whether an instruction puts something else into the first register. */
static bool replaces_first(unsigned op, unsigned a) {
  if (a != 0 || op == OP_MMBIN || op == OP_MMBINI || op == OP_MMBINK) return false;
  bool is_test = op >= OP_JMP && op < OP_TESTSET;
  return !is_test && op != OP_RETURN && op != OP_RETURN0 && op != OP_RETURN1;
}

/* Whether an instruction leads to nothing but the originals of the first argument's own methods. */
static bool is_narrow(unsigned op, unsigned a, unsigned b) {
  if (op == OP_GETFIELD || op == OP_GETTABUP || op == OP_VARARG || op == OP_VARARGPREP)
    return false;
  if (op == OP_SELF && b != 0) return false;
  return !replaces_first(op, a);
}

/* Whether an instruction keeps nothing. */
static bool follow(walk *walk, uint32_t word) {
  unsigned op = word & 0x7f, a = word >> 7 & 0xff, b = word >> 16 & 0xff, c = word >> 24;
  if (!is_narrow(op, a, b)) walk->is_narrow = false;
  switch (op) {
    case OP_SELF:
      walk->is_original[a] = (word >> 15 & 1) && constant_is(walk, c, "ORIG", true);
      if (a + 1 < MAX_REGISTERS) walk->is_original[a + 1] = false;
      return walk->is_original[a];
    case OP_GETTABUP:
      walk->is_original[a] =
          constant_is(walk, c, "original", false) && has_original(walk->L, walk->index, b);
      return walk->is_original[a];
    case OP_CALL:
    case OP_TAILCALL: {
      bool is_original = walk->is_original[a];
      memset(walk->is_original + a, 0, MAX_REGISTERS - a); /* results */
      return is_original;
    }
    case OP_LOADNIL:
    case OP_VARARG: memset(walk->is_original + a, 0, MAX_REGISTERS - a); return true;
    default: walk->is_original[a] = false; return is_plain(op);
  }
}

static bool keeps_nothing(walk *walk) {
  mark_targets(walk);
  for (size_t i = 0; i < walk->function->count; i++) {
    if (walk->is_target[i]) memset(walk->is_original, 0, sizeof walk->is_original);
    if (!follow(walk, instruction(walk->function, i))) return false;
  }
  return true;
}

/* Not on the stack: a thread's may be short. */
static wax_proxy_keeping keeping_in(lua_State *L, int index, code *code) {
  /* Most of either is never used: what is, is set here or where it is read. */
  function *function = malloc(sizeof *function);
  walk *walk = malloc(sizeof *walk);
  wax_proxy_keeping result = WAX_PROXY_KEEPING_ANYTHING;
  if (function && walk && read_function(code, function)) {
    walk->L = L;
    walk->index = index;
    walk->function = function;
    memset(walk->is_target, 0, function->count + 2);
    memset(walk->is_original, 0, sizeof walk->is_original);
    walk->is_narrow = true;
    if (keeps_nothing(walk))
      result =
          walk->is_narrow ? WAX_PROXY_KEEPING_NOTHING_CALLS_ORIGINALS : WAX_PROXY_KEEPING_NOTHING;
  }
  free(function);
  free(walk);
  return result;
}

static int examine(lua_State *L) {
  wax_lua_compiled *compiled = lua_touserdata(L, 2);
  bool result = lua_type(L, 1) == LUA_TFUNCTION && !lua_iscfunction(L, 1) &&
                (lua_pushvalue(L, 1), wax_lua_dump(L, true, compiled));
  code code = {.bytes = compiled->bytes, .size = compiled->count};
  lua_settop(L, 1);
  lua_pushinteger(L, result ? keeping_in(L, 1, &code) : WAX_PROXY_KEEPING_ANYTHING);
  return 1;
}

/* [-1, +0, -]  Of the function on top. */
wax_proxy_keeping wax_proxy_keeping_on_top(lua_State *L) {
  wax_lua_compiled compiled = {NULL, 0};
  if (!lua_checkstack(L, 8)) {
    lua_settop(L, -2);
    return WAX_PROXY_KEEPING_ANYTHING;
  }
  lua_pushcfunction(L, examine);
  lua_insert(L, -2);
  lua_pushlightuserdata(L, &compiled);
  wax_proxy_keeping result = WAX_PROXY_KEEPING_ANYTHING;
  if (lua_pcall(L, 2, 1, 0) == LUA_OK) result = (wax_proxy_keeping)lua_tointeger(L, -1);
  lua_pop(L, 1);
  free(compiled.bytes);
  return result;
}

wax_proxy_keeping wax_proxy_find_keeping(wax_lua_state *state, int reference) {
  lua_rawgeti(state->main, LUA_REGISTRYINDEX, reference);
  return wax_proxy_keeping_on_top(state->main);
}
