/* SPDX-License-Identifier: MIT
 *
 * The compiler of patterns, and the programs that are kept.
 */
#include "wax_library_pattern.h"

#include <lauxlib.h>
#include <string.h>

#include "wax_library_private.h"
#include "wax_lua_state_private.h"

#define ESCAPE '%'

/* {==================================================================
** Classes
**
** They are those of the C locale, whatever the program has set: a pattern means the same
*everywhere.
** =================================================================== */

/* The bits of a word of a set that stand for the bytes from `first` to `last`. */
#define FROM(first, word) ((first) <= 64 * (word) ? ~UINT64_C(0) : ~UINT64_C(0) << ((first)&63))
#define UP_TO(last, word)                                                                          \
  ((last) >= 64 * (word) + 63 ? ~UINT64_C(0) : ~UINT64_C(0) >> (63 - ((last)&63)))
#define WORD(first, last, word)                                                                    \
  ((first) > 64 * (word) + 63 || (last) < 64 * (word) ? 0 : FROM(first, word) & UP_TO(last, word))

#define LOWER(word) WORD('a', 'z', word)
#define UPPER(word) WORD('A', 'Z', word)
#define DIGITS(word) WORD('0', '9', word)
#define LETTERS(word) (LOWER(word) | UPPER(word))
#define ALPHANUMERIC(word) (LETTERS(word) | DIGITS(word))
#define CONTROL(word) (WORD(0, 31, word) | WORD(127, 127, word))
#define GRAPHIC(word) WORD('!', '~', word)
#define PUNCTUATION(word) (GRAPHIC(word) & ~ALPHANUMERIC(word))
#define SPACE(word) (WORD('\t', '\r', word) | WORD(' ', ' ', word))
#define HEXADECIMAL(word) (DIGITS(word) | WORD('A', 'F', word) | WORD('a', 'f', word))
#define ZERO(word) WORD(0, 0, word)

/* And what does not belong to it. */
#define CLASS(of)                                                                                  \
  {                                                                                                \
    {{of(0), of(1), of(2), of(3)}}, {                                                              \
      { ~of(0), ~of(1), ~of(2), ~of(3) }                                                           \
    }                                                                                              \
  }

static const char class_letters[] = "acdglpsuwxz";
static const wax_library_set classes[][2] = {
    CLASS(LETTERS),      CLASS(CONTROL),     CLASS(DIGITS), CLASS(GRAPHIC),
    CLASS(LOWER),        CLASS(PUNCTUATION), CLASS(SPACE),  CLASS(UPPER),
    CLASS(ALPHANUMERIC), CLASS(HEXADECIMAL), CLASS(ZERO)};

/* NULL: the letter is no class's, and stands for itself. */
static const wax_library_set *class_of(char letter) {
  bool is_upper = letter >= 'A' && letter <= 'Z';
  char lower = is_upper ? (char)(letter - 'A' + 'a') : letter;
  const char *found = lower ? strchr(class_letters, lower) : NULL;
  return found ? &classes[found - class_letters][is_upper] : NULL;
}

/* }================================================================== */

/* {==================================================================
** Sets
** =================================================================== */

static void set_add(wax_library_set *set, unsigned char byte) {
  set->bits[byte >> 6] |= UINT64_C(1) << (byte & 63);
}

static void set_add_range(wax_library_set *set, unsigned char first, unsigned char last) {
  for (int byte = first; byte <= last; byte++) set_add(set, (unsigned char)byte);
}

static void set_add_all(wax_library_set *set, const wax_library_set *other) {
  for (int i = 0; i < 4; i++) set->bits[i] |= other->bits[i];
}

static void set_add_class(wax_library_set *set, char letter) {
  const wax_library_set *class = class_of(letter);
  if (class)
    set_add_all(set, class);
  else
    set_add(set, (unsigned char)letter);
}

static void set_invert(wax_library_set *set) {
  for (int i = 0; i < 4; i++) set->bits[i] = ~set->bits[i];
}

/* The only byte of the set; -1: it has none, or several. */
static int only_byte(const wax_library_set *set) {
  int found = -1;
  for (int i = 0; i < 4; i++) {
    uint64_t bits = set->bits[i];
    if (!bits) continue;
    if (found >= 0 || (bits & (bits - 1))) return -1;
    found = i * 64 + __builtin_ctzll(bits);
  }
  return found;
}

/* }================================================================== */

/* {==================================================================
** The compiler
**
** It goes over a pattern twice: once to see how large the program is, once to write it.
** =================================================================== */

/* Instructions of a program, but for the last: nobody means longer ones. */
#define MAX_INSTRUCTIONS 16384

typedef struct compiler {
  const char *at; /* in the pattern */
  const char *end;
  wax_library_instruction *code; /* NULL: it only measures */
  wax_library_set *sets;
  char *texts;
  size_t instruction_count, set_count, text_count;
  wax_library_instruction *last; /* that was emitted */
  bool is_over;                  /* nothing can be reached any more */
  uint16_t captures_before;      /* instructions of captures so far */
  int captures;
  uint32_t positions, open;        /* captures, a bit each */
  wax_library_instruction scratch; /* instead of those that are measured */
  wax_library_set scratch_set;
} compiler;

static wax_library_instruction *emit(compiler *c, wax_library_operation operation) {
  wax_library_instruction *emitted = c->code ? &c->code[c->instruction_count] : &c->scratch;
  c->instruction_count++;
  *emitted =
      (wax_library_instruction){.operation = (uint8_t)operation, .kind = WAX_LIBRARY_MATCH_ANY};
  emitted->captures = c->captures_before;
  c->last = emitted;
  return emitted;
}

/* The program ends there. */
static void emit_error(compiler *c, const char *message, uint32_t number) {
  wax_library_instruction *error = emit(c, WAX_LIBRARY_OP_MALFORMED);
  error->message = message;
  error->count = number;
  c->is_over = true;
}

static wax_library_set *new_set(compiler *c) {
  wax_library_set *set = c->sets ? &c->sets[c->set_count] : &c->scratch_set;
  c->set_count++;
  *set = (wax_library_set){{0}};
  return set;
}

/* {==================================================================
** Single bytes
** =================================================================== */

/* The item from `at` on, without what follows it. */
typedef struct single {
  wax_library_kind kind;
  char byte;
  const wax_library_set *set;
} single;

/* Behind the set that begins at `p`, or NULL: it does not end. */
static const char *set_end(const char *p, const char *end) {
  p++;
  if (p < end && *p == '^') p++;
  do {
    if (p >= end) return NULL;
    if (*p++ == ESCAPE) p++;
  } while (p >= end || *p != ']');
  return p + 1;
}

/* The members between the brackets. */
static void fill_set(wax_library_set *set, const char *p, const char *last) {
  while (p < last) {
    if (*p == ESCAPE) {
      set_add_class(set, p[1]);
      p += 2;
    } else if (p + 2 < last && p[1] == '-') {
      set_add_range(set, (unsigned char)*p, (unsigned char)p[2]);
      p += 3;
    } else {
      set_add(set, (unsigned char)*p++);
    }
  }
}

/* The set at `at`. NULL: it does not end, which has been emitted. */
static const wax_library_set *read_set(compiler *c) {
  const char *begin = c->at, *end = set_end(begin, c->end);
  if (!end) {
    emit_error(c, "malformed pattern (missing ']')", 0);
    return NULL;
  }
  wax_library_set *set = new_set(c);
  bool is_inverted = begin[1] == '^';
  fill_set(set, begin + 1 + is_inverted, end - 1);
  if (is_inverted) set_invert(set);
  c->at = end;
  return set;
}

static single single_of_class(compiler *c) {
  char letter = c->at[1];
  const wax_library_set *class = class_of(letter);
  c->at += 2;
  return (single){class ? WAX_LIBRARY_MATCH_SET : WAX_LIBRARY_MATCH_BYTE, letter, class};
}

static single read_single(compiler *c) {
  switch (*c->at) {
    case '.': c->at++; return (single){.kind = WAX_LIBRARY_MATCH_ANY};
    case '[': return (single){.kind = WAX_LIBRARY_MATCH_SET, .set = read_set(c)};
    case ESCAPE:
      if (c->at + 1 < c->end) return single_of_class(c);
      emit_error(c, "malformed pattern (ends with '%%')", 0);
      return (single){.kind = WAX_LIBRARY_MATCH_ANY};
    default: return (single){.kind = WAX_LIBRARY_MATCH_BYTE, .byte = *c->at++};
  }
}

/* Bytes in a row are one instruction. */
static void emit_byte(compiler *c, char byte) {
  if (!c->last || c->last->operation != WAX_LIBRARY_OP_TEXT) {
    wax_library_instruction *text = emit(c, WAX_LIBRARY_OP_TEXT);
    text->kind = WAX_LIBRARY_MATCH_BYTE;
    text->byte = (uint8_t)byte;
    text->text = c->texts ? &c->texts[c->text_count] : NULL;
  }
  c->last->count++;
  if (c->texts) c->texts[c->text_count] = byte;
  c->text_count++;
}

static wax_library_operation read_suffix(compiler *c) {
  switch (c->at < c->end ? *c->at : '\0') {
    case '?': c->at++; return WAX_LIBRARY_OP_OPTIONAL;
    case '+': c->at++; return WAX_LIBRARY_OP_ONE_OR_MORE;
    case '*': c->at++; return WAX_LIBRARY_OP_ZERO_OR_MORE;
    case '-': c->at++; return WAX_LIBRARY_OP_LAZY;
    default: return WAX_LIBRARY_OP_SINGLE;
  }
}

static void compile_single(compiler *c) {
  single single = read_single(c);
  if (c->is_over) return;
  wax_library_operation operation = read_suffix(c);
  if (operation == WAX_LIBRARY_OP_SINGLE && single.kind == WAX_LIBRARY_MATCH_BYTE) {
    emit_byte(c, single.byte);
    return;
  }
  wax_library_instruction *emitted = emit(c, operation);
  emitted->kind = (uint8_t)single.kind;
  emitted->byte = (uint8_t)single.byte;
  emitted->set = single.set;
}

/* }================================================================== */

/* {==================================================================
** Captures
** =================================================================== */

static void compile_opening(compiler *c) {
  bool is_position = c->at + 1 < c->end && c->at[1] == ')';
  c->at += is_position ? 2 : 1;
  if (c->captures == WAX_LIBRARY_MAX_CAPTURES) {
    emit_error(c, "too many captures", 0);
    return;
  }
  uint32_t bit = UINT32_C(1) << c->captures;
  emit(c, is_position ? WAX_LIBRARY_OP_POSITION : WAX_LIBRARY_OP_CAPTURE_START)->count =
      (uint32_t)c->captures++;
  c->captures_before++;
  if (is_position)
    c->positions |= bit;
  else
    c->open |= bit;
}

/* Ends the last of those that are open. */
static void compile_closing(compiler *c) {
  c->at++;
  if (!c->open) {
    emit_error(c, "invalid pattern capture", 0);
    return;
  }
  uint32_t capture = 31 - (uint32_t)__builtin_clz(c->open);
  c->open &= ~(UINT32_C(1) << capture);
  emit(c, WAX_LIBRARY_OP_CAPTURE_END)->count = capture;
  c->captures_before++;
}

static void compile_again(compiler *c) {
  int capture = c->at[1] - '1';
  c->at += 2;
  if (capture < 0 || capture >= c->captures || (c->open >> capture & 1))
    emit_error(c, "invalid capture index %%%d", (uint32_t)(capture + 1));
  else
    emit(c, WAX_LIBRARY_OP_BACK_REFERENCE)->count = (uint32_t)capture;
}

/* }================================================================== */

static void compile_balanced(compiler *c) {
  if (c->end - c->at < 4) {
    emit_error(c, "malformed pattern (missing arguments to '%%b')", 0);
    return;
  }
  wax_library_instruction *balanced = emit(c, WAX_LIBRARY_OP_BALANCED);
  balanced->byte = (uint8_t)c->at[2];
  balanced->other = (uint8_t)c->at[3];
  c->at += 4;
}

static void compile_frontier(compiler *c) {
  c->at += 2;
  if (c->at == c->end || *c->at != '[') {
    emit_error(c, "missing '[' after '%%f' in pattern", 0);
    return;
  }
  const wax_library_set *set = read_set(c);
  if (set) emit(c, WAX_LIBRARY_OP_FRONTIER)->set = set;
}

static void compile_escape(compiler *c) {
  char kind = c->at + 1 < c->end ? c->at[1] : '\0';
  if (kind == 'b')
    compile_balanced(c);
  else if (kind == 'f')
    compile_frontier(c);
  else if (kind >= '0' && kind <= '9')
    compile_again(c);
  else
    compile_single(c);
}

static void compile_item(compiler *c) {
  switch (*c->at) {
    case '(': compile_opening(c); return;
    case ')': compile_closing(c); return;
    case ESCAPE: compile_escape(c); return;
    case '$':
      if (c->at + 1 == c->end) {
        c->at++;
        emit(c, WAX_LIBRARY_OP_AT_END);
        return;
      }
      break;
  }
  compile_single(c);
}

static void compile(compiler *c) {
  while (c->at < c->end && !c->is_over) {
    if (c->instruction_count == MAX_INSTRUCTIONS)
      emit_error(c, "pattern too complex", 0);
    else
      compile_item(c);
  }
  if (!c->is_over) emit(c, WAX_LIBRARY_OP_END);
}

/* }================================================================== */

/* {==================================================================
** Analysis of programs
** =================================================================== */

static bool is_of_capture(const wax_library_instruction *instruction) {
  return instruction->operation >= WAX_LIBRARY_OP_CAPTURE_START &&
         instruction->operation <= WAX_LIBRARY_OP_POSITION;
}

/* A text is matched by its first byte first. */
static bool takes_byte(const wax_library_instruction *instruction) {
  return instruction->operation >= WAX_LIBRARY_OP_TEXT &&
         instruction->operation <= WAX_LIBRARY_OP_ONE_OR_MORE &&
         instruction->operation != WAX_LIBRARY_OP_OPTIONAL;
}

static bool is_repetition(const wax_library_instruction *instruction) {
  return instruction->operation >= WAX_LIBRARY_OP_ONE_OR_MORE &&
         instruction->operation <= WAX_LIBRARY_OP_LAZY;
}

/* So that of the places where a repetition may end only those are tried at which what follows it
   may begin. */
static void link_repetitions(wax_library_program *program) {
  for (wax_library_instruction *at = program->code; at->operation < WAX_LIBRARY_OP_MALFORMED;
       at++) {
    if (is_repetition(at)) {
      at->next = 1;
      while (is_of_capture(&at[at->next])) at->next++;
      if (!takes_byte(&at[at->next])) at->next = 0;
    }
    if (at->operation == WAX_LIBRARY_OP_END) return;
  }
}

static void add_first(wax_library_set *set, const wax_library_instruction *instruction) {
  if (instruction->kind == WAX_LIBRARY_MATCH_BYTE)
    set_add(set, instruction->byte);
  else
    set_add_all(set, instruction->set);
}

/* The bytes that a match may begin with. False: any, or it may be empty. */
static bool find_first(const wax_library_instruction *at, wax_library_set *set) {
  for (;; at++) {
    if (is_of_capture(at) || at->operation == WAX_LIBRARY_OP_FRONTIER) continue;
    if (at->operation == WAX_LIBRARY_OP_BALANCED) {
      set_add(set, at->byte);
      return true;
    }
    if (at->operation < WAX_LIBRARY_OP_TEXT || at->operation > WAX_LIBRARY_OP_LAZY) return false;
    if (at->kind == WAX_LIBRARY_MATCH_ANY) return false;
    add_first(set, at);
    if (takes_byte(at)) return true;
  }
}

static void describe_first(wax_library_program *program) {
  program->first_kind = WAX_LIBRARY_MATCH_ANY;
  program->first = (wax_library_set){{0}};
  if (!find_first(program->code, &program->first)) return;
  int only = only_byte(&program->first);
  program->first_kind = only >= 0 ? WAX_LIBRARY_MATCH_BYTE : WAX_LIBRARY_MATCH_SET;
  if (only >= 0) program->first_byte = (uint8_t)only;
}

static void describe(wax_library_program *program, const compiler *c) {
  program->captures = (uint8_t)c->captures;
  program->positions = c->positions;
  program->unfinished = c->open;
  link_repetitions(program);
  describe_first(program);
}

/* }================================================================== */

/* {==================================================================
** Programs
** =================================================================== */

static compiler compiler_over(const wax_library_program *program) {
  return (compiler){.at = program->pattern + program->is_anchored,
                    .end = program->pattern + program->count};
}

/* [-0, +1, v]  Room for the program of the pattern at `index`. */
static wax_library_program *new_program(lua_State *L, int index, const compiler *measured) {
  size_t size = sizeof(wax_library_program) +
                measured->instruction_count * sizeof(wax_library_instruction) +
                measured->set_count * sizeof(wax_library_set) + measured->text_count;
  wax_lua_reserve_memory(L, size);
  wax_library_program *program = lua_newuserdatauv(L, size, 1);
  lua_pushvalue(L, index);
  lua_setiuservalue(L, -2, 1);
  return program;
}

/* [-0, +1, v] */
static wax_library_program *compile_pattern(lua_State *L, int index, bool anchors) {
  wax_library_program head = {0};
  head.pattern = lua_tolstring(L, index, &head.count);
  head.is_anchored = anchors && *head.pattern == '^';
  wax_lua_budget_consume(L, head.count);
  compiler measured = compiler_over(&head);
  compile(&measured);
  wax_library_program *program = new_program(L, index, &measured);
  *program = head;
  compiler c = compiler_over(program);
  c.code = program->code;
  c.sets = (wax_library_set *)(c.code + measured.instruction_count);
  c.texts = (char *)(c.sets + measured.set_count);
  compile(&c);
  describe(program, &c);
  return program;
}

/* }================================================================== */

/* {==================================================================
** The cache
** =================================================================== */

/* A power of two. */
#define PLACES 32

/* Longer patterns are compiled each time: that is little beside what is done with them. */
#define LONGEST_KEPT 256

/* Each pattern has two places that it may be in: the first has what was used last. */
typedef struct cache {
  const wax_library_program *programs[PLACES]; /* that are its user values, or NULL */
} cache;

#define CACHE lua_upvalueindex(1)

/* By the address, as strings like patterns are one object each. */
static int place_of(const char *pattern) {
  uint64_t hash = (uint64_t)(uintptr_t)pattern * UINT64_C(0x9e3779b97f4a7c15);
  return (int)(hash >> 32) & (PLACES - 1);
}

static bool is_of(const wax_library_program *program, const char *pattern) {
  return program && program->pattern == pattern;
}

/* [-1, +0, -]  The userdata of the program, or nil. */
static void put(lua_State *L, cache *cache, int place, const wax_library_program *program) {
  cache->programs[place] = program;
  lua_setiuservalue(L, CACHE, place + 1);
}

/* [-0, +0, -]  The program is on top. What was in its place is in the other one then. */
static void keep(lua_State *L, cache *cache, int place, const wax_library_program *program) {
  lua_getiuservalue(L, CACHE, place + 1);
  put(L, cache, place ^ 1, cache->programs[place]);
  lua_pushvalue(L, -1);
  put(L, cache, place, program);
}

/* [-0, +0, m] */
static cache *open_cache(lua_State *L) {
  cache *opened = lua_newuserdatauv(L, sizeof *opened, PLACES);
  *opened = (cache){{NULL}};
  lua_replace(L, CACHE);
  return opened;
}

/* [-0, +1, v]  It is not in its first place. */
static const wax_library_program *find_or_compile(lua_State *L, cache *cache, int index,
                                                  bool anchors) {
  const char *pattern = lua_tostring(L, index);
  int place = place_of(pattern);
  const wax_library_program *program = cache->programs[place ^ 1];
  if (is_of(program, pattern))
    lua_getiuservalue(L, CACHE, (place ^ 1) + 1);
  else
    program = compile_pattern(L, index, anchors);
  if (program->count <= LONGEST_KEPT) keep(L, cache, place, program);
  return program;
}

const wax_library_program *wax_library_compiled_pattern(lua_State *L, int index,
                                                        const char *pattern, bool anchors) {
  cache *cache = lua_touserdata(L, CACHE);
  if (!cache) cache = open_cache(L);
  int place = place_of(pattern);
  const wax_library_program *program = cache->programs[place];
  if (!is_of(program, pattern)) return find_or_compile(L, cache, index, anchors);
  lua_getiuservalue(L, CACHE, place + 1);
  return program;
}

/* }================================================================== */
