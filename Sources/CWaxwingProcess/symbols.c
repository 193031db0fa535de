/* SPDX-License-Identifier: MIT */

/* The symbols that loaded images define for one another, read where the loader has put them. */

#define _GNU_SOURCE

#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

#include "wax_process_images.h"
#include "wax_process_symbols.h"

/* What the dynamic section of an image says of its symbols. */
typedef struct symbol_table {
  const ElfW(Sym) * symbols;
  const char *names;
  size_t names_size;
  const uint32_t *gnu_hash;
  const ElfW(Word) * hash;
} symbol_table;

/* {== Sorting ======
 *
 * Names of one program begin alike, for dozens of bytes: comparing them whole, each time from the
 * beginning, takes most of the time. Here names are split by eight bytes at a time, and bytes that
 * are known to be equal are not read again. */

typedef struct keyed_symbol {
  uint64_t key; /* the eight bytes of the name that are compared now, as a number */
  const wax_process_symbol *symbol;
} keyed_symbol;

/* Fewer are sorted by insertion. */
#define FEW 12

/* Behind the end of a name are zeros. */
static uint64_t key_at(const wax_process_symbol *symbol, size_t depth) {
  uint64_t key = 0;
  if (symbol->length >= depth + sizeof key)
    memcpy(&key, symbol->name + depth, sizeof key);
  else if (symbol->length > depth)
    memcpy(&key, symbol->name + depth, symbol->length - depth);
  return __builtin_bswap64(key);
}

/* Of equal names the one that comes first in memory. */
static int compare_from(const keyed_symbol *left, const keyed_symbol *right, size_t depth) {
  if (left->key != right->key) return left->key < right->key ? -1 : 1;
  const char *a = left->symbol->name, *b = right->symbol->name;
  if (left->key & 0xff) {
    int order = strcmp(a + depth + sizeof left->key, b + depth + sizeof right->key);
    if (order) return order;
  }
  return (a > b) - (a < b);
}

static int compare_symbols(const void *left, const void *right) {
  const wax_process_symbol *a = left, *b = right;
  int order = strcmp(a->name, b->name);
  return order ? order : (a->name > b->name) - (a->name < b->name);
}

static int compare_keyed(const void *left, const void *right) {
  return compare_symbols(((const keyed_symbol *)left)->symbol,
                         ((const keyed_symbol *)right)->symbol);
}

static void sort_few(keyed_symbol *symbols, size_t count, size_t depth) {
  for (size_t i = 1; i < count; i++) {
    keyed_symbol moved = symbols[i];
    size_t at = i;
    for (; at > 0 && compare_from(&moved, &symbols[at - 1], depth) < 0; at--)
      symbols[at] = symbols[at - 1];
    symbols[at] = moved;
  }
}

static uint64_t median(uint64_t a, uint64_t b, uint64_t c) {
  if (a > b) return b > c ? b : (a > c ? c : a);
  return a > c ? a : (b > c ? c : b);
}

static void swap(keyed_symbol *a, keyed_symbol *b) {
  keyed_symbol kept = *a;
  *a = *b;
  *b = kept;
}

/* `rounds`: how often they may be split before another algorithm takes over, which cannot take time
   by the square of the count. */
static void sort_from(keyed_symbol *symbols, size_t count, size_t depth, int rounds) {
  while (count > FEW) {
    if (rounds-- == 0) {
      qsort(symbols, count, sizeof *symbols, compare_keyed);
      return;
    }
    uint64_t pivot = median(symbols[0].key, symbols[count / 2].key, symbols[count - 1].key);
    size_t less = 0, at = 0, more = count;
    while (at < more) {
      if (symbols[at].key < pivot)
        swap(&symbols[less++], &symbols[at++]);
      else if (symbols[at].key > pivot)
        swap(&symbols[at], &symbols[--more]);
      else
        at++;
    }
    sort_from(symbols, less, depth, rounds);
    sort_from(symbols + more, count - more, depth, rounds);
    symbols += less;
    count = more - less;
    if (!(pivot & 0xff)) { /* the names have ended, and are equal */
      qsort(symbols, count, sizeof *symbols, compare_keyed);
      return;
    }
    depth += sizeof pivot;
    for (size_t i = 0; i < count; i++) symbols[i].key = key_at(symbols[i].symbol, depth);
  }
  sort_few(symbols, count, depth);
}

#define MAX_ROUNDS 256

void wax_process_symbols_sort(wax_process_symbol *symbols, size_t count) {
  keyed_symbol *keyed = malloc(count * sizeof *keyed);
  wax_process_symbol *sorted = malloc(count * sizeof *sorted);
  if (keyed && sorted) {
    for (size_t i = 0; i < count; i++)
      keyed[i] = (keyed_symbol){.key = key_at(&symbols[i], 0), .symbol = &symbols[i]};
    sort_from(keyed, count, 0, MAX_ROUNDS);
    for (size_t i = 0; i < count; i++) sorted[i] = *keyed[i].symbol;
    memcpy(symbols, sorted, count * sizeof *sorted);
  } else if (count) {
    qsort(symbols, count, sizeof *symbols, compare_symbols);
  }
  free(keyed);
  free(sorted);
}

/* ====== }== */

/* The loader turns the section's addresses into those of this process, but for some images of the
   kernel's. */
static const void *address(const struct dl_phdr_info *info, ElfW(Addr) value) {
  return (const void *)(value < info->dlpi_addr ? value + info->dlpi_addr : value);
}

static bool find_table(const struct dl_phdr_info *info, symbol_table *table) {
  *table = (symbol_table){0};
  const ElfW(Dyn) *dynamic = NULL;
  for (int i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
      dynamic = (const ElfW(Dyn) *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
  for (; dynamic && dynamic->d_tag != DT_NULL; dynamic++) {
    switch (dynamic->d_tag) {
      case DT_SYMTAB: table->symbols = address(info, dynamic->d_un.d_ptr); break;
      case DT_STRTAB: table->names = address(info, dynamic->d_un.d_ptr); break;
      case DT_STRSZ: table->names_size = dynamic->d_un.d_val; break;
      case DT_GNU_HASH: table->gnu_hash = address(info, dynamic->d_un.d_ptr); break;
      case DT_HASH: table->hash = address(info, dynamic->d_un.d_ptr); break;
    }
  }
  return table->symbols && table->names && (table->gnu_hash || table->hash);
}

/* No entry of the dynamic section has the number: it is that of the last symbol in a hash chain.
   Symbols that are not hashed, the imported ones, come first. */
static size_t symbol_count(const symbol_table *table) {
  if (table->hash) return table->hash[1];
  uint32_t bucket_count = table->gnu_hash[0];
  uint32_t first = table->gnu_hash[1];
  uint32_t filter_words = table->gnu_hash[2];
  const uint32_t *buckets = table->gnu_hash + 4 + filter_words * (sizeof(ElfW(Addr)) / 4);
  const uint32_t *chains = buckets + bucket_count;
  uint32_t last = 0;
  for (uint32_t i = 0; i < bucket_count; i++)
    if (buckets[i] > last) last = buckets[i];
  if (last < first) return first;
  while (!(chains[last - first] & 1)) last++;
  return (size_t)last + 1;
}

static bool is_wanted(const symbol_table *table, const ElfW(Sym) * symbol) {
  if (symbol->st_shndx == SHN_UNDEF || symbol->st_name + 2u >= table->names_size) return false;
  const char *name = table->names + symbol->st_name;
  return name[0] == '$' && name[1] == 's';
}

static wax_process_symbol read_symbol(const struct dl_phdr_info *info, const symbol_table *table,
                                      const ElfW(Sym) * symbol) {
  const char *name = table->names + symbol->st_name;
  return (wax_process_symbol){
      .name = name,
      .length = (uint32_t)strlen(name),
      .is_function = ELF64_ST_TYPE(symbol->st_info) == STT_FUNC,
      .size = (uint32_t)symbol->st_size,
      .address = info->dlpi_addr + symbol->st_value,
  };
}

typedef struct request {
  uintptr_t base;
  wax_process_symbol *symbols;
  size_t count;
} request;

/* The loader's lock is held: the image stays where it is. */
static int collect(struct dl_phdr_info *info, size_t size, void *data) {
  (void)size;
  request *request = data;
  symbol_table table;
  if (info->dlpi_addr != request->base || !find_table(info, &table)) return 0;
  size_t count = symbol_count(&table);
  for (size_t i = 0; i < count; i++) request->count += is_wanted(&table, &table.symbols[i]);
  request->symbols = malloc((request->count ? request->count : 1) * sizeof *request->symbols);
  size_t written = 0;
  for (size_t i = 0; i < count && request->symbols; i++)
    if (is_wanted(&table, &table.symbols[i]))
      request->symbols[written++] = read_symbol(info, &table, &table.symbols[i]);
  return 1;
}

size_t wax_process_exported_symbols(uintptr_t base, wax_process_symbol **symbols) {
  request request = {.base = base};
  dl_iterate_phdr(collect, &request);
  *symbols = request.symbols;
  if (!request.symbols) return 0;
  wax_process_symbols_sort(request.symbols, request.count);
  return request.count;
}

/* The loader's lock is held: the image stays where it is. */
static int look_for_swift(struct dl_phdr_info *info, size_t size, void *data) {
  (void)size;
  request *request = data;
  symbol_table table;
  if (info->dlpi_addr != request->base || !find_table(info, &table)) return 0;
  request->count = memmem(table.names, table.names_size, "$s", 2) != NULL;
  return 1;
}

bool wax_process_image_is_swift(uintptr_t base) {
  request request = {.base = base};
  dl_iterate_phdr(look_for_swift, &request);
  return request.count > 0;
}

bool wax_process_image_keep(const char *path) {
  return dlopen(path, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE) != NULL;
}

bool wax_process_image_load(const char *path) {
  return dlopen(path, RTLD_NOW | RTLD_GLOBAL) != NULL;
}

const char *wax_process_symbol_at(const void *address) {
  Dl_info info;
  if (!dladdr(address, &info) || info.dli_saddr != address) return NULL;
  return info.dli_sname;
}

const char *wax_process_image_path(const void *address) {
  Dl_info info;
  return dladdr(address, &info) ? info.dli_fname : NULL;
}

typedef struct search {
  uintptr_t address;
  uintptr_t base;
  bool found;
} search;

static int find_image(struct dl_phdr_info *info, size_t size, void *data) {
  (void)size;
  search *search = data;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    if (info->dlpi_phdr[i].p_type != PT_LOAD) continue;
    uintptr_t start = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
    if (search->address - start >= info->dlpi_phdr[i].p_memsz) continue;
    search->base = info->dlpi_addr;
    search->found = true;
    return 1;
  }
  return 0;
}

bool wax_process_image_base(uintptr_t address, uintptr_t *base) {
  search search = {.address = address};
  dl_iterate_phdr(find_image, &search);
  *base = search.base;
  return search.found;
}

static int count_images(struct dl_phdr_info *info, size_t size, void *data) {
  (void)size;
  *(uint64_t *)data = info->dlpi_adds;
  return 1;
}

uint64_t wax_process_images_added(void) {
  uint64_t added = 0;
  dl_iterate_phdr(count_images, &added);
  return added;
}

/* {== Names in symbols ====== */

/* Whether there is a 0 that is not inside a larger number. */
static bool has_words(const char *symbol, size_t length) {
  const char *end = symbol + length;
  for (const char *at = symbol; at < end && (at = memchr(at, '0', (size_t)(end - at))); at++) {
    if (at == symbol || at[-1] < '0' || at[-1] > '9') return true;
  }
  return false;
}

bool wax_process_symbol_may_have(const void *symbol, size_t length, const void *spelled,
                                 size_t spelled_length) {
  return memmem(symbol, length, spelled, spelled_length) != NULL || has_words(symbol, length);
}

/* ====== }== */

int wax_process_return_addresses(uintptr_t *addresses, int most) {
  return backtrace((void **)addresses, most);
}
