/* SPDX-License-Identifier: MIT */

/* The images of this process. */

#define _GNU_SOURCE

#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include "wax_process_images.h"

typedef struct visit {
  wax_process_image_visitor visitor;
  void *context;
} visit;

static int forward(struct dl_phdr_info *info, size_t size, void *data) {
  (void)size;
  visit *request = data;
  request->visitor(request->context, info->dlpi_name, info->dlpi_addr);
  return 0;
}

void wax_process_for_each_image(wax_process_image_visitor visitor, void *context) {
  visit request = {visitor, context};
  dl_iterate_phdr(forward, &request);
}

const void *wax_process_program_headers(void) { return (const void *)getauxval(AT_PHDR); }

/* {== References ====== */

typedef struct reference_search {
  uintptr_t base;
  const uintptr_t *targets;
  size_t count;
  wax_process_reference *found;
  size_t most;
  size_t references;
  uint8_t *filter; /* NULL: none */
} reference_search;

/* The index of a target; `count` if there is none of this address. */
static size_t index_of(const reference_search *search, uintptr_t address) {
  size_t low = 0;
  size_t high = search->count;
  if (address < search->targets[0] || address > search->targets[high - 1]) return search->count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (search->targets[middle] < address) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < search->count && search->targets[low] == address ? low : search->count;
}

/* Which of 2^FILTER_BITS groups of addresses have a target: most addresses are told from these by
 * one bit. */
#define FILTER_BITS 22
#define FILTER_SIZE (((size_t)1 << FILTER_BITS) / 8)

static size_t filter_bit(uintptr_t address) {
  return (size_t)(address >> 3) & (((size_t)1 << FILTER_BITS) - 1);
}

/* NULL: there is no memory for it. */
static uint8_t *make_filter(const uintptr_t *targets, size_t count) {
  uint8_t *filter = calloc(1, FILTER_SIZE);
  for (size_t i = 0; filter && i < count; i++) {
    size_t bit = filter_bit(targets[i]);
    filter[bit / 8] |= (uint8_t)(1 << bit % 8);
  }
  return filter;
}

static bool may_be_target(const reference_search *search, uintptr_t address) {
  size_t bit = filter_bit(address);
  return !search->filter || (search->filter[bit / 8] >> bit % 8 & 1) != 0;
}

static void search_code(reference_search *search, uintptr_t start, uintptr_t end) {
  for (uintptr_t place = start; place + sizeof(int32_t) <= end; place++) {
    int32_t distance;
    memcpy(&distance, (const void *)place, sizeof distance);
    uintptr_t target = place + sizeof distance + (uintptr_t)(intptr_t)distance;
    if (!may_be_target(search, target) || index_of(search, target) == search->count) continue;
    if (search->references < search->most) {
      search->found[search->references] = (wax_process_reference){place, target};
    }
    search->references++;
  }
}

static int search_image(struct dl_phdr_info *info, size_t size, void *data) {
  (void)size;
  reference_search *search = data;
  if (info->dlpi_addr != search->base) return 0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
    const uint32_t code = PF_R | PF_X;
    if (segment->p_type != PT_LOAD || (segment->p_flags & code) != code) continue;
    uintptr_t start = info->dlpi_addr + segment->p_vaddr;
    search_code(search, start, start + segment->p_filesz);
  }
  return 1;
}

size_t wax_process_references(uintptr_t base, const uintptr_t *targets, size_t count,
                              wax_process_reference *found, size_t most) {
  if (count == 0) return 0;
  reference_search search = {base, targets, count, found, most, 0, make_filter(targets, count)};
  dl_iterate_phdr(search_image, &search);
  free(search.filter);
  return search.references;
}

typedef struct word_search {
  reference_search targets;
  bool *is_there;
} word_search;

/* What the address sanitizer puts between variables is data of the image, too. */
__attribute__((no_sanitize("address"))) static void search_words(word_search *search,
                                                                 uintptr_t start, uintptr_t end) {
  uintptr_t first = (start + sizeof(uintptr_t) - 1) & ~(sizeof(uintptr_t) - 1);
  for (uintptr_t place = first; place + sizeof(uintptr_t) <= end; place += sizeof(uintptr_t)) {
    /* Others may write it meanwhile. */
    uintptr_t word = __atomic_load_n((const uintptr_t *)place, __ATOMIC_RELAXED);
    size_t index = index_of(&search->targets, word);
    if (index < search->targets.count) search->is_there[index] = true;
  }
}

static int search_data(struct dl_phdr_info *info, size_t size, void *data) {
  (void)size;
  word_search *search = data;
  if (info->dlpi_addr != search->targets.base) return 0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
    if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_R) || (segment->p_flags & PF_X))
      continue;
    uintptr_t start = info->dlpi_addr + segment->p_vaddr;
    search_words(search, start, start + segment->p_filesz);
  }
  return 1;
}

void wax_process_words_in_data(uintptr_t base, const uintptr_t *targets, size_t count,
                               bool *is_there) {
  memset(is_there, 0, count * sizeof *is_there);
  if (count == 0) return;
  word_search search = {{.base = base, .targets = targets, .count = count}, is_there};
  dl_iterate_phdr(search_data, &search);
}

/* ====== }== */
