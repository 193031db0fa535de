/* SPDX-License-Identifier: MIT */

#include "benchmark_subject.h"

#include <lauxlib.h>
#include <lualib.h>
#include <stdlib.h>
#include <string.h>

enum { LONG_TEXT = 4096, LIST_COUNT = 1000 };

struct benchmark_subject {
  lua_State *L;
  int function;
  bool checks_words;
};

/* What begins each userdata, and tells what it is without a look at its type. */
static const uint64_t subject_word = 0x7375626a6563740a;
static const uint64_t vector_word = 0x766563746f720a0a;

typedef struct subject {
  uint64_t word;
  int64_t stored;
  int64_t computed;
  char text[LONG_TEXT];
  int64_t list[LIST_COUNT];
  /* The last text and list that were passed. */
  char *kept_text;
  int64_t *kept_list;
  /* A reference to the function that was passed to be kept. */
  int kept_function;
} subject;

typedef struct vector {
  uint64_t word;
  double x, y, z;
} vector;

static const char *const subject_type = "subject";
static const char *const vector_type = "vector";
static const char *const small_type = "small";
static const char objects_key = 0;

/* Of the subject that runs. */
static bool checks_words;

/* [-0, +0, v]  The userdata at an index. */
static void *check(lua_State *L, int index, size_t size, uint64_t word, const char *type) {
  if (checks_words) {
    void *data = lua_touserdata(L, index);
    if (data && lua_rawlen(L, index) >= size && *(uint64_t *)data == word) return data;
  }
  return luaL_checkudata(L, index, type);
}

static subject *check_subject(lua_State *L) {
  return check(L, 1, sizeof(subject), subject_word, subject_type);
}

static int add(lua_State *L) {
  check_subject(L);
  lua_pushinteger(L, luaL_checkinteger(L, 2) + luaL_checkinteger(L, 3));
  return 1;
}

static int short_text(lua_State *L) {
  lua_pushlstring(L, check_subject(L)->text, 16);
  return 1;
}

static int long_text(lua_State *L) {
  lua_pushlstring(L, check_subject(L)->text, LONG_TEXT);
  return 1;
}

/* With a copy, as who keeps a string must make one. */
static int length(lua_State *L) {
  subject *self = check_subject(L);
  size_t length;
  const char *text = luaL_checklstring(L, 2, &length);
  char *copy = malloc(length + 1);
  if (!copy) abort();
  memcpy(copy, text, length + 1);
  free(self->kept_text);
  self->kept_text = copy;
  lua_pushinteger(L, (lua_Integer)length);
  return 1;
}

static int list(lua_State *L) {
  const subject *self = check_subject(L);
  lua_createtable(L, LIST_COUNT, 0);
  for (int i = 0; i < LIST_COUNT; i++) {
    lua_pushinteger(L, self->list[i]);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

static int last(lua_State *L) {
  subject *self = check_subject(L);
  luaL_checktype(L, 2, LUA_TTABLE);
  lua_Unsigned count = lua_rawlen(L, 2);
  int64_t *numbers = malloc((count + 1) * sizeof *numbers);
  if (!numbers) abort();
  for (lua_Unsigned i = 0; i < count; i++) {
    int is_integer;
    lua_rawgeti(L, 2, (lua_Integer)i + 1);
    numbers[i] = lua_tointegerx(L, -1, &is_integer);
    if (!is_integer) abort();
    lua_pop(L, 1);
  }
  free(self->kept_list);
  self->kept_list = numbers;
  lua_pushinteger(L, count ? numbers[count - 1] : 0);
  return 1;
}

static int push_vector(lua_State *L, const vector *value) {
  *(vector *)lua_newuserdatauv(L, sizeof(vector), 0) = *value;
  luaL_setmetatable(L, vector_type);
  return 1;
}

static int make_vector(lua_State *L) {
  check_subject(L);
  return push_vector(L, &(vector){vector_word, 1, 2, 3});
}

static int echo(lua_State *L) {
  check_subject(L);
  vector value = *(vector *)check(L, 2, sizeof(vector), vector_word, vector_type);
  return push_vector(L, &value);
}

/* With an entry in a table of all objects, weak in its values, which makes equal objects one. */
static int make(lua_State *L) {
  check_subject(L);
  void *object = malloc(24);
  if (!object) abort();
  lua_rawgetp(L, LUA_REGISTRYINDEX, &objects_key);
  if (lua_rawgetp(L, -1, object) == LUA_TNIL) {
    lua_pop(L, 1);
    *(void **)lua_newuserdatauv(L, sizeof object, 0) = object;
    luaL_setmetatable(L, small_type);
    lua_pushvalue(L, -1);
    lua_rawsetp(L, -3, object);
  }
  return 1;
}

static int collect_small(lua_State *L) {
  free(*(void **)lua_touserdata(L, 1));
  return 0;
}

/* Upvalue 1: a number. */
static int add_upvalue(lua_State *L) {
  lua_pushinteger(L, luaL_checkinteger(L, 1) + lua_tointeger(L, lua_upvalueindex(1)));
  return 1;
}

static int adder(lua_State *L) {
  check_subject(L);
  lua_pushinteger(L, luaL_checkinteger(L, 2));
  lua_pushcclosure(L, add_upvalue, 1);
  return 1;
}

static const char own_key = 0;

/* The same object each time, found in the table of all. */
static int own(lua_State *L) {
  check_subject(L);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &objects_key);
  if (lua_rawgetp(L, -1, &own_key) == LUA_TUSERDATA) return 1;
  lua_newuserdatauv(L, 16, 0);
  luaL_setmetatable(L, small_type);
  lua_pushvalue(L, -1);
  lua_rawsetp(L, -4, &own_key);
  return 1;
}

/* An error that is a userdata. */
static int fail(lua_State *L) {
  check_subject(L);
  push_vector(L, &(vector){vector_word, 0, 0, 0});
  return lua_error(L);
}

/* What the function on top makes of the number; pops it. A protected call, as the program that
   calls it cannot be jumped over. */
static int64_t call(lua_State *L, int64_t number) {
  int is_integer;
  lua_pushinteger(L, number);
  if (lua_pcall(L, 1, 1, 0) != LUA_OK) abort();
  int64_t result = lua_tointegerx(L, -1, &is_integer);
  if (!is_integer) abort();
  lua_pop(L, 1);
  return result;
}

static int apply(lua_State *L) {
  check_subject(L);
  luaL_checktype(L, 2, LUA_TFUNCTION);
  lua_pushvalue(L, 2);
  lua_pushinteger(L, call(L, 1));
  return 1;
}

static int keep(lua_State *L) {
  subject *self = check_subject(L);
  luaL_checktype(L, 2, LUA_TFUNCTION);
  lua_settop(L, 2);
  luaL_unref(L, LUA_REGISTRYINDEX, self->kept_function);
  self->kept_function = luaL_ref(L, LUA_REGISTRYINDEX);
  return 0;
}

static int call_kept(lua_State *L) {
  const subject *self = check_subject(L);
  int64_t sum = 0;
  for (int number = 1; number <= 100; number++) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, self->kept_function);
    sum += call(L, number);
  }
  lua_pushinteger(L, sum);
  return 1;
}

static const luaL_Reg methods[] = {
    {"add", add},     {"short", short_text},   {"long", long_text},     {"length", length},
    {"list", list},   {"last", last},          {"make", make},          {"own", own},
    {"fail", fail},   {"vector", make_vector}, {"echo", echo},          {"adder", adder},
    {"apply", apply}, {"keep", keep},          {"callKept", call_kept}, {NULL, NULL},
};

/* Upvalue 1: the methods. */
static int get(lua_State *L) {
  const subject *self = check_subject(L);
  const char *name = luaL_checkstring(L, 2);
  if (!strcmp(name, "stored")) {
    lua_pushinteger(L, self->stored);
  } else if (!strcmp(name, "computed")) {
    lua_pushinteger(L, self->computed);
  } else {
    lua_settop(L, 2);
    lua_rawget(L, lua_upvalueindex(1));
  }
  return 1;
}

static int set(lua_State *L) {
  subject *self = check_subject(L);
  const char *name = luaL_checkstring(L, 2);
  if (!strcmp(name, "stored")) {
    self->stored = luaL_checkinteger(L, 3);
  } else if (!strcmp(name, "computed")) {
    self->computed = luaL_checkinteger(L, 3);
  } else {
    return luaL_error(L, "no property %s", name);
  }
  return 0;
}

/* [-0, +1, me] */
static void push_subject(lua_State *L) {
  luaL_newmetatable(L, vector_type);
  luaL_newmetatable(L, small_type);
  lua_pushcfunction(L, collect_small);
  lua_setfield(L, -2, "__gc");
  lua_pop(L, 2);
  lua_newtable(L);
  lua_createtable(L, 0, 1);
  lua_pushliteral(L, "v");
  lua_setfield(L, -2, "__mode");
  lua_setmetatable(L, -2);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &objects_key);
  subject *self = lua_newuserdatauv(L, sizeof *self, 0);
  self->word = subject_word;
  self->kept_text = NULL;
  self->kept_list = NULL;
  self->kept_function = LUA_NOREF;
  self->stored = self->computed = 7;
  memset(self->text, 'x', sizeof self->text);
  for (int i = 0; i < LIST_COUNT; i++) self->list[i] = i + 1;
  luaL_newmetatable(L, subject_type);
  luaL_newlib(L, methods);
  lua_pushcclosure(L, get, 1);
  lua_setfield(L, -2, "__index");
  lua_pushcfunction(L, set);
  lua_setfield(L, -2, "__newindex");
  lua_setmetatable(L, -2);
}

benchmark_subject *benchmark_subject_create(const char *source, bool checks_words) {
  lua_State *L = luaL_newstate();
  if (!L) return NULL;
  luaL_openlibs(L);
  if (luaL_loadstring(L, source) == LUA_OK) {
    push_subject(L);
    if (lua_pcall(L, 1, 1, 0) == LUA_OK) {
      benchmark_subject *made = malloc(sizeof *made);
      if (!made) abort();
      *made = (benchmark_subject){L, luaL_ref(L, LUA_REGISTRYINDEX), checks_words};
      return made;
    }
  }
  lua_close(L);
  return NULL;
}

int64_t benchmark_subject_run(benchmark_subject *subject, int64_t count) {
  lua_State *L = subject->L;
  checks_words = subject->checks_words;
  lua_rawgeti(L, LUA_REGISTRYINDEX, subject->function);
  lua_pushinteger(L, count);
  if (lua_pcall(L, 1, 1, 0) != LUA_OK) abort();
  int64_t result = lua_tointeger(L, -1);
  lua_settop(L, 0);
  return result;
}
