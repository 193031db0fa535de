/* SPDX-License-Identifier: MIT */

/* Runs before the program's `main`. The programs that this one starts are not to have the engine:
 * the environment is put back to what it was. */

#define _GNU_SOURCE

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "wax_preload.h"
#include "wax_process_preload.h"

/* Whether a word of LD_PRELOAD is this library: its path, or its name if it was searched for. */
static bool is_own(const char *word, size_t length, const char *path) {
  const char *slash = strrchr(path, '/');
  const char *own = slash && !memchr(word, '/', length) ? slash + 1 : path;
  return strlen(own) == length && memcmp(word, own, length) == 0;
}

/* Takes this library out of LD_PRELOAD, whose words are separated by spaces or colons. */
static void leave_preload(void) {
  Dl_info own;
  const char *all = getenv("LD_PRELOAD");
  if (!all || !dladdr((const void *)leave_preload, &own) || !own.dli_fname) return;
  char *rest = calloc(1, strlen(all) + 1);
  if (!rest) return;
  size_t length = 0;
  for (const char *at = all; *at;) {
    size_t separators = strspn(at, " :");
    size_t word = strcspn(at + separators, " :");
    const char *name = at + separators;
    if (word > 0 && !is_own(name, word, own.dli_fname)) {
      if (length > 0) rest[length++] = ':';
      memcpy(rest + length, name, word);
      length += word;
    }
    at = name + word;
  }
  if (length > 0)
    setenv("LD_PRELOAD", rest, 1);
  else
    unsetenv("LD_PRELOAD");
  free(rest);
}

static void restore_library_path(void) {
  const char *before = getenv(WAX_PRELOAD_LIBRARY_PATH);
  if (!before) return;
  if (*before)
    setenv("LD_LIBRARY_PATH", before, 1);
  else
    unsetenv("LD_LIBRARY_PATH");
  unsetenv(WAX_PRELOAD_LIBRARY_PATH);
}

__attribute__((constructor)) static void waxwing_preload_start(void) {
  /* Who asks for a description wants no socket. */
  if (getenv("WAXWING_DESCRIBE")) return;
  const char *request = getenv(WAX_PRELOAD_REQUEST);
  bool must_listen = request != NULL;
  bool allows_unsigned = request && strcmp(request, WAX_PRELOAD_UNSIGNED) == 0;
  /* The environment is about to change. */
  const char *named = getenv(WAX_PRELOAD_INSTANCE);
  char *instance = named ? strdup(named) : NULL;
  leave_preload();
  restore_library_path();
  unsetenv(WAX_PRELOAD_REQUEST);
  unsetenv(WAX_PRELOAD_INSTANCE);
  waxwing_preload_begin(must_listen, allows_unsigned, instance);
  free(instance);
}
