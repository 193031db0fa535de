/* SPDX-License-Identifier: MIT
 *
 * Which of its values a Lua function only passes on: read from its code.
 *
 * The code is followed with what each register may hold: one of the values that the function got,
 * what an original has returned, or something else. Whatever an instruction does with a register
 * but move it, pass it to an original or return it is a look, and so is a closure around it. What
 * is not understood looks at everything. */
#include "wax_proxy_passing.h"

#include <stdlib.h>
#include <string.h>

#include "wax_lua_call_private.h"
#include "wax_proxy_bytecode.h"
#include "wax_proxy_private.h"

/* What a register may hold, by bits: below these the values that the function got. */
#define OTHER (UINT32_C(1) << 31)
#define ORIGINAL (UINT32_C(1) << 30) /* a function that calls one */
#define RESULT (UINT32_C(1) << 29)
#define MAYBE                                                                                      \
  (UINT32_C(1) << 28) /* a function of which only its calls tell whether it calls one              \
                       */
#define VALUES (MAYBE - 1)
#define MAX_VALUES 28

/* Words of what is known before all instructions together. */
#define MAX_WORDS (1u << 20)

/* What is known before one instruction: words of a row. */
enum { REACHED, PASSED, REGISTERS };

typedef struct passing {
  lua_State *L;
  int index; /* the function on the stack */
  const function *function;
  uint32_t *rows;    /* for each instruction, and one more, for the instruction that is followed */
  uint32_t *current; /* that one */
  size_t row;        /* in words */
  uint32_t looked, repeated;
  unsigned globals; /* see wax_proxy_passing */
  bool has_changed, is_bad;
  bool is_captured[MAX_REGISTERS]; /* a closure has the variable */
} passing;

typedef struct parts {
  uint32_t word;
  unsigned op, a, b, c;
  bool k;
} parts;

static parts parts_at(const function *function, size_t index) {
  uint32_t word = instruction(function, index);
  return (parts){word,       word & 0x7f,   word >> 7 & 0xff, word >> 16 & 0xff,
                 word >> 24, word >> 15 & 1};
}

/* {==================================================================
** Registers
** =================================================================== */

static uint32_t held(passing *passing, unsigned number) {
  if (number < passing->function->registers) return passing->current[REGISTERS + number];
  passing->is_bad = true;
  return OTHER;
}

static void set(passing *passing, unsigned number, uint32_t mask) {
  if (number < passing->function->registers)
    passing->current[REGISTERS + number] = mask;
  else
    passing->is_bad = true;
}

static void set_from(passing *passing, unsigned number, uint32_t mask) {
  for (; number < passing->function->registers; number++) set(passing, number, mask);
}

static void look(passing *passing, unsigned number) { passing->looked |= held(passing, number); }

static void look_between(passing *passing, unsigned first, unsigned end) {
  for (; first < end; first++) look(passing, first);
}

static void pass(passing *passing, uint32_t mask) {
  passing->repeated |= passing->current[PASSED] & mask;
  passing->current[PASSED] |= mask & VALUES;
}

/* Where the values end that an instruction takes from `first` on. `count` is one more than how many
   there are; 0: as many as the instruction before it has left, which are from *open on. */
static unsigned end_of(passing *passing, size_t index, unsigned first, unsigned count,
                       bool *is_open) {
  *is_open = count == 0;
  if (count) return first + count - 1;
  parts before = parts_at(passing->function, index ? index - 1 : 0);
  bool is_open_call = before.op == OP_CALL || before.op == OP_VARARG;
  if (!is_open_call || before.c != 0 || before.a < first) passing->is_bad = true;
  return before.a;
}

static void pass_between(passing *passing, size_t index, unsigned first, unsigned count) {
  bool is_open;
  unsigned end = end_of(passing, index, first, count, &is_open);
  for (unsigned i = first; i < end && !passing->is_bad; i++) pass(passing, held(passing, i));
  if (is_open) pass(passing, held(passing, end));
}

/* }================================================================== */

/* {==================================================================
** Instructions
** =================================================================== */

static bool constant_is(const passing *passing, unsigned index, const char *name, bool is_prefix) {
  if (index >= passing->function->constant_count) return false;
  text text = passing->function->constants[index];
  size_t size = strlen(name);
  return text.start && (is_prefix ? text.size > size : text.size == size) &&
         !memcmp(text.start, name, size);
}

/* [-0, +0, -]  Whether `original`, of the globals that are the function's upvalue, counted from 1,
   is the engine's. */
static bool has_original(lua_State *L, int function, int upvalue) {
  const char *name = lua_getupvalue(L, function, upvalue);
  if (!name) return false;
  bool is_original = false;
  if (!strcmp(name, "_ENV") && lua_type(L, -1) == LUA_TTABLE) {
    lua_pushliteral(L, "original");
    lua_rawget(L, -2);
    is_original = wax_lua_is_original(L, -1);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  return is_original;
}

bool wax_proxy_original_stands(lua_State *L, int reference, int globals) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, reference);
  bool stands = has_original(L, lua_gettop(L), globals);
  lua_settop(L, -2);
  return stands;
}

/* Whether what the globals have by this name is `original`. */
static bool is_global_original(passing *passing, unsigned upvalue, unsigned constant) {
  if (!constant_is(passing, constant, "original", false)) return false;
  if (!has_original(passing->L, passing->index, (int)upvalue + 1)) return false;
  unsigned globals = upvalue + 1;
  if (globals > UINT8_MAX || (passing->globals && passing->globals != globals)) {
    passing->is_bad = true;
    return false;
  }
  passing->globals = globals;
  return true;
}

/* What a member may be: an original if it is one of the first value, which is the call's `self`
   then. */
static uint32_t member(passing *passing, const parts *parts) {
  if (constant_is(passing, parts->c, "original", false)) return OTHER | MAYBE;
  if (!constant_is(passing, parts->c, "ORIG", true)) return OTHER;
  return held(passing, parts->b) == 1 ? ORIGINAL : OTHER | MAYBE;
}

/* What a global may be. */
static uint32_t global(passing *passing, const parts *parts) {
  if (is_global_original(passing, parts->b, parts->c)) return ORIGINAL;
  return constant_is(passing, parts->c, "original", false) ||
                 constant_is(passing, parts->c, "ORIG", true)
             ? OTHER | MAYBE
             : OTHER;
}

static void follow_call(passing *passing, size_t index, const parts *parts) {
  bool is_original = held(passing, parts->a) == ORIGINAL;
  if (is_original) {
    pass_between(passing, index, parts->a + 1, parts->b);
  } else {
    bool is_open;
    unsigned end = end_of(passing, index, parts->a + 1, parts->b, &is_open);
    look_between(passing, parts->a, is_open ? end + 1 : end);
  }
  if (parts->op == OP_TAILCALL) return;
  uint32_t result = is_original ? RESULT : OTHER;
  if (held(passing, parts->a) & (MAYBE | ORIGINAL)) result |= RESULT;
  if (parts->c == 0) return set_from(passing, parts->a, result);
  set_from(passing, parts->a, OTHER);
  for (unsigned i = 0; i + 1 < parts->c; i++) set(passing, parts->a + i, result);
}

static void follow_vararg(passing *passing, const parts *parts) {
  unsigned known = passing->function->parameters;
  uint32_t mask = OTHER;
  if (known < MAX_VALUES) mask |= VALUES & ~((UINT32_C(1) << known) - 1);
  if (parts->c == 0) return set_from(passing, parts->a, mask);
  for (unsigned i = 0; i + 1 < parts->c; i++) set(passing, parts->a + i, mask);
}

static void follow_list(passing *passing, size_t index, const parts *parts) {
  bool is_open;
  unsigned count = parts->b ? parts->b + 1 : 0;
  unsigned end = end_of(passing, index, parts->a + 1, count, &is_open);
  look_between(passing, parts->a, is_open ? end + 1 : end);
}

/* One that loads a value or a member. False: it is another one. */
static bool follow_load(passing *passing, const parts *parts) {
  unsigned a = parts->a, b = parts->b;
  uint32_t result = OTHER;
  switch (parts->op) {
    case OP_MOVE: result = held(passing, b); break;
    case OP_LOADNIL:
      for (unsigned i = 0; i <= b; i++) set(passing, a + i, OTHER);
      return true;
    case OP_GETUPVAL:
    case OP_NEWTABLE:
    case OP_CLOSURE: break;
    case OP_GETTABUP: result = global(passing, parts); break;
    case OP_GETTABLE:
      result = OTHER | MAYBE;
      look(passing, b);
      look(passing, parts->c);
      break;
    case OP_GETI: look(passing, b); break;
    case OP_GETFIELD:
      result = member(passing, parts);
      look(passing, b);
      break;
    case OP_SELF:
      result = parts->k ? member(passing, parts) : OTHER | MAYBE;
      look(passing, b);
      set(passing, a + 1, held(passing, b));
      break;
    default:
      if (parts->op < OP_LOADI || parts->op > OP_LOADNIL) return false;
  }
  set(passing, a, result);
  return true;
}

/* One that stores or calculates. False: it is another one. */
static bool follow_operation(passing *passing, const parts *parts) {
  unsigned op = parts->op, a = parts->a, b = parts->b;
  if (op == OP_SETUPVAL || op == OP_TBC || (op >= OP_EQK && op <= OP_TEST)) {
    look(passing, a);
  } else if (op >= OP_SETTABUP && op <= OP_SETFIELD) {
    if (op != OP_SETTABUP) look(passing, a);
    if (op == OP_SETTABLE) look(passing, b);
    if (!parts->k) look(passing, parts->c);
  } else if (op >= OP_ADDI && op <= OP_SHR) {
    look(passing, b);
    if (op >= OP_ADD) look(passing, parts->c);
    set(passing, a, OTHER);
  } else if (op >= OP_MMBIN && op <= OP_MMBINK) {
    look(passing, a);
    if (op == OP_MMBIN) look(passing, b);
  } else if (op >= OP_UNM && op <= OP_LEN) {
    look(passing, b);
    set(passing, a, OTHER);
  } else if (op == OP_CONCAT) {
    look_between(passing, a, a + b);
    set(passing, a, OTHER);
  } else if (op >= OP_EQ && op <= OP_LE) {
    look(passing, a);
    look(passing, b);
  } else if (op == OP_TESTSET) {
    look(passing, b);
    set(passing, a, held(passing, b));
  } else {
    return false;
  }
  return true;
}

/* One that calls, returns or repeats. */
static void follow_control(passing *passing, size_t index, const parts *parts) {
  unsigned a = parts->a;
  switch (parts->op) {
    case OP_CALL:
    case OP_TAILCALL: return follow_call(passing, index, parts);
    case OP_RETURN: return pass_between(passing, index, a, parts->b);
    case OP_RETURN1: return pass(passing, held(passing, a));
    case OP_VARARG: return follow_vararg(passing, parts);
    case OP_SETLIST: return follow_list(passing, index, parts);
    case OP_FORLOOP:
    case OP_FORPREP:
      look_between(passing, a, a + 3);
      for (unsigned i = 0; i <= 3; i++) set(passing, a + i, OTHER);
      return;
    case OP_TFORCALL: look_between(passing, a, a + 3); return set_from(passing, a + 4, OTHER);
    case OP_TFORLOOP: look(passing, a + 4); return set(passing, a + 2, OTHER);
    case OP_TFORPREP:
    case OP_CLOSE:
    case OP_JMP:
    case OP_RETURN0:
    case OP_VARARGPREP:
    case OP_EXTRAARG: return;
    default: passing->is_bad = true;
  }
}

/* }================================================================== */

/* {==================================================================
** The way through the code
** =================================================================== */

static void reach(passing *passing, int64_t index) {
  if (index < 0 || (size_t)index >= passing->function->count) {
    passing->is_bad = true;
    return;
  }
  uint32_t *row = passing->rows + (size_t)index * passing->row;
  for (size_t i = 0; i < passing->row; i++) {
    if ((row[i] | passing->current[i]) == row[i]) continue;
    row[i] |= passing->current[i];
    passing->has_changed = true;
  }
}

/* What may come after the instruction. */
static void go_on(passing *passing, size_t index, const parts *parts) {
  int64_t next = (int64_t)index + 1, far = parts->word >> 15;
  switch (parts->op) {
    case OP_TAILCALL:
    case OP_RETURN:
    case OP_RETURN0:
    case OP_RETURN1: return;
    case OP_JMP: return reach(passing, next + (int64_t)(parts->word >> 7) - 0xffffff);
    case OP_LFALSESKIP: return reach(passing, next + 1);
    case OP_TFORPREP: return reach(passing, next + far);
    case OP_FORLOOP:
    case OP_TFORLOOP: reach(passing, next - far); break;
    case OP_FORPREP: reach(passing, next + 1 + far); break;
    default:
      if (parts->op >= OP_EQ && parts->op <= OP_TESTSET) reach(passing, next + 1);
  }
  reach(passing, next);
}

static void follow(passing *passing, size_t index) {
  const uint32_t *row = passing->rows + index * passing->row;
  if (!row[REACHED]) return;
  memcpy(passing->current, row, passing->row * sizeof *row);
  for (unsigned i = 0; i < passing->function->registers; i++)
    if (passing->is_captured[i]) look(passing, i);
  parts parts = parts_at(passing->function, index);
  if (!follow_load(passing, &parts) && !follow_operation(passing, &parts))
    follow_control(passing, index, &parts);
  go_on(passing, index, &parts);
}

static void begin(passing *passing) {
  uint32_t *row = passing->rows;
  row[REACHED] = 1;
  for (unsigned i = 0; i < passing->function->registers; i++)
    row[REGISTERS + i] =
        i < passing->function->parameters && i < MAX_VALUES ? UINT32_C(1) << i : OTHER;
}

/* }================================================================== */

/* {==================================================================
** Closures
** =================================================================== */

static void skip_function(code *code, int depth);

static void skip_functions(code *code, int depth) {
  size_t count = take_size(code);
  if (depth > 100) code->is_bad = true; /* deeper than Lua's compiler goes */
  for (size_t i = 0; i < count && !code->is_bad; i++) skip_function(code, depth + 1);
}

/* A stripped function has no more than the numbers of what it could have. */
static void skip_debug_information(code *code) {
  for (int i = 0; i < 4; i++)
    if (take_size(code) != 0) code->is_bad = true;
}

/* Up to the list of its upvalues. */
static void skip_to_upvalues(code *code) {
  take_text(code);
  take_size(code);
  take_size(code);
  take(code, 3);
  size_t instructions = take_size(code);
  if (instructions > code->size) code->is_bad = true;
  take(code, 4 * instructions);
  size_t constants = take_size(code);
  for (size_t i = 0; i < constants && !code->is_bad; i++) take_constant(code);
}

static void skip_function(code *code, int depth) {
  skip_to_upvalues(code);
  size_t upvalues = take_size(code);
  for (size_t i = 0; i < upvalues && !code->is_bad; i++) take(code, 3);
  skip_functions(code, depth);
  skip_debug_information(code);
}

/* Which variables of the function, whose constants have just been read, the closures in it have. */
static bool find_captured(code *code, passing *passing) {
  size_t upvalues = take_size(code);
  for (size_t i = 0; i < upvalues && !code->is_bad; i++) take(code, 3);
  size_t count = take_size(code);
  for (size_t i = 0; i < count && !code->is_bad; i++) {
    skip_to_upvalues(code);
    size_t captured = take_size(code);
    for (size_t j = 0; j < captured && !code->is_bad; j++) {
      const unsigned char *upvalue = take(code, 3); /* whether it is in a register, which, kind */
      if (upvalue && upvalue[0]) passing->is_captured[upvalue[1]] = true;
    }
    skip_functions(code, 0);
    skip_debug_information(code);
  }
  return !code->is_bad;
}

/* }================================================================== */

static bool run(passing *passing, code *code) {
  const function *function = passing->function;
  passing->row = REGISTERS + function->registers;
  size_t words = (function->count + 1) * passing->row;
  if (function->count == 0 || words > MAX_WORDS || !find_captured(code, passing)) return false;
  passing->rows = calloc(words, sizeof *passing->rows);
  if (!passing->rows) return false;
  passing->current = passing->rows + function->count * passing->row;
  begin(passing);
  do {
    passing->has_changed = false;
    for (size_t i = 0; i < function->count && !passing->is_bad; i++) follow(passing, i);
  } while (passing->has_changed && !passing->is_bad);
  free(passing->rows);
  return !passing->is_bad;
}

/* Not on the stack: a thread's may be short. */
static wax_proxy_passing passing_in(lua_State *L, int index, code *code) {
  function *function = malloc(sizeof *function);
  passing *found = calloc(1, sizeof *found);
  wax_proxy_passing result = {0, 0, false, 0};
  if (function && found && read_function(code, function)) {
    found->L = L;
    found->index = index;
    found->function = function;
    if (run(found, code)) {
      result.only_passed = VALUES & ~found->looked;
      result.once = result.only_passed & ~found->repeated;
      result.results = !(found->looked & RESULT);
      result.globals = (uint8_t)found->globals;
    }
  }
  free(function);
  free(found);
  return result;
}

/* (function, wax_lua_compiled, wax_proxy_passing) -> */
static int examine(lua_State *L) {
  wax_lua_compiled *compiled = lua_touserdata(L, 2);
  bool is_read = lua_type(L, 1) == LUA_TFUNCTION && !lua_iscfunction(L, 1) &&
                 (lua_pushvalue(L, 1), wax_lua_dump(L, true, compiled));
  code code = {.bytes = compiled->bytes, .size = compiled->count};
  if (is_read) *(wax_proxy_passing *)lua_touserdata(L, 3) = passing_in(L, 1, &code);
  return 0;
}

wax_proxy_passing wax_proxy_find_passing(wax_lua_state *state, int reference) {
  lua_State *L = state->main;
  wax_lua_compiled compiled = {NULL, 0};
  wax_proxy_passing result = {0, 0, false, 0};
  if (!lua_checkstack(L, 8)) return result;
  lua_pushcfunction(L, examine);
  lua_rawgeti(L, LUA_REGISTRYINDEX, reference);
  lua_pushlightuserdata(L, &compiled);
  lua_pushlightuserdata(L, &result);
  if (lua_pcall(L, 3, 0, 0) != LUA_OK) {
    lua_pop(L, 1);
    result = (wax_proxy_passing){0, 0, false, 0};
  }
  free(compiled.bytes);
  return result;
}
