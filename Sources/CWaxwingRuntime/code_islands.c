/* SPDX-License-Identifier: MIT */

/* Memory near functions: islands, where their jumps lead to, and the copies of their instructions.
 *
 * The distance in `jmp rel32` stands where instructions of the function began. It is such that each
 * of these places has a byte that traps: a thread that was interrupted in there, and goes on any
 * time later, does so in the handler, which leads it to the same instruction of the copy. So the
 * island has to be at one of few addresses. Pages are mapped where such addresses are free; an
 * island may begin at any byte of one. Its code, `jmpq *word(%rip)`, reads a word in the page
 * behind.
 *
 * Pages are executable from the start, and are written like all code. They are never freed. */

#define _GNU_SOURCE

#include "code.h"

#if WAX_RUNTIME_CPU_SUPPORTED

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE ((size_t)4096)

/* Opcodes of one byte that are invalid in 64-bit mode, whatever follows: they fault, with the pc at
 * them. Debuggers leave that signal to the program. */
static const bool traps[256] = {
    [WAX_RUNTIME_TRAP] = true,
    [0x06] = true,
    [0x07] = true,
    [0x0e] = true,
    [0x16] = true,
    [0x17] = true,
    [0x1e] = true,
    [0x1f] = true,
    [0x27] = true,
    [0x2f] = true,
    [0x37] = true,
    [0x3f] = true,
};

/* {== Mapping ====== */

/* Where a system forbids executable memory without a file, it may allow a file in memory. */
static bool make_executable(void *at, size_t size) {
  int flags = MAP_PRIVATE | MAP_FIXED;
  if (mmap(at, size, PROT_READ | PROT_EXEC, flags | MAP_ANONYMOUS, -1, 0) != MAP_FAILED)
    return true;
  int file = memfd_create("waxwing code", MFD_CLOEXEC);
  if (file < 0) return false;
  bool is_mapped = ftruncate(file, (off_t)size) == 0 &&
                   mmap(at, size, PROT_READ | PROT_EXEC, flags, file, 0) != MAP_FAILED;
  close(file);
  return is_mapped;
}

/* Maps code, and data behind it, where nothing is mapped. */
static bool map_at(uintptr_t at, size_t code, size_t data) {
  void *wanted = (void *)at;
  void *got = mmap(wanted, code + data, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (got == MAP_FAILED) return false;
  if (got == wanted && make_executable(got, code)) return true;
  munmap(got, code + data); /* a kernel that takes the address for a hint, or a policy */
  return false;
}

/* ====== }== */

/* {== Islands ====== */

/* An island takes whole units of a page, and the word of its first one. */
#define UNIT 8
#define UNITS (PAGE / UNIT)

typedef struct page {
  struct page *next;
  uintptr_t at;
  size_t taken_count;
  uint8_t taken[UNITS];
} page;

static page *pages;

static _Atomic(const void *) *word_of(uintptr_t island) {
  uintptr_t start = island & ~(PAGE - 1);
  return (_Atomic(const void *) *)(start + PAGE + (island - start) / UNIT * sizeof(void *));
}

static page *page_at(uintptr_t at) {
  page *found = pages;
  while (found && found->at != at) found = found->next;
  return found;
}

static page *make_page(uintptr_t at) {
  page *made = calloc(1, sizeof *made);
  if (!made) return NULL;
  if (!map_at(at, PAGE, PAGE)) {
    free(made);
    return NULL;
  }
  made->at = at;
  made->next = pages;
  pages = made;
  return made;
}

static bool mark(page *in, uintptr_t island, uint8_t taken) {
  size_t first = (island - in->at) / UNIT,
         last = (island - in->at + WAX_RUNTIME_CODE_ISLAND_SIZE - 1) / UNIT;
  if (last >= UNITS) return false;
  if (taken && (in->taken[first] || in->taken[last])) return false;
  in->taken[first] = in->taken[last] = taken;
  size_t count = last - first + 1;
  in->taken_count += taken ? count : -count;
  return true;
}

/* What the four bytes of the distance have to be. */
typedef struct pattern {
  uintptr_t from;
  bool traps[4];
} pattern;

static bool fits(const pattern *pattern, uintptr_t island) {
  int64_t away = (int64_t)(island - pattern->from);
  if (away != (int32_t)away) return false;
  for (size_t i = 0; i < 4; i++) {
    if (pattern->traps[i] && !traps[(uint8_t)(away >> (8 * i))]) return false;
  }
  return true;
}

static uintptr_t find_in(page *in, const pattern *pattern) {
  for (size_t unit = 0; unit < UNITS && in->taken_count < UNITS; unit++) {
    uintptr_t first = in->at + unit * UNIT;
    for (uintptr_t at = first; !in->taken[unit] && at < first + UNIT; at++) {
      if (fits(pattern, at) && mark(in, at, 1)) return at;
    }
  }
  return 0;
}

/* The page may be nearer than its bytes tell: only the last two differ within it. */
static bool may_fit(const page *in, const pattern *pattern) {
  int64_t away = (int64_t)(in->at - pattern->from);
  if (away < INT32_MIN || away + (int64_t)PAGE > INT32_MAX) return false;
  if (!pattern->traps[3]) return true;
  return traps[(uint8_t)(away >> 24)] || traps[(uint8_t)((away + (int64_t)PAGE) >> 24)];
}

/* The values to try for a byte of the distance: those that trap, or some. */
typedef struct choice {
  size_t count;
  uint8_t values[256];
} choice;

static choice choose(bool traps_there, size_t step) {
  choice made = {0};
  for (size_t i = 0; i < 256; i += step) {
    if (!traps_there || traps[i]) made.values[made.count++] = (uint8_t)i;
  }
  return made;
}

/* The nearest first, below before above; not what is right behind a program, which grows there. */
static choice choose_highest(bool traps_there) {
  choice made = {0};
  for (size_t i = 0; i < 256; i++) {
    uint8_t value = i % 2 ? (uint8_t)(1 + i / 2) : (uint8_t)(0xff - i / 2);
    if (value == 0 || (i % 2 && value >= 0x80)) continue;
    if (!traps_there || traps[value]) made.values[made.count++] = value;
  }
  made.values[made.count] = 0;
  made.count += !traps_there;
  return made;
}

#define MOST_TRIES 20000

static uintptr_t find_new(const pattern *pattern) {
  choice highest = choose_highest(pattern->traps[3]), high = choose(pattern->traps[2], 1),
         low = choose(pattern->traps[1], pattern->traps[1] ? 1 : 37);
  if (!pattern->traps[2]) high = choose(false, 16);
  size_t tries = 0;
  for (size_t i = 0; i < highest.count * high.count * low.count && tries < MOST_TRIES; i++) {
    uint32_t away = (uint32_t)highest.values[i / (high.count * low.count)] << 24 |
                    (uint32_t)high.values[i / low.count % high.count] << 16 |
                    (uint32_t)low.values[i % low.count] << 8 |
                    (pattern->traps[0] ? WAX_RUNTIME_TRAP : 0);
    uintptr_t at = pattern->from + (uintptr_t)(intptr_t)(int32_t)away;
    if (at < 16 * PAGE || at >> 47 || page_at(at & ~(PAGE - 1))) continue;
    tries++;
    if ((at & (PAGE - 1)) + WAX_RUNTIME_CODE_ISLAND_SIZE > PAGE) continue;
    page *made = make_page(at & ~(PAGE - 1));
    if (made && mark(made, at, 1)) return at;
  }
  return 0;
}

uint8_t *wax_runtime_code_take_island(const wax_runtime_code_window *window,
                                      _Atomic(const void *) **word) {
  pattern wanted = {.from = (uintptr_t)window->at + WAX_RUNTIME_JUMP_SIZE};
  for (size_t i = 0; i < 4; i++) wanted.traps[i] = wax_runtime_code_is_boundary(window, i + 1);
  uintptr_t found = 0;
  for (page *in = pages; in && !found; in = in->next) {
    if (may_fit(in, &wanted)) found = find_in(in, &wanted);
  }
  if (!found) found = find_new(&wanted);
  if (!found) return NULL;
  *word = word_of(found);
  return (uint8_t *)found;
}

void wax_runtime_code_return_island(uint8_t *island) {
  page *in = page_at((uintptr_t)island & ~(PAGE - 1));
  if (in) (void)mark(in, (uintptr_t)island, 0);
}

/* ====== }== */

/* {== Copies ====== */

#define CHUNK ((size_t)65536)
#define REACH ((uintptr_t)1 << 30)
#define STEP ((uintptr_t)1 << 20)

typedef struct chunk {
  struct chunk *next;
  uint8_t *at;
  size_t used;
} chunk;

static chunk *chunks;

static bool is_near(const uint8_t *one, const uint8_t *other) {
  uintptr_t a = (uintptr_t)one, b = (uintptr_t)other;
  return (a > b ? a - b : b - a) < REACH + 2 * STEP;
}

/* Below the code first: what is above a program grows into the room behind it. */
static uint8_t *map_near(const uint8_t *code) {
  uintptr_t from = (uintptr_t)code & ~(STEP - 1);
  for (uintptr_t away = STEP; away <= REACH && away < from; away += STEP) {
    if (map_at(from - away, CHUNK, 0)) return (uint8_t *)(from - away);
  }
  for (uintptr_t away = REACH; away >= STEP; away -= STEP) {
    if (map_at(from + away, CHUNK, 0)) return (uint8_t *)(from + away);
  }
  return NULL;
}

static chunk *make_chunk(const uint8_t *code) {
  chunk *made = calloc(1, sizeof *made);
  if (!made) return NULL;
  made->at = map_near(code);
  if (!made->at) {
    free(made);
    return NULL;
  }
  made->next = chunks;
  chunks = made;
  return made;
}

uint8_t *wax_runtime_code_take_copy(const uint8_t *code) {
  chunk *in = chunks;
  while (in && (in->used == CHUNK || !is_near(in->at, code))) in = in->next;
  if (!in) in = make_chunk(code);
  if (!in) return NULL;
  uint8_t *taken = in->at + in->used;
  in->used += WAX_RUNTIME_COPY_SIZE;
  return taken;
}

void wax_runtime_code_return_copy(uint8_t *copy) {
  for (chunk *in = chunks; in; in = in->next) {
    if (in->at + in->used == copy + WAX_RUNTIME_COPY_SIZE) in->used -= WAX_RUNTIME_COPY_SIZE;
  }
}

/* ====== }== */

#endif
