/* SPDX-License-Identifier: MIT */

/* Entries that are async function pointers, symbol `…Tu`: eight bytes in a program's data that say
 * where the code of an async function is, from there, and how large the context is that its callers
 * allocate. A function value, a vtable and a witness table lead to them; one aligned store leads
 * such calls elsewhere, and back. A direct call reads only the size, and goes to the code: it is
 * not seen. So this is the entry of functions that are called by their values only: closures.
 *
 * Callers read the two halves one after the other, and direct callers only the second: the size
 * never changes. A call that arrives has a context of the size that the function wants, which may
 * be too small for a stub: it gets one of its own on the way (wax_runtime_async_island_common).
 *
 * The code has to be within 2 GB: a record leads to an *island* near it, which leads to the slot's
 * stub. Islands are pages of our own code, mapped once more from our file, each with a page of data
 * behind it: no code is written, and none has to be writable. The same data have a record of their
 * own that leads to the original, by which it is called. */

#define _GNU_SOURCE

#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "entry.h"

#if WAX_RUNTIME_CPU_SUPPORTED

typedef union record {
  struct {
    int32_t code; /* from the record */
    uint32_t context_size;
  };
  uint64_t word;
} record;

_Static_assert(sizeof(record) == sizeof(void *), "an entry is one word");

/* A caller's context and what to resume. */
#define LEAST_CONTEXT 16

/* What an island reads; the first in a page leads all of its islands to their common code. */
typedef union island_data {
  struct {
    wax_runtime_slot *slot;
    record original;
  };
  const void *common;
} island_data;

_Static_assert(sizeof(island_data) == WAX_RUNTIME_ISLAND_SIZE, "islands compute where it is");
_Static_assert(offsetof(island_data, original) % sizeof(void *) == 0, "read as one word");

#define PAGE WAX_RUNTIME_ISLAND_PAGE
#define ISLANDS (PAGE / WAX_RUNTIME_ISLAND_SIZE)

typedef struct island_page {
  char code[PAGE];
  island_data data[ISLANDS];
} island_page;

_Static_assert(sizeof(island_page) == (size_t)2 * PAGE, "the data are behind the code");

/* All of them, guarded by the lock of writers. Slots of one image share pages. */
#define MOST_PAGES 512
static struct {
  island_page *page;
  size_t used; /* the first is none */
} pages[MOST_PAGES];
static size_t page_count;

/* {== Memory near a record ====== */

/* How far islands are from their record at most. The original's code, which a record in the same
 * data leads to, is in the record's image, and has to be within 2 GB of them, too. */
#define REACH (UINT64_C(1) << 30)
#define STEP (UINT64_C(1) << 20)

static bool is_near(const void *one, const void *other) {
  uint64_t a = (uint64_t)(uintptr_t)one, b = (uint64_t)(uintptr_t)other;
  return (a > b ? a - b : b - a) < REACH + STEP;
}

static island_page *reserve(uint64_t at) {
  void *wanted = (void *)(uintptr_t)at;
  void *got = mmap(wanted, sizeof(island_page), PROT_NONE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (got == MAP_FAILED) return NULL;
  if (got == wanted) return got;
  munmap(got, sizeof(island_page)); /* a kernel that takes the address for a hint */
  return NULL;
}

/* Below the record first: what is above a program grows into the room behind it. */
static island_page *reserve_near(const void *record) {
  uint64_t from = (uint64_t)(uintptr_t)record & ~(STEP - 1);
  for (uint64_t away = 0; away <= REACH && away + STEP <= from; away += STEP) {
    island_page *got = reserve(from - away - sizeof(island_page));
    if (got) return got;
  }
  for (uint64_t away = REACH; away >= STEP; away -= STEP) {
    island_page *got = reserve(from + away);
    if (got) return got;
  }
  return NULL;
}

/* ====== }== */

/* {== The code of islands ====== */

typedef struct code_file {
  char path[4096];
  uint64_t offset;
} code_file;

/* Where our own code of islands is in a file. */
static int find_file(struct dl_phdr_info *image, size_t size, void *result) {
  (void)size;
  code_file *file = result;
  uintptr_t at = (uintptr_t)wax_runtime_islands;
  for (int i = 0; i < image->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &image->dlpi_phdr[i];
    uintptr_t start = image->dlpi_addr + segment->p_vaddr;
    if (segment->p_type != PT_LOAD || at < start || at + PAGE > start + segment->p_filesz) continue;
    const char *name = image->dlpi_name[0] ? image->dlpi_name : "/proc/self/exe";
    if (strlen(name) >= sizeof file->path) return 0;
    strcpy(file->path, name);
    file->offset = segment->p_offset + (at - start);
    return 1;
  }
  return 0;
}

static bool map_code(island_page *page, int file, uint64_t offset) {
  void *got =
      mmap(page->code, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED, file, (off_t)offset);
  return got != MAP_FAILED && memcmp(page->code, wax_runtime_islands, PAGE) == 0;
}

/* From our own file, whose code the process may run anyway. It may have been replaced since. */
static bool map_own_code(island_page *page) {
  code_file own;
  if (!dl_iterate_phdr(find_file, &own) || own.offset % PAGE != 0) return false;
  int file = open(own.path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  bool is_mapped = map_code(page, file, own.offset);
  close(file);
  return is_mapped;
}

/* From a file in memory that has a copy of it. */
static bool map_copied_code(island_page *page) {
  int file = memfd_create("waxwing islands", MFD_CLOEXEC);
  if (file < 0) return false;
  bool is_mapped =
      write(file, wax_runtime_islands, PAGE) == (ssize_t)PAGE && map_code(page, file, 0);
  close(file);
  return is_mapped;
}

/* ====== }== */

static bool fill(island_page *page) {
  if (!map_own_code(page) && !map_copied_code(page)) return false;
  void *data = mmap(page->data, PAGE, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  if (data == MAP_FAILED) return false;
  page->data[0].common = (const void *)wax_runtime_async_island_common;
  return true;
}

/* The next island near a record, as its data; NULL: there is no room. */
static island_data *next_island(const void *record) {
  for (size_t i = 0; i < page_count; i++) {
    if (pages[i].used < ISLANDS && is_near(pages[i].page, record))
      return &pages[i].page->data[pages[i].used++];
  }
  if (page_count == MOST_PAGES) return NULL;
  island_page *page = reserve_near(record);
  if (!page) return NULL;
  if (!fill(page)) {
    munmap(page, sizeof *page);
    return NULL;
  }
  pages[page_count].page = page;
  pages[page_count].used = 2;
  page_count++;
  return &page->data[1];
}

static const char *code_of(const record *at, record value) { return (const char *)at + value.code; }

/* A record at `at` that leads to `code`. False: it is too far. */
static bool lead(const record *at, const void *code, uint32_t context_size, record *result) {
  int64_t away = (const char *)code - (const char *)at;
  result->code = (int32_t)away;
  result->context_size = context_size;
  return result->code == away;
}

static _Atomic uint64_t *word_of(const wax_runtime_slot *slot) {
  return (_Atomic uint64_t *)slot->entry;
}

static record read_entry(const wax_runtime_slot *slot) {
  return (record){.word = atomic_load_explicit(word_of(slot), memory_order_relaxed)};
}

/* The slot's island, by the record in its data that the original is called by. */
static const island_data *island_of(const wax_runtime_slot *slot) {
  return (const island_data *)((const char *)slot->original - offsetof(island_data, original));
}

static record baseline_of(const wax_runtime_slot *slot) {
  const record *original = slot->original;
  record result;
  (void)lead((const record *)slot->entry, code_of(original, *original), original->context_size,
             &result);
  return result;
}

/* The island's code is as far before its data as its page is long. */
static record led_to_stub(const wax_runtime_slot *slot) {
  const record *original = slot->original;
  record result;
  (void)lead((const record *)slot->entry, (const char *)island_of(slot) - PAGE,
             original->context_size, &result);
  return result;
}

static bool is_pointer(const wax_runtime_slot *slot) {
  if (!slot->is_async || !wax_runtime_is_data(slot->entry, sizeof(record))) return false;
  record found = read_entry(slot);
  return found.code != 0 && found.context_size >= LEAST_CONTEXT;
}

static wax_runtime_claim prepare(wax_runtime_slot *slot) {
  if (!is_pointer(slot)) return WAX_RUNTIME_CLAIM_NO_POINTER;
  const record *entry = (const record *)slot->entry;
  record found = read_entry(slot);
  island_data *island = next_island(entry);
  if (!island) return WAX_RUNTIME_CLAIM_NO_ROOM_NEARBY;
  island->slot = slot;
  record leads_there;
  bool is_reached =
      lead(entry, (const char *)island - PAGE, found.context_size, &leads_there) &&
      lead(&island->original, code_of(entry, found), found.context_size, &island->original);
  if (!is_reached) return WAX_RUNTIME_CLAIM_NO_ROOM_NEARBY;
  slot->original = &island->original;
  slot->asks_lookup = false;
  return WAX_RUNTIME_CLAIM_OK;
}

static bool is_ours(const wax_runtime_slot *slot) {
  uint64_t word = read_entry(slot).word;
  return word == baseline_of(slot).word || word == led_to_stub(slot).word;
}

/* Release: a call that arrives at the island finds its data. */
static void write_entry(wax_runtime_slot *slot, record value) {
  if (read_entry(slot).word == value.word) return;
  atomic_store_explicit(word_of(slot), value.word, memory_order_release);
}

static void install(wax_runtime_slot *slot) { write_entry(slot, led_to_stub(slot)); }

static bool remove_entry(wax_runtime_slot *slot) {
  if (!is_ours(slot)) return false;
  write_entry(slot, baseline_of(slot));
  return true;
}

static bool verify(const wax_runtime_slot *slot) {
  return read_entry(slot).word == baseline_of(slot).word;
}

#else

static wax_runtime_claim prepare(wax_runtime_slot *slot) {
  (void)slot;
  return WAX_RUNTIME_CLAIM_UNSUPPORTED;
}

static bool is_ours(const wax_runtime_slot *slot) {
  (void)slot;
  return false;
}

static void install(wax_runtime_slot *slot) { (void)slot; }

static bool remove_entry(wax_runtime_slot *slot) {
  (void)slot;
  return false;
}

static bool verify(const wax_runtime_slot *slot) {
  (void)slot;
  return false;
}

#endif

const wax_runtime_entry_functions wax_runtime_async_pointer_entry = {
    .prepare = prepare,
    .is_ours = is_ours,
    .install = install,
    .remove = remove_entry,
    .verify = verify,
    .leads_to = wax_runtime_entry_holds,
};
