/* SPDX-License-Identifier: MIT
 *
 * Whether a Lua function can keep what it sees: read from its code.
 *
 * A function can keep a value by storing it, in a table, an upvalue or a closure, or by giving it
 * to another function that does. One whose code stores nothing and calls nothing but originals
 * keeps nothing; what it saw can be let go when its call ends, as it would be without it. It may
 * call them by pcall, raise errors, choose among results, and count: a variable around it gets what
 * is calculated of constants and such variables, as long as there are no tables, functions or
 * proxies in them. The code comes from `lua_dump`, in the format of Lua 5.4 (ldump.c, lopcodes.h):
 * what is of another format, or not understood, may keep everything. */
#include "wax_proxy_keeping.h"

#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

#include "wax_lua_call_private.h"
#include "wax_proxy_bytecode.h"
#include "wax_proxy_private.h"

static bool is_plain(unsigned op) {
  return (op >= 1 && op <= OP_GETUPVAL && op != 4) || op == OP_MOVE || op == OP_GETFIELD ||
         (op >= 21 && op <= 53) || (op >= OP_JMP && op <= OP_TESTSET) ||
         (op >= OP_RETURN && op <= OP_FORPREP) || op == OP_VARARG || op == OP_VARARGPREP;
}

/* What is known of the value in a register. */
typedef enum content {
  CONTENT_ANYTHING,
  CONTENT_FUNCTION, /* an original, or another function that keeps nothing */
  CONTENT_PCALL,
  CONTENT_SCALAR /* a number or the like, as long as the function's variables have such values */
} content;

typedef struct walk {
  lua_State *L;
  int index; /* the function on the stack */
  const function *function;
  bool is_target[MAX_INSTRUCTIONS + 2];
  uint8_t contents[MAX_REGISTERS]; /* of type content */
  bool is_narrow;                  /* so far: see WAX_PROXY_KEEPING_NOTHING_CALLS_ORIGINALS */
  bool counts;                     /* so far: see WAX_PROXY_KEEPING_NOTHING_OF_SCALARS */
} walk;

static bool constant_is(const walk *walk, unsigned index, const char *name, bool is_prefix) {
  if (index >= walk->function->constant_count) return false;
  text text = walk->function->constants[index];
  size_t size = strlen(name);
  return text.start && (is_prefix ? text.size > size : text.size == size) &&
         !memcmp(text.start, name, size);
}

/* [-0, +0, -]  Of the table on top: whether it has what the engine's own code has by this name. */
static bool has_own(lua_State *L, const char *name) {
  lua_pushstring(L, name);
  lua_rawget(L, -2);
  lua_pushglobaltable(L);
  lua_pushstring(L, name);
  lua_rawget(L, -2);
  bool is_same = lua_iscfunction(L, -1) && lua_rawequal(L, -1, -3);
  lua_pop(L, 3);
  return is_same;
}

/* Whether the constant is the name of one of Lua's own functions that keep nothing. */
static bool names_harmless(const walk *walk, unsigned constant, const char **name) {
  static const char *const names[] = {"assert", "error", "rawequal", "select", "type"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    *name = names[i];
    if (constant_is(walk, constant, names[i], false)) return true;
  }
  return false;
}

/* What the script's globals have by the name, if the upvalue is the globals. */
static content global(const walk *walk, unsigned upvalue, unsigned constant) {
  lua_State *L = walk->L;
  const char *name = lua_getupvalue(L, walk->index, (int)upvalue + 1);
  if (!name) return CONTENT_ANYTHING;
  content result = CONTENT_ANYTHING;
  if (strcmp(name, "_ENV") != 0 || lua_type(L, -1) != LUA_TTABLE) {
    result = CONTENT_ANYTHING;
  } else if (constant_is(walk, constant, "original", false)) {
    lua_pushliteral(L, "original");
    lua_rawget(L, -2);
    if (wax_lua_is_original(L, -1)) result = CONTENT_FUNCTION;
    lua_pop(L, 1);
  } else if (constant_is(walk, constant, "pcall", false)) {
    if (has_own(L, "pcall")) result = CONTENT_PCALL;
  } else if (names_harmless(walk, constant, &name) && has_own(L, name)) {
    result = CONTENT_FUNCTION;
  }
  lua_pop(L, 1);
  return result;
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

/* The parts of an instruction. */
typedef struct parts {
  unsigned op, a, b, c;
  bool k;
} parts;

/* Whether an instruction leads to nothing but the originals of the first argument's own methods. */
static bool is_narrow(const walk *walk, const parts *parts) {
  unsigned op = parts->op;
  if (op == OP_GETTABUP || op == OP_VARARG || op == OP_VARARGPREP || op == OP_GETUPVAL)
    return false;
  if (op == OP_GETFIELD && !constant_is(walk, parts->c, "ORIG", true)) return false;
  if ((op == OP_SELF || op == OP_GETFIELD) && parts->b != 0) return false;
  return !replaces_first(op, parts->a);
}

/* Whether what is called in register `a` keeps nothing of its arguments. */
static bool call_keeps_nothing(const walk *walk, unsigned a, unsigned b) {
  uint8_t content = walk->contents[a];
  if (content == CONTENT_PCALL)
    return b != 1 && a + 1 < MAX_REGISTERS && walk->contents[a + 1] == CONTENT_FUNCTION;
  return content == CONTENT_FUNCTION;
}

/* What an instruction that only loads or calculates leaves in its register. */
static content loaded(const walk *walk, const parts *parts) {
  unsigned op = parts->op;
  if (op == OP_MOVE) return walk->contents[parts->b];
  if (op == OP_LOADI || op == OP_LOADF || op == OP_LOADK || op == OP_GETUPVAL)
    return CONTENT_SCALAR;
  if (op < OP_ADDI || op > OP_SHR || walk->contents[parts->b] != CONTENT_SCALAR)
    return CONTENT_ANYTHING;
  return op <= OP_SHLI || walk->contents[parts->c] == CONTENT_SCALAR ? CONTENT_SCALAR
                                                                     : CONTENT_ANYTHING;
}

/* Whether an instruction keeps nothing. */
static bool follow(walk *walk, uint32_t word) {
  parts parts = {word & 0x7f, word >> 7 & 0xff, word >> 16 & 0xff, word >> 24, word >> 15 & 1};
  unsigned a = parts.a;
  if (!is_narrow(walk, &parts)) walk->is_narrow = false;
  switch (parts.op) {
    case OP_SELF: {
      bool is_original = parts.k && constant_is(walk, parts.c, "ORIG", true);
      walk->contents[a] = is_original ? CONTENT_FUNCTION : CONTENT_ANYTHING;
      if (a + 1 < MAX_REGISTERS) walk->contents[a + 1] = CONTENT_ANYTHING;
      return is_original;
    }
    case OP_GETFIELD: {
      bool is_original = constant_is(walk, parts.c, "ORIG", true);
      walk->contents[a] = is_original ? CONTENT_FUNCTION : CONTENT_ANYTHING;
      return true;
    }
    case OP_GETTABUP:
      walk->contents[a] = (uint8_t)global(walk, parts.b, parts.c);
      return walk->contents[a] != CONTENT_ANYTHING;
    case OP_CALL:
    case OP_TAILCALL: {
      bool keeps_nothing = call_keeps_nothing(walk, a, parts.b);
      memset(walk->contents + a, CONTENT_ANYTHING, MAX_REGISTERS - a); /* results */
      return keeps_nothing;
    }
    case OP_LOADNIL:
    case OP_VARARG: memset(walk->contents + a, CONTENT_ANYTHING, MAX_REGISTERS - a); return true;
    case OP_SETUPVAL: walk->counts = true; return walk->contents[a] == CONTENT_SCALAR;
    case OP_MMBIN:
    case OP_MMBINI:
    case OP_MMBINK: return true; /* of what has been calculated before */
    default:
      if (parts.op == OP_GETUPVAL) walk->counts = true;
      walk->contents[a] = (uint8_t)loaded(walk, &parts);
      return is_plain(parts.op);
  }
}

static bool keeps_nothing(walk *walk) {
  mark_targets(walk);
  for (size_t i = 0; i < walk->function->count; i++) {
    if (walk->is_target[i]) memset(walk->contents, CONTENT_ANYTHING, sizeof walk->contents);
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
    memset(walk->contents, CONTENT_ANYTHING, sizeof walk->contents);
    walk->is_narrow = true;
    walk->counts = false;
    if (keeps_nothing(walk))
      result = walk->counts      ? WAX_PROXY_KEEPING_NOTHING_OF_SCALARS
               : walk->is_narrow ? WAX_PROXY_KEEPING_NOTHING_CALLS_ORIGINALS
                                 : WAX_PROXY_KEEPING_NOTHING;
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

/* [-0, +0, -]  Whether the variables around the function have neither tables nor functions nor
   proxies, but for the globals. */
static bool has_scalars_only(lua_State *L, int reference) {
  int top = lua_gettop(L);
  bool result = true;
  lua_rawgeti(L, LUA_REGISTRYINDEX, reference);
  for (int i = 1; result; i++) {
    const char *name = lua_getupvalue(L, top + 1, i);
    if (!name) break;
    int type = lua_type(L, -1);
    bool is_scalar =
        type == LUA_TNUMBER || type == LUA_TNIL || type == LUA_TBOOLEAN || type == LUA_TSTRING;
    result = is_scalar || (type == LUA_TTABLE && !strcmp(name, "_ENV"));
    lua_settop(L, top + 1);
  }
  lua_settop(L, top);
  return result;
}

bool wax_proxy_keeps_nothing(lua_State *L, int reference, wax_proxy_keeping keeping) {
  if (keeping != WAX_PROXY_KEEPING_NOTHING_OF_SCALARS) return keeping != WAX_PROXY_KEEPING_ANYTHING;
  return has_scalars_only(L, reference);
}
