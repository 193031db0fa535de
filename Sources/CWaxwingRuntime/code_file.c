/* SPDX-License-Identifier: MIT */

/* The code of a function as the file of its image has it. What is in memory may be changed: by a
 * debugger, by the kernel for a probe, by another tool. Only what is as in the file is ours. */

#define _GNU_SOURCE

#include "code.h"

#if WAX_RUNTIME_CPU_SUPPORTED

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

typedef struct code_place {
  uintptr_t at;
  char path[4096];
  uint64_t offset; /* in the file */
  size_t rest;     /* of the segment in the file */
} code_place;

static int find_place(struct dl_phdr_info *image, size_t size, void *result) {
  (void)size;
  code_place *place = result;
  for (int i = 0; i < image->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &image->dlpi_phdr[i];
    uintptr_t start = image->dlpi_addr + segment->p_vaddr;
    bool is_there = segment->p_type == PT_LOAD && (segment->p_flags & PF_X) && place->at >= start &&
                    place->at - start < segment->p_filesz;
    if (!is_there) continue;
    const char *name = image->dlpi_name[0] ? image->dlpi_name : "/proc/self/exe";
    if (strlen(name) >= sizeof place->path) return 0;
    strcpy(place->path, name);
    place->offset = segment->p_offset + (place->at - start);
    place->rest = segment->p_filesz - (place->at - start);
    return 1;
  }
  return 0;
}

static bool read_all(int file, uint8_t *bytes, size_t size, uint64_t offset) {
  while (size > 0) {
    ssize_t got = pread(file, bytes, size, (off_t)offset);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    bytes += got;
    size -= (size_t)got;
    offset += (uint64_t)got;
  }
  return true;
}

wax_runtime_claim wax_runtime_code_read_file(const void *code, size_t size, uint8_t *bytes) {
  code_place place = {.at = (uintptr_t)code};
  if (!dl_iterate_phdr(find_place, &place)) return WAX_RUNTIME_CLAIM_NO_CODE;
  int file = open(place.path, O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    wax_runtime_refuse_number(errno);
    return WAX_RUNTIME_CLAIM_CODE_FILE;
  }
  /* What would be behind the code is no instruction. */
  size_t there = size < place.rest ? size : place.rest;
  memset(bytes + there, 0, size - there);
  errno = 0;
  bool is_read = read_all(file, bytes, there, place.offset);
  if (!is_read) wax_runtime_refuse_number(errno);
  close(file);
  return is_read ? WAX_RUNTIME_CLAIM_OK : WAX_RUNTIME_CLAIM_CODE_FILE;
}

bool wax_runtime_code_read_live(const void *code, size_t size, uint8_t *bytes) {
  code_place place = {.at = (uintptr_t)code};
  if (!dl_iterate_phdr(find_place, &place)) return false;
  size_t there = size < place.rest ? size : place.rest;
  memcpy(bytes, code, there);
  memset(bytes + there, 0, size - there);
  return true;
}

#endif
