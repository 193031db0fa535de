/* SPDX-License-Identifier: MIT
 *
 * Whether a Lua function can keep what it sees: read from its code.
 *
 * A function can keep a value by storing it, in a table, an upvalue or a closure, or by giving it
 * to another function that does. One whose code stores nothing that it saw, and calls nothing but
 * originals, keeps nothing; what it saw can be let go when its call ends, as it would be without
 * it. It may call originals by pcall, raise errors, choose among results, put values into tables of
 * its own, and count: what it reads of the variables and tables around it, and what it calculates
 * of that and of constants, it may store there. Those are its places. No code of others may run
 * meanwhile: when a call begins, the tables that it looks into have no metatables, and what it
 * calculates with are numbers and the like. The code comes from `lua_dump`, in the format of Lua
 * 5.4 (ldump.c, lopcodes.h): what is of another format, or not understood, may keep everything. */
#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

#include "wax_proxy_keeping.h"
#include "wax_proxy_keeping_private.h"
#include "wax_proxy_private.h"

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

/* {==================================================================
** Places
** =================================================================== */

static bool is_place(uint8_t content) { return content >= CONTENT_PLACE; }

static bool is_same(const place *one, const place *other) {
  if (one->parent != other->parent || one->upvalue != other->upvalue) return false;
  if (one->name.size != other->name.size || !one->name.start != !other->name.start) return false;
  return !one->name.start || !memcmp(one->name.start, other->name.start, one->name.size);
}

/* CONTENT_ANYTHING: there are too many. */
static uint8_t find_place(walk *walk, const place *wanted) {
  finding *found = walk->found;
  for (size_t i = 0; i < found->place_count; i++)
    if (is_same(&found->places[i], wanted)) return (uint8_t)(CONTENT_PLACE + i);
  if (found->place_count == MAX_PLACES) {
    walk->is_lost = true;
    return CONTENT_ANYTHING;
  }
  found->places[found->place_count] = *wanted;
  return (uint8_t)(CONTENT_PLACE + found->place_count++);
}

static place *place_of(const walk *walk, uint8_t content) {
  return &walk->found->places[content - CONTENT_PLACE];
}

static uint8_t variable(walk *walk, unsigned upvalue) {
  const char *name = lua_getupvalue(walk->L, walk->index, (int)upvalue + 1);
  if (!name) return CONTENT_ANYTHING;
  bool is_environment = !strcmp(name, "_ENV") && lua_type(walk->L, -1) == LUA_TTABLE;
  lua_pop(walk->L, 1);
  place wanted = {.parent = -1, .upvalue = (uint8_t)upvalue, .is_environment = is_environment};
  return find_place(walk, &wanted);
}

/* What a table in a place has by a name. */
static uint8_t member(walk *walk, uint8_t table, text name) {
  if (!is_place(table)) return CONTENT_ANYTHING;
  place_of(walk, table)->is_table = true;
  place wanted = {.parent = (int16_t)(table - CONTENT_PLACE), .name = name};
  return find_place(walk, &wanted);
}

static text constant(const walk *walk, unsigned index) {
  if (index < walk->function->constant_count) return walk->function->constants[index];
  return (text){NULL, 0};
}

/* A register's value is calculated with: metamethods would run. */
static void use_scalar(walk *walk, unsigned at) {
  uint8_t content = at < MAX_REGISTERS ? walk->contents[at] : CONTENT_ANYTHING;
  if (is_place(content)) place_of(walk, content)->is_scalar = true;
}

static bool is_scalar(const walk *walk, unsigned at) {
  uint8_t content = at < MAX_REGISTERS ? walk->contents[at] : CONTENT_ANYTHING;
  return content == CONTENT_SCALAR || content == CONTENT_NAME || is_place(content);
}

/* }================================================================== */

/* Whether the constant is the name of one of Lua's functions that neither keep nor call anything.
 */
static bool names_library(const walk *walk, text table, unsigned index, bool *gives_text) {
  static const char *const strings[] = {"byte",  "char", "find",    "format", "len",   "lower",
                                        "match", "rep",  "reverse", "sub",    "upper", NULL};
  static const char *const tables[] = {"concat", "pack", "unpack", NULL};
  *gives_text = true;
  if (table.size == 4 && !memcmp(table.start, "math", 4)) return true;
  *gives_text = table.size == 6 && !memcmp(table.start, "string", 6);
  bool is_known = *gives_text || (table.size == 5 && !memcmp(table.start, "table", 5));
  for (const char *const *name = *gives_text ? strings : tables; is_known && *name; name++)
    if (constant_is(walk, index, *name, false)) return true;
  return false;
}

/* [-0, +0, -]  Whether the value on top is one of the prelude's functions that keep nothing. */
static bool is_harmless(lua_State *L) {
  int top = lua_gettop(L);
  bool result = false;
  lua_pushglobaltable(L);
  lua_pushliteral(L, "waxwing.harmless");
  if (lua_rawget(L, -2) == LUA_TTABLE)
    for (lua_Integer i = 1; !result && lua_rawgeti(L, top + 2, i) != LUA_TNIL; i++) {
      result = lua_rawequal(L, top, -1);
      lua_settop(L, top + 2);
    }
  lua_settop(L, top);
  return result;
}

/* [-0, +1, -]  Pushes what the table on top has by a name. */
static void push_raw(lua_State *L, text name) {
  lua_pushlstring(L, name.start, name.size);
  lua_rawget(L, -2);
}

/* [-0, +0, -]  What a table of the globals has by a name, if that is a function of Lua's or of the
   prelude's that keeps nothing. */
static uint8_t library(const walk *walk, const place *table, unsigned index) {
  lua_State *L = walk->L;
  text name = constant(walk, index);
  if (table->parent < 0 || !table->name.start || !name.start) return CONTENT_ANYTHING;
  const place *globals = &walk->found->places[table->parent];
  if (!globals->is_environment) return CONTENT_ANYTHING;
  int top = lua_gettop(L);
  uint8_t result = CONTENT_ANYTHING;
  bool gives_text = false;
  lua_getupvalue(L, walk->index, globals->upvalue + 1);
  push_raw(L, table->name);
  if (lua_istable(L, -1)) {
    push_raw(L, name);
    int function = lua_gettop(L);
    lua_pushglobaltable(L);
    push_raw(L, table->name);
    bool is_own = lua_istable(L, -1) && names_library(walk, table->name, index, &gives_text) &&
                  (push_raw(L, name), lua_iscfunction(L, -1)) && lua_rawequal(L, -1, function);
    if (is_own) result = gives_text ? CONTENT_TEXT : CONTENT_LIBRARY;
    lua_settop(L, function);
    if (is_harmless(L)) result = CONTENT_TEXT;
  }
  lua_settop(L, top);
  return result;
}

/* What reading a field of a place gives. */
static uint8_t field_of_place(walk *walk, uint8_t base, unsigned index) {
  if (!is_place(base)) return CONTENT_ANYTHING;
  uint8_t function = library(walk, place_of(walk, base), index);
  if (function != CONTENT_ANYTHING) return function;
  if (!constant_is(walk, index, "ORIG", true)) return member(walk, base, constant(walk, index));
  place_of(walk, base)->is_type_object = true;
  return CONTENT_FUNCTION;
}

/* What a variable around the function has by the name: the script's globals, or another table. */
static uint8_t global(walk *walk, unsigned upvalue, unsigned index) {
  uint8_t base = variable(walk, upvalue);
  if (!is_place(base) || !place_of(walk, base)->is_environment)
    return field_of_place(walk, base, index);
  lua_State *L = walk->L;
  const char *name = NULL;
  int top = lua_gettop(L);
  uint8_t result = CONTENT_ANYTHING;
  lua_getupvalue(L, walk->index, (int)upvalue + 1);
  if (constant_is(walk, index, "original", false)) {
    push_raw(L, constant(walk, index));
    if (wax_lua_is_original(L, -1)) result = CONTENT_FUNCTION;
  } else if (constant_is(walk, index, "pcall", false)) {
    if (has_own(L, "pcall")) result = CONTENT_PCALL;
  } else if (names_harmless(walk, index, &name) && has_own(L, name)) {
    result = CONTENT_FUNCTION;
  } else if (constant(walk, index).start) {
    push_raw(L, constant(walk, index));
    if (is_harmless(L)) result = CONTENT_TEXT;
  }
  lua_settop(L, top);
  return result == CONTENT_ANYTHING ? field_of_place(walk, base, index) : result;
}

/* Where an instruction may go on besides the next one; 0: nowhere. */
static size_t target_of(uint32_t word, size_t i) {
  unsigned op = word & 0x7f;
  if (op == OP_JMP) return i + 1 + (size_t)((int64_t)(word >> 7) - 0xffffff);
  if (op == OP_FORLOOP) return i + 1 - (word >> 15);
  if (op == OP_FORPREP) return i + 2 + (word >> 15);
  if (op == OP_LFALSESKIP || (op >= OP_EQ && op <= OP_TESTSET)) return i + 2;
  return 0;
}

/* Whether the next instruction is never reached from this one. */
static bool ends_here(unsigned op) {
  return op == OP_JMP || op == OP_LFALSESKIP || (op >= OP_RETURN && op <= OP_RETURN1);
}

static void mark_targets(walk *walk) {
  for (size_t i = 0; i < walk->function->count; i++) {
    size_t target = target_of(instruction(walk->function, i), i);
    if (target && target < walk->function->count) walk->is_target[target] = true;
  }
}

/* What is known of a value that is one of two. */
static uint8_t merged(walk *walk, uint8_t one, uint8_t other) {
  if (one == other) return one;
  uint8_t both[] = {one, other};
  bool is_scalar = true, is_name = one == CONTENT_NAME || other == CONTENT_NAME;
  for (size_t i = 0; i < 2; i++) {
    /* What is around the function is no table from here on. */
    if (is_place(both[i])) {
      place_of(walk, both[i])->is_scalar = true;
      place_of(walk, both[i])->is_name |= is_name;
    } else if (both[i] == CONTENT_SCALAR) {
      is_name = false;
    } else if (both[i] != CONTENT_NAME) {
      is_scalar = is_name = false;
    }
  }
  return is_name ? CONTENT_NAME : is_scalar ? CONTENT_SCALAR : CONTENT_ANYTHING;
}

/* The code at a target is reached with these contents, too. */
static void reach(walk *walk, size_t target) {
  if (target >= walk->function->count) return;
  uint8_t *known = walk->known + target * walk->function->registers;
  if (!walk->is_reached[target]) {
    walk->is_reached[target] = walk->changed = true;
    memcpy(known, walk->contents, walk->function->registers);
    return;
  }
  for (size_t i = 0; i < walk->function->registers; i++) {
    uint8_t both = merged(walk, known[i], walk->contents[i]);
    if (both != known[i]) walk->changed = true;
    known[i] = both;
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
  if (op == OP_VARARG || op == OP_VARARGPREP || (op >= OP_GETUPVAL && op <= OP_GETI) ||
      (op >= OP_SETTABUP && op <= OP_NEWTABLE) || op == OP_SETLIST)
    return false;
  if (op == OP_GETFIELD && !constant_is(walk, parts->c, "ORIG", true)) return false;
  if ((op == OP_SELF || op == OP_GETFIELD) && parts->b != 0) return false;
  return !replaces_first(op, parts->a);
}

/* Whether what is called in register `a` keeps nothing of its arguments. */
static bool call_keeps_nothing(walk *walk, unsigned a, unsigned b) {
  uint8_t content = walk->contents[a];
  unsigned first = a;
  if (content == CONTENT_PCALL) {
    if (b == 1 || a + 1 >= MAX_REGISTERS) return false;
    content = walk->contents[++first];
  }
  if (content == CONTENT_LIBRARY || content == CONTENT_TEXT) {
    unsigned end = b ? a + b : MAX_REGISTERS;
    for (unsigned i = first + 1; i < end && i < MAX_REGISTERS; i++) use_scalar(walk, i);
    return true;
  }
  return content == CONTENT_FUNCTION;
}

/* What reading a field of the value in register `b` gives. */
static uint8_t field(walk *walk, unsigned b, unsigned index) {
  uint8_t base = walk->contents[b];
  if (is_place(base)) return field_of_place(walk, base, index);
  bool is_original = base == CONTENT_ANYTHING && constant_is(walk, index, "ORIG", true);
  return is_original ? CONTENT_FUNCTION : CONTENT_ANYTHING;
}

/* The same by a key in register `c`. */
static uint8_t element(walk *walk, unsigned b, unsigned c) {
  uint8_t base = walk->contents[b], key = walk->contents[c];
  if (base != CONTENT_ANYTHING && !is_place(base)) return CONTENT_ANYTHING;
  if (is_place(key)) place_of(walk, key)->is_name = true;
  if (is_place(base)) {
    /* What a table has by other keys may be anything, with any metatable. */
    if (key != CONTENT_NAME && !is_place(key)) walk->is_lost = true;
    place_of(walk, base)->is_type_object = true;
  }
  return key == CONTENT_NAME || is_place(key) ? CONTENT_FUNCTION : CONTENT_ANYTHING;
}

/* Whether a value may be stored in what `table` is. */
static bool may_store(walk *walk, uint8_t table, unsigned value, bool is_constant) {
  if (!is_constant) use_scalar(walk, value);
  if (table == CONTENT_OWN) return true;
  if (!is_place(table)) return false;
  place_of(walk, table)->is_table = true;
  return is_constant || is_scalar(walk, value);
}

/* `"ORIG" .. name` */
static uint8_t joined(walk *walk, unsigned a, unsigned count) {
  uint8_t result = walk->contents[a] == CONTENT_NAME ? CONTENT_NAME : CONTENT_SCALAR;
  for (unsigned i = a; i < a + count; i++) {
    use_scalar(walk, i);
    if (!is_scalar(walk, i)) result = CONTENT_ANYTHING;
  }
  return result;
}

/* What an instruction that calculates leaves in its register. */
static uint8_t calculated(walk *walk, const parts *parts) {
  bool has_constant = parts->op <= OP_SHLI || parts->op > OP_SHR;
  bool is_known = is_scalar(walk, parts->b) && (has_constant || is_scalar(walk, parts->c));
  use_scalar(walk, parts->b);
  if (!has_constant) use_scalar(walk, parts->c);
  return is_known ? CONTENT_SCALAR : CONTENT_ANYTHING;
}

/* What an instruction that only loads leaves in its register. */
static uint8_t loaded(walk *walk, const parts *parts, uint32_t word) {
  switch (parts->op) {
    case OP_MOVE: return walk->contents[parts->b];
    case OP_GETUPVAL: return variable(walk, parts->b);
    case OP_GETTABUP: return global(walk, parts->b, parts->c);
    case OP_GETFIELD: return field(walk, parts->b, parts->c);
    case OP_GETTABLE: return element(walk, parts->b, parts->c);
    case OP_GETI: return member(walk, walk->contents[parts->b], (text){NULL, parts->c});
    case OP_LOADK: {
      bool is_name = constant_is(walk, word >> 15, "ORIG", true) ||
                     constant_is(walk, word >> 15, "ORIG", false);
      return is_name ? CONTENT_NAME : CONTENT_SCALAR;
    }
    case OP_NEWTABLE: return CONTENT_OWN;
    default: return CONTENT_SCALAR; /* a number, a boolean */
  }
}

/* Whether an instruction that stores keeps nothing that was seen. */
static bool follow_store(walk *walk, const parts *parts) {
  unsigned a = parts->a;
  switch (parts->op) {
    case OP_SETUPVAL: use_scalar(walk, a); return is_scalar(walk, a);
    case OP_SETTABUP: return may_store(walk, variable(walk, a), parts->c, parts->k);
    case OP_SETLIST: return walk->contents[a] == CONTENT_OWN;
    case OP_SETTABLE:
      use_scalar(walk, parts->b);
      if (walk->contents[a] != CONTENT_OWN && !is_scalar(walk, parts->b)) return false;
      return may_store(walk, walk->contents[a], parts->c, parts->k);
    default: return may_store(walk, walk->contents[a], parts->c, parts->k);
  }
}

/* Of those that neither load nor store. */
static bool follow_rest(walk *walk, const parts *parts) {
  unsigned a = parts->a;
  switch (parts->op) {
    case OP_LOADNIL: {
      size_t count = parts->b + 1u;
      if (a + count > MAX_REGISTERS) return false;
      memset(walk->contents + a, CONTENT_SCALAR, count);
      return true;
    }
    case OP_SELF: {
      bool is_original = parts->k && field(walk, parts->b, parts->c) == CONTENT_FUNCTION;
      uint8_t receiver = walk->contents[parts->b];
      walk->contents[a] = is_original ? CONTENT_FUNCTION : CONTENT_ANYTHING;
      if (a + 1 < MAX_REGISTERS) walk->contents[a + 1] = receiver;
      return is_original;
    }
    case OP_CALL:
    case OP_TAILCALL: {
      bool keeps_nothing = call_keeps_nothing(walk, a, parts->b);
      size_t texts = walk->contents[a] == CONTENT_TEXT && parts->c ? parts->c - 1u : 0;
      memset(walk->contents + a, CONTENT_ANYTHING, MAX_REGISTERS - a); /* results */
      if (a + texts <= MAX_REGISTERS) memset(walk->contents + a, CONTENT_SCALAR, texts);
      return keeps_nothing;
    }
    case OP_VARARG: memset(walk->contents + a, CONTENT_ANYTHING, MAX_REGISTERS - a); return true;
    case OP_EQ:
    case OP_LT:
    case OP_LE:
      use_scalar(walk, a);
      use_scalar(walk, parts->b);
      return true;
    case OP_TESTSET: walk->contents[a] = walk->contents[parts->b]; return true;
    case OP_EQK:
    case OP_EQI:
    case OP_TEST: return true; /* no metamethod is asked */
    case OP_FORPREP:
    case OP_FORLOOP:
      if (a + 3 >= MAX_REGISTERS) return false;
      walk->contents[a + 3] = CONTENT_SCALAR; /* other loops are errors */
      for (unsigned i = a; i < a + 3; i++) use_scalar(walk, i);
      return true;
    case OP_MMBIN:
    case OP_MMBINI:
    case OP_MMBINK: return true; /* of what has been calculated before */
    case OP_VARARGPREP:
    case OP_EXTRAARG:
    case OP_RETURN:
    case OP_RETURN0:
    case OP_RETURN1: return true;
    default:
      if (parts->op < OP_JMP || parts->op >= OP_TESTSET) return false;
      use_scalar(walk, a); /* a comparison with a constant */
      return true;
  }
}

/* Whether an instruction keeps nothing. */
static bool follow(walk *walk, uint32_t word) {
  parts parts = {word & 0x7f, word >> 7 & 0xff, word >> 16 & 0xff, word >> 24, word >> 15 & 1};
  unsigned op = parts.op;
  if (!is_narrow(walk, &parts)) walk->is_narrow = false;
  if (op == OP_JMP) return true;
  if (op == OP_SETUPVAL || (op >= OP_SETTABUP && op <= OP_SETFIELD) || op == OP_SETLIST)
    return follow_store(walk, &parts);
  if (op == OP_NOT)
    walk->contents[parts.a] = CONTENT_SCALAR;
  else if (op == OP_CONCAT)
    walk->contents[parts.a] = joined(walk, parts.a, parts.b);
  else if ((op >= OP_ADDI && op <= OP_SHR) || (op >= OP_UNM && op <= OP_LEN))
    walk->contents[parts.a] = calculated(walk, &parts);
  else if (op == OP_LOADNIL || op >= OP_SELF || op == 4)
    return follow_rest(walk, &parts);
  else
    walk->contents[parts.a] = loaded(walk, &parts, word);
  return true;
}

/* Until nothing new is known of what is in the registers where code comes together. */
bool wax_proxy_code_keeps_nothing(walk *walk) {
  mark_targets(walk);
  do {
    walk->changed = false;
    bool is_reached = true;
    memset(walk->contents, CONTENT_ANYTHING, sizeof walk->contents);
    for (size_t i = 0; i < walk->function->count; i++) {
      if (walk->is_target[i]) {
        if (is_reached) reach(walk, i);
        is_reached = walk->is_reached[i];
        if (is_reached)
          memcpy(walk->contents, walk->known + i * walk->function->registers,
                 walk->function->registers);
      }
      if (!is_reached) continue;
      uint32_t word = instruction(walk->function, i);
      size_t target = target_of(word, i);
      bool is_set_after = (word & 0x7f) == OP_TESTSET; /* where it goes on, and not at the target */
      if (is_set_after) reach(walk, target);
      if (!follow(walk, word) || walk->is_lost) return false;
      if (target && !is_set_after) reach(walk, target);
      is_reached = !ends_here(word & 0x7f);
    }
  } while (walk->changed);
  return true;
}
