/* SPDX-License-Identifier: MIT */

/* What entries of several kinds need. */

#define _GNU_SOURCE

#include "entry.h"

#include <link.h>
#include <stdint.h>

typedef struct place {
  uintptr_t at;
  size_t size;
} place;

static int find_data(struct dl_phdr_info *image, size_t size, void *wanted) {
  (void)size;
  const place *place = wanted;
  bool is_data = false;
  for (int i = 0; i < image->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &image->dlpi_phdr[i];
    uintptr_t start = image->dlpi_addr + segment->p_vaddr;
    bool is_there = place->at >= start && place->at + place->size <= start + segment->p_memsz;
    if (!is_there) continue;
    if (segment->p_type == PT_GNU_RELRO) return 0;
    is_data |= segment->p_type == PT_LOAD && (segment->p_flags & PF_W);
  }
  return is_data;
}

bool wax_runtime_is_data(const void *at, size_t size) {
  place place = {(uintptr_t)at, size};
  return place.at % sizeof(void *) == 0 && dl_iterate_phdr(find_data, &place) != 0;
}
