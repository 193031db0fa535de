/* SPDX-License-Identifier: MIT */

/* Symbols of this executable by demangled name, for tests only: it trusts the file. */

#define _GNU_SOURCE

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

static bool demangles_to(const char *mangled, size_t length, const char *expected) {
  if (strncmp(mangled, "$s", 2) != 0) return false;
  char *demangled = swift_demangle(mangled, length, NULL, NULL, 0);
  bool same = demangled && strcmp(demangled, expected) == 0;
  free(demangled);
  return same;
}

static void *find(const char *demangled, const char *suffix) {
  pthread_once(&once, map_executable);
  if (!image) return NULL;
  const Elf64_Ehdr *header = (const Elf64_Ehdr *)image;
  const Elf64_Shdr *sections = (const Elf64_Shdr *)(image + header->e_shoff);
  size_t suffix_length = strlen(suffix);
  for (int i = 0; i < header->e_shnum; i++) {
    if (sections[i].sh_type != SHT_SYMTAB) continue;
    const Elf64_Sym *symbols = (const Elf64_Sym *)(image + sections[i].sh_offset);
    const char *names = image + sections[sections[i].sh_link].sh_offset;
    for (size_t k = 0; k < sections[i].sh_size / sizeof *symbols; k++) {
      const char *name = names + symbols[k].st_name;
      size_t length = strlen(name);
      if (length <= suffix_length || strcmp(name + length - suffix_length, suffix) != 0) continue;
      if (symbols[k].st_value == 0 || !strstr(name, "Fixture")) continue;
      if (demangles_to(name, length - suffix_length, demangled))
        return (void *)(base + symbols[k].st_value);
    }
  }
  return NULL;
}

void *probe_symbol(const char *demangled) { return find(demangled, ""); }
void **probe_entry(const char *demangled) { return find(demangled, "TX"); }
