/* SPDX-License-Identifier: MIT
 *
 * How Lua 5.4 lays out functions and their calls: lobject.h, lstate.h; which instruction has made
 * the value in a register: getobjname in ldebug.c.
 *
 * Lua names the variable in an error of its own, but not where a metamethod raises it: nil has one,
 * which names the key, and so have proxies. The layout has been the same in all versions of 5.4. It
 * is compared with what the functions say, once in a process: where it is another one, no variable
 * is named. */
#include "wax_lua_operand.h"

#include <lauxlib.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "wax_lua_opcodes.h"
#include "wax_lua_sequence.h"

typedef struct proto {
  void *next;
  uint8_t type, mark;
  uint8_t parameter_count, is_vararg, register_count;
  int upvalue_count, constant_count, instruction_count;
  int line_count, function_count, local_count, line_base_count, first_line, last_line;
  const wax_lua_raw_value *constants;
  const uint32_t *instructions;
} proto;

typedef struct closure {
  void *next;
  uint8_t type, mark, upvalue_count;
  void *gray_list;
  const proto *proto;
} closure;

typedef struct call {
  void *function, *top, *previous, *next;
  const uint32_t *next_instruction;
} call;

/* The contents of a string follow it. */
#define STRING_HEAD 24
#define IS_STRING(tag) (((tag)&0x0f) == LUA_TSTRING)

typedef struct parts {
  unsigned op, a, b, c;
  bool k;
  int jump;
} parts;

static parts parts_of(uint32_t word) {
  return (parts){word & 0x7f, word >> 7 & 0xff,      word >> 16 & 0xff,
                 word >> 24,  (word >> 15 & 1) != 0, (int)(word >> 7) - 0xffffff};
}

/* The Lua function that is being looked at. It is on top of the stack. */
typedef struct place {
  lua_State *L;
  lua_Debug ar;
  const proto *proto;
  int at; /* the instruction that runs */
} place;

/* [-0, +(0|1), -]  The function that called the C function which runs; true: it is pushed. */
static bool find_place(lua_State *L, place *place) {
  place->L = L;
  if (!lua_getstack(L, 1, &place->ar)) return false;
  lua_getinfo(L, "f", &place->ar);
  const closure *closure = lua_iscfunction(L, -1) ? NULL : lua_topointer(L, -1);
  const call *call = (const void *)place->ar.i_ci;
  if (closure && call) {
    place->proto = closure->proto;
    intptr_t at = call->next_instruction - place->proto->instructions - 1;
    place->at = (int)at;
    if (at >= 0 && at < place->proto->instruction_count) return true;
  }
  lua_pop(L, 1);
  return false;
}

static parts parts_at(const place *place, int at) {
  return parts_of(place->proto->instructions[at]);
}

/* {==================================================================
** Names
** =================================================================== */

static bool set(wax_lua_operand_name *name, const char *kind, const char *text) {
  return snprintf(name->text, sizeof name->text, "%s '%.64s'", kind, text) > 0;
}

static const char *constant(const place *place, unsigned index) {
  if (index >= (unsigned)place->proto->constant_count) return NULL;
  const wax_lua_raw_value *value = &place->proto->constants[index];
  if (!IS_STRING(value->tag)) return NULL;
  return (const char *)(uintptr_t)value->integer + STRING_HEAD;
}

/* The name that the function has for a register now, or NULL. */
static const char *local(place *place, unsigned number) {
  const char *name = lua_getlocal(place->L, &place->ar, (int)number + 1);
  if (!name) return NULL;
  lua_pop(place->L, 1);
  return *name == '(' ? NULL : name;
}

static const char *upvalue(place *place, unsigned number) {
  const char *name = lua_getupvalue(place->L, -1, (int)number + 1);
  if (!name) return NULL;
  lua_pop(place->L, 1);
  return *name ? name : NULL;
}

static const char *field_kind(const char *table) {
  return table && !strcmp(table, "_ENV") ? "global" : "field";
}

/* }================================================================== */

/* {==================================================================
** Registers
** =================================================================== */

static bool sets_register(const parts *parts) {
  unsigned op = parts->op;
  if (op == OP_SETUPVAL || (op >= OP_SETTABUP && op <= OP_SETFIELD)) return false;
  if (op >= OP_MMBIN && op <= OP_MMBINK) return false;
  if (op >= OP_CLOSE && op <= OP_TEST) return false;
  if (op >= OP_RETURN && op <= OP_RETURN1) return false;
  return op != OP_TFORPREP && op != OP_TFORCALL && op != OP_SETLIST && op != OP_EXTRAARG;
}

static bool changes(const parts *parts, unsigned number) {
  switch (parts->op) {
    case OP_LOADNIL: return parts->a <= number && number <= parts->a + parts->b;
    case OP_TFORCALL: return number >= parts->a + 2;
    case OP_CALL:
    case OP_TAILCALL: return number >= parts->a;
    default: return sets_register(parts) && parts->a == number;
  }
}

/* The instruction before `end` that has set the register whichever way the code has gone; -1: none.
 */
static int setter(const place *place, int end, unsigned number) {
  int found = -1, target = 0;
  parts last = parts_at(place, end);
  if (last.op >= OP_MMBIN && last.op <= OP_MMBINK && end > 0) end--;
  for (int i = 0; i < end; i++) {
    parts parts = parts_at(place, i);
    if (parts.op == OP_JMP) {
      int to = i + 1 + parts.jump;
      if (to <= end && to > target) target = to;
    } else if (changes(&parts, number)) {
      found = i < target ? -1 : i;
    }
  }
  return found;
}

static bool name_register(place *place, unsigned number, wax_lua_operand_name *name) {
  const char *own = local(place, number);
  if (own) return set(name, "local", own);
  int at = setter(place, place->at, number);
  if (at < 0) return false;
  parts parts = parts_at(place, at);
  const char *text = NULL;
  switch (parts.op) {
    case OP_MOVE:
      text = parts.b < parts.a ? local(place, parts.b) : NULL;
      return text && set(name, "local", text);
    case OP_GETUPVAL: text = upvalue(place, parts.b); return text && set(name, "upvalue", text);
    case OP_GETTABUP:
      text = constant(place, parts.c);
      return text && set(name, field_kind(upvalue(place, parts.b)), text);
    case OP_GETFIELD:
      text = constant(place, parts.c);
      return text && set(name, field_kind(local(place, parts.b)), text);
    case OP_SELF:
      text = parts.k ? constant(place, parts.c) : NULL;
      return text && set(name, "method", text);
    default: return false;
  }
}

/* }================================================================== */

static bool name_indexed(place *place, const parts *parts, wax_lua_operand_name *name) {
  switch (parts->op) {
    case OP_GETTABUP:
    case OP_SETTABUP: {
      const char *text = upvalue(place, parts->op == OP_GETTABUP ? parts->b : parts->a);
      return text && set(name, "upvalue", text);
    }
    case OP_GETTABLE:
    case OP_GETI:
    case OP_GETFIELD:
    case OP_SELF: return name_register(place, parts->b, name);
    case OP_SETTABLE:
    case OP_SETI:
    case OP_SETFIELD: return name_register(place, parts->a, name);
    default: return false;
  }
}

static bool name_operand(place *place, const parts *parts, bool is_right,
                         wax_lua_operand_name *name) {
  switch (parts->op) {
    case OP_MMBIN: return name_register(place, is_right ? parts->b : parts->a, name);
    case OP_MMBINI:
    case OP_MMBINK:
      /* The constant is on the left if k says so. */
      return is_right == parts->k && name_register(place, parts->a, name);
    case OP_UNM:
    case OP_BNOT:
    case OP_LEN: return name_register(place, parts->b, name);
    case OP_CONCAT:
      return parts->b == 2 && name_register(place, parts->a + (is_right ? 1 : 0), name);
    case OP_EQ:
    case OP_EQ + 1: /* OP_LT */
    case OP_EQ + 2: /* OP_LE */ return name_register(place, is_right ? parts->b : parts->a, name);
    default: return false;
  }
}

static bool find(lua_State *L, wax_lua_operand operand, wax_lua_operand_name *name) {
  place place;
  if (!find_place(L, &place)) return false;
  parts parts = parts_at(&place, place.at);
  bool is_found = operand == WAX_LUA_OPERAND_INDEXED
                      ? name_indexed(&place, &parts, name)
                      : name_operand(&place, &parts, operand == WAX_LUA_OPERAND_RIGHT, name);
  lua_pop(L, 1);
  return is_found;
}

/* {==================================================================
** Whether the layout is this one
** =================================================================== */

/* As nil's `__index`: (value, key) -> name, or false. */
static int name_sample(lua_State *L) {
  wax_lua_operand_name name;
  if (find(L, WAX_LUA_OPERAND_INDEXED, &name))
    lua_pushstring(L, name.text);
  else
    lua_pushboolean(L, 0);
  return 1;
}

static int compare(lua_State *L) {
  lua_pushnil(L);
  lua_createtable(L, 0, 1);
  lua_pushcfunction(L, name_sample);
  lua_setfield(L, -2, "__index");
  lua_setmetatable(L, -2);
  if (luaL_loadstring(L, "local one, other = ... return one.first, other.second.third"))
    return lua_error(L);
  lua_pushnil(L);
  lua_newtable(L);
  lua_call(L, 2, 2);
  lua_pushboolean(L, lua_isstring(L, -2) && lua_isstring(L, -1) &&
                         !strcmp(lua_tostring(L, -2), "local 'one'") &&
                         !strcmp(lua_tostring(L, -1), "field 'second'"));
  return 1;
}

static bool is_known;

static void look(void) { is_known = wax_lua_layout_holds(compare); }

/* }================================================================== */

bool wax_lua_find_operand_name(lua_State *L, wax_lua_operand operand, wax_lua_operand_name *name) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, look);
  return is_known && lua_checkstack(L, 3) && find(L, operand, name);
}
