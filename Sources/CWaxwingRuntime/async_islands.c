/* SPDX-License-Identifier: MIT */

/* Islands of async functions. A call that arrives there has a context of the size that the function
 * wants, which may be too small for a stub: it gets one of its own on the way
 * (wax_runtime_async_island_common).
 *
 * Islands are pages of our own code, mapped once more from our file near those who lead there, each
 * with a page of data behind it: no code is written, and none has to be writable. The same data
 * have a record of their own that leads to the original, by which it is called. */

#define _GNU_SOURCE

#include "async_islands.h"

#if WAX_RUNTIME_CPU_SUPPORTED

#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

_Static_assert(sizeof(wax_runtime_async_island) == WAX_RUNTIME_ISLAND_SIZE,
               "islands compute where it is");
_Static_assert(offsetof(wax_runtime_async_island, original) % sizeof(void *) == 0,
               "read as one word");

#define PAGE WAX_RUNTIME_ISLAND_PAGE
#define ISLANDS (PAGE / WAX_RUNTIME_ISLAND_SIZE)

typedef struct island_page {
  char code[PAGE];
  wax_runtime_async_island data[ISLANDS];
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

wax_runtime_async_island *wax_runtime_async_island_take(const void *record) {
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

void wax_runtime_async_island_return(const wax_runtime_async_island *island) {
  for (size_t i = 0; i < page_count; i++) {
    if (&pages[i].page->data[pages[i].used - 1] == island) pages[i].used--;
  }
}

#endif
