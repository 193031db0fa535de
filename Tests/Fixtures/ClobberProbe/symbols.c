/* SPDX-License-Identifier: MIT */

/* Symbols of this executable by demangled name, for tests only: it trusts the file. */

#define _GNU_SOURCE

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clobber_probe.h"

extern char *swift_demangle(const char *name, size_t length, char *output, size_t *size,
                            uint32_t flags);

static const char *image;
static uintptr_t base;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static int take_first_base(struct dl_phdr_info *info, size_t size, void *data) {
  (void)size, (void)data;
  base = info->dlpi_addr;
  return 1;
}

static void map_executable(void) {
  dl_iterate_phdr(take_first_base, NULL);
  int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  struct stat status;
  if (file < 0 || fstat(file, &status) != 0) return;
  void *mapped = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
  close(file);
  if (mapped != MAP_FAILED) image = mapped;
}

/* A replacement entry. */
struct point {
  char *demangled; /* of its function, as is what follows */
  char *mangled;
  uintptr_t value; /* of the entry */
};

/* All of them: to demangle them takes a second or so. */
static struct point *points;
static size_t point_count;
static pthread_once_t points_once = PTHREAD_ONCE_INIT;

typedef bool (*visitor)(const char *name, const Elf64_Sym *symbol, void *context);

/* Until one answers true. */
static bool visit_symbols(visitor visit, void *context) {
  pthread_once(&once, map_executable);
  if (!image) return false;
  const Elf64_Ehdr *header = (const Elf64_Ehdr *)image;
  const Elf64_Shdr *sections = (const Elf64_Shdr *)(image + header->e_shoff);
  for (int i = 0; i < header->e_shnum; i++) {
    if (sections[i].sh_type != SHT_SYMTAB) continue;
    const Elf64_Sym *symbols = (const Elf64_Sym *)(image + sections[i].sh_offset);
    const char *names = image + sections[sections[i].sh_link].sh_offset;
    for (size_t k = 0; k < sections[i].sh_size / sizeof *symbols; k++) {
      if (symbols[k].st_value && visit(names + symbols[k].st_name, &symbols[k], context))
        return true;
    }
  }
  return false;
}

struct search {
  const char *text;
  char *mangled;
  uintptr_t value;
  size_t size;
};

static bool add_point(const char *name, const Elf64_Sym *symbol, void *context) {
  (void)context;
  size_t length = strlen(name);
  if (strncmp(name, "$s", 2) != 0 || length < 4 || strcmp(name + length - 2, "TX") != 0)
    return false;
  if ((point_count & (point_count - 1)) == 0) {
    size_t capacity = point_count ? 2 * point_count : 1;
    struct point *grown = realloc(points, capacity * sizeof *points);
    if (!grown) abort();
    points = grown;
  }
  points[point_count++] = (struct point){
      .demangled = swift_demangle(name, length - 2, NULL, NULL, 0),
      .mangled = strndup(name, length - 2),
      .value = symbol->st_value,
  };
  return false;
}

static bool is_named(const char *name, const Elf64_Sym *symbol, void *context) {
  struct search *search = context;
  if (strcmp(name, search->text) != 0) return false;
  search->value = symbol->st_value;
  search->size = symbol->st_size;
  return true;
}

static void read_points(void) { visit_symbols(add_point, NULL); }

static bool holds_address(const char *name, const Elf64_Sym *symbol, void *context) {
  struct search *search = context;
  int type = ELF64_ST_TYPE(symbol->st_info);
  if (type != STT_FUNC && type != STT_OBJECT) return false;
  if (search->value - symbol->st_value >= symbol->st_size) return false;
  search->mangled = strdup(name);
  return true;
}

bool probe_patch_point(const char *part, void ***entry, void **function) {
  pthread_once(&points_once, read_points);
  for (size_t i = 0; i < point_count; i++) {
    if (!points[i].demangled || !strstr(points[i].demangled, part)) continue;
    struct search search = {.text = points[i].mangled};
    bool found = visit_symbols(is_named, &search);
    *entry = (void **)(base + points[i].value);
    *function = (void *)(base + search.value);
    return found;
  }
  return false;
}

bool probe_code(const char *symbol, void **code, size_t *size) {
  struct search search = {.text = symbol};
  if (!visit_symbols(is_named, &search)) return false;
  *code = (void *)(base + search.value);
  *size = search.size;
  return true;
}

char *probe_function_name(const void *address) {
  struct search search = {.value = (uintptr_t)address - base};
  if (!visit_symbols(holds_address, &search)) return strdup("?");
  char *demangled = swift_demangle(search.mangled, strlen(search.mangled), NULL, NULL, 0);
  if (!demangled) return search.mangled;
  free(search.mangled);
  return demangled;
}

char *probe_symbol(const void *address) {
  Dl_info info;
  if (dladdr(address, &info) && info.dli_saddr == address) return strdup(info.dli_sname);
  struct search search = {.value = (uintptr_t)address - base};
  return visit_symbols(holds_address, &search) ? search.mangled : NULL;
}
