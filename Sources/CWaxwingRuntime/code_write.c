/* SPDX-License-Identifier: MIT */

/* Writing into code. No page is ever writable and executable.
 *
 * The process's memory is a file, in which the kernel lets the process write whatever the
 * protection of a page is. The page stays the private copy of its file, and keeps its name for
 * debuggers and profilers. The file is opened anew for every batch: one that was opened before a
 * fork is the parent's memory, in the child too.
 *
 * Where that is forbidden, the page is mapped anew, from a file in memory with what it is to
 * hold: a private mapping, of a file that nobody writes any more, so that a fork's child and its
 * parent stay apart. A thread that runs in the page at that time finds the old one or the new one:
 * the kernel replaces a mapping under a lock that page faults take. */

#define _GNU_SOURCE

#include "code.h"

#if WAX_RUNTIME_CPU_SUPPORTED

#include <errno.h>
#include <fcntl.h>
#include <linux/membarrier.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PAGE ((size_t)4096)

static _Atomic bool maps_pages;

void wax_runtime_code_write_by_mapping(bool maps) {
  atomic_store_explicit(&maps_pages, maps, memory_order_relaxed);
}

wax_runtime_code_writer wax_runtime_code_begin_writing(void) {
  wax_runtime_code_writer writer = {.memory = -1};
  /* The main thread may have ended, and /proc/self be without memory. */
  if (!atomic_load_explicit(&maps_pages, memory_order_relaxed))
    writer.memory = open("/proc/thread-self/mem", O_RDWR | O_CLOEXEC);
  return writer;
}

void wax_runtime_code_end_writing(wax_runtime_code_writer *writer) {
  if (writer->memory >= 0) close(writer->memory);
  writer->memory = -1;
}

static bool write_memory(wax_runtime_code_writer *writer, uint8_t *to, const uint8_t *bytes,
                         size_t size) {
  ssize_t written;
  do written = pwrite(writer->memory, bytes, size, (off_t)(uintptr_t)to);
  while (written < 0 && errno == EINTR);
  if (written == (ssize_t)size) return true;
  writer->error_number = written < 0 ? errno : EIO;
  return false;
}

static bool write_whole_file(int file, const uint8_t *bytes, size_t size) {
  while (size > 0) {
    ssize_t written = write(file, bytes, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes += written;
    size -= (size_t)written;
  }
  return true;
}

static bool map_page(wax_runtime_code_writer *writer, uint8_t *page, const uint8_t *bytes) {
  int file = memfd_create("waxwing code", MFD_CLOEXEC);
  bool is_mapped =
      file >= 0 && write_whole_file(file, bytes, PAGE) &&
      mmap(page, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED, file, 0) != MAP_FAILED;
  if (!is_mapped) writer->error_number = errno ? errno : EIO;
  if (file >= 0) close(file);
  return is_mapped;
}

static bool write_pages(wax_runtime_code_writer *writer, uint8_t *to, const uint8_t *bytes,
                        size_t size) {
  while (size > 0) {
    uint8_t contents[PAGE];
    size_t offset = (uintptr_t)to % PAGE, here = PAGE - offset < size ? PAGE - offset : size;
    memcpy(contents, to - offset, PAGE);
    memcpy(contents + offset, bytes, here);
    if (!map_page(writer, to - offset, contents)) return false;
    to += here;
    bytes += here;
    size -= here;
  }
  return true;
}

bool wax_runtime_code_write(wax_runtime_code_writer *writer, uint8_t *to, const uint8_t *bytes,
                            size_t size) {
  bool is_written = writer->memory >= 0 && write_memory(writer, to, bytes, size);
  if (!is_written && !write_pages(writer, to, bytes, size)) return false;
  for (size_t i = 0; i < size; i++) {
    if (((volatile const uint8_t *)to)[i] == bytes[i]) continue;
    writer->error_number = EIO;
    return false;
  }
  return true;
}

static bool command(int which) { return syscall(SYS_membarrier, which, 0, 0) == 0; }

bool wax_runtime_code_synchronize(wax_runtime_code_writer *writer) {
  if (command(MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE)) return true;
  /* Not registered: the first time. */
  if (errno == EPERM && command(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE) &&
      command(MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE))
    return true;
  writer->error_number = errno;
  return false;
}

#else

void wax_runtime_code_write_by_mapping(bool maps) { (void)maps; }

#endif
