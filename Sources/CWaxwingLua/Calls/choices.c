/* SPDX-License-Identifier: MIT */

#include "wax_call_choices.h"

#include <stdatomic.h>

#include "wax_proxy.h"

static _Atomic int64_t current_epoch = 1;

void wax_call_forget_choices(void) {
  atomic_fetch_add_explicit(&current_epoch, 1, memory_order_release);
}

int64_t wax_call_choices_epoch(void) {
  return atomic_load_explicit(&current_epoch, memory_order_acquire);
}

/* {==================================================================
** Kinds
** =================================================================== */

/* The bytes of the character that starts with `first`, and the least second byte and the greatest;
   0: it starts none. */
static inline int character_length(unsigned char first, unsigned char *least, unsigned char *most) {
  *least = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
  *most = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
  if (first < 0x80) return 1;
  if (first < 0xc2) return 0;
  return first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
}

/* Whether it can be a Swift string: other strings may mean another function. */
static bool is_text(const char *text, size_t count) {
  if (wax_lua_is_ascii(text, count)) return true;
  const unsigned char *byte = (const unsigned char *)text, *end = byte + count;
  while (byte < end) {
    unsigned char least, most;
    int length = character_length(*byte, &least, &most);
    if (!length || end - byte < length) return false;
    if (length > 1 && (byte[1] < least || byte[1] > most)) return false;
    for (int i = 2; i < length; i++)
      if ((byte[i] & 0xc0) != 0x80) return false;
    byte += length;
  }
  return true;
}

static inline bool has_integer(const wax_call_kind *kind, int64_t integer) {
  return integer >= kind->low && integer <= kind->high;
}

static inline bool has_number(const wax_call_kind *kind, double number) {
  return number >= kind->least && number <= kind->most; /* NaN is not */
}

/* The type of the value that a proxy holds; NULL: it is none with a kind. */
static inline const void *held_type(const wax_proxy *proxy) {
  return proxy->kind == WAX_PROXY_KIND_VALUE && proxy->pointer ? proxy->type : NULL;
}

bool wax_call_read_kind(const wax_lua_buffer *buffer, const wax_lua_value *value,
                        wax_call_kind *kind) {
  *kind =
      (wax_call_kind){value->tag, NULL, INT64_MIN, INT64_MAX, -__builtin_inf(), __builtin_inf()};
  switch (value->tag) {
    case WAX_LUA_VALUE_NIL:
    case WAX_LUA_VALUE_BOOLEAN:
    case WAX_LUA_VALUE_INTEGER:
    case WAX_LUA_VALUE_FUNCTION: return true;
    case WAX_LUA_VALUE_NUMBER: return value->number == value->number;
    case WAX_LUA_VALUE_STRING:
    case WAX_LUA_VALUE_BYTES:
      kind->tag = WAX_LUA_VALUE_STRING;
      return is_text(wax_lua_value_bytes(buffer, value), value->count);
    case WAX_LUA_VALUE_OBJECT:
      if (value->pointer) kind->type = *(const void *const *)value->pointer;
      return kind->type != NULL;
    case WAX_LUA_VALUE_PROXY: kind->type = held_type(value->pointer); return kind->type != NULL;
    case WAX_LUA_VALUE_METATYPE: kind->type = value->pointer; return kind->type != NULL;
    default: return false;
  }
}

static bool is_value(const wax_lua_buffer *buffer, const wax_lua_value *value,
                     const wax_call_kind *kind) {
  switch (value->tag) {
    case WAX_LUA_VALUE_NIL:
    case WAX_LUA_VALUE_BOOLEAN:
    case WAX_LUA_VALUE_FUNCTION: return kind->tag == value->tag;
    case WAX_LUA_VALUE_INTEGER: return kind->tag == value->tag && has_integer(kind, value->integer);
    case WAX_LUA_VALUE_NUMBER: return kind->tag == value->tag && has_number(kind, value->number);
    case WAX_LUA_VALUE_STRING:
    case WAX_LUA_VALUE_BYTES:
      return kind->tag == WAX_LUA_VALUE_STRING &&
             is_text(wax_lua_value_bytes(buffer, value), value->count);
    case WAX_LUA_VALUE_OBJECT:
      return kind->tag == value->tag && kind->type == *(const void *const *)value->pointer;
    case WAX_LUA_VALUE_PROXY:
      return kind->tag == value->tag && kind->type == held_type(value->pointer);
    case WAX_LUA_VALUE_METATYPE: return kind->tag == value->tag && kind->type == value->pointer;
    default: return false;
  }
}

static bool is_text_at(lua_State *L, int index) {
  size_t count;
  const char *text = lua_tolstring(L, index, &count);
  return is_text(text, count);
}

static bool is_proxy_at(lua_State *L, int index, const wax_call_kind *kind) {
  const wax_proxy *proxy = wax_proxy_to_proxy(L, index);
  if (!proxy) return false;
  if (kind->tag == WAX_LUA_VALUE_PROXY) return held_type(proxy) == kind->type;
  return proxy->kind == WAX_PROXY_KIND_OBJECT && *(const void **)proxy->pointer == kind->type;
}

static bool is_at(lua_State *L, int index, const wax_call_kind *kind) {
  switch (lua_type(L, index)) {
    case LUA_TNIL: return kind->tag == WAX_LUA_VALUE_NIL;
    case LUA_TBOOLEAN: return kind->tag == WAX_LUA_VALUE_BOOLEAN;
    case LUA_TNUMBER:
      if (lua_isinteger(L, index))
        return kind->tag == WAX_LUA_VALUE_INTEGER && has_integer(kind, lua_tointeger(L, index));
      return kind->tag == WAX_LUA_VALUE_NUMBER && has_number(kind, lua_tonumber(L, index));
    case LUA_TSTRING: return kind->tag == WAX_LUA_VALUE_STRING && is_text_at(L, index);
    case LUA_TFUNCTION: /* one of C's may stand for a closure of Swift's, which Swift looks at */
      return kind->tag == WAX_LUA_VALUE_FUNCTION && !lua_iscfunction(L, index);
    case LUA_TUSERDATA: return is_proxy_at(L, index, kind);
    default: return false;
  }
}

/* }================================================================== */

/* {==================================================================
** Choices
** =================================================================== */

/* Drops what was noted before conformances or classes changed. */
static inline void refresh(wax_call_choices *choices) {
  int64_t epoch = wax_call_choices_epoch();
  if (__builtin_expect(choices->epoch == epoch, 1)) return;
  choices->epoch = epoch;
  choices->count = choices->next = 0;
}

uint32_t wax_call_note_choice(wax_call_choices *choices, const wax_call_choice *choice) {
  refresh(choices);
  uint32_t index = choices->count;
  if (index < WAX_CALL_MAX_CHOICES) {
    choices->count++;
  } else {
    index = choices->next;
    choices->next = (index + 1) % WAX_CALL_MAX_CHOICES;
  }
  choices->choices[index] = *choice;
  return index;
}

static bool are_values(const wax_lua_buffer *arguments, const wax_call_choice *choice) {
  for (uint32_t i = 0; i < choice->count; i++)
    if (!is_value(arguments, &arguments->values[i], &choice->kinds[i])) return false;
  return true;
}

int wax_call_find_choice(wax_call_choices *choices, const wax_lua_buffer *arguments, int count) {
  refresh(choices);
  if (arguments->count != (uint32_t)count) return -1; /* there are tables */
  for (uint32_t i = 0; i < choices->count; i++) {
    const wax_call_choice *choice = &choices->choices[i];
    if (choice->count == arguments->count && are_values(arguments, choice)) return (int)i;
  }
  return -1;
}

static bool are_at(lua_State *L, const wax_call_choice *choice) {
  for (uint32_t i = 0; i < choice->count; i++)
    if (!is_at(L, (int)i + 1, &choice->kinds[i])) return false;
  return true;
}

int wax_call_run_choice(lua_State *L, void *plan, int argument_count) {
  wax_call_choices *choices = plan;
  refresh(choices);
  for (uint32_t i = 0; i < choices->count; i++) {
    const wax_call_choice *choice = &choices->choices[i];
    if ((int)choice->count != argument_count || !are_at(L, choice)) continue;
    return choice->direct ? choice->direct(L, choice->direct_plan, argument_count) : -1;
  }
  return -1;
}

/* }================================================================== */
