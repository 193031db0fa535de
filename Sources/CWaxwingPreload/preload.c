/* SPDX-License-Identifier: MIT */

/* Starts the engine when everything that the program has to do before its `main` is done.
 *
 * The constructor of this library comes too early for that: it runs before those of the program, in
 * which the program tells Swift's runtime of its types. It only puts the environment back to what
 * it was, as programs that this one starts are not to have the engine. `__libc_start_main` is
 * defined here, in front of the C library's: the program's first instructions call it with `main`,
 * and get a `main` that starts the engine and then becomes the program's. */

#define _GNU_SOURCE

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "wax_preload.h"
#include "wax_process_describe.h"
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

typedef int main_function(int, char **, char **);
typedef int start_function(main_function *, int, char **, void (*)(void), void (*)(void),
                           void (*)(void), void *);

/* What the environment has asked for. */
static struct {
  bool starts; /* false: whoever asks for a description wants no socket */
  bool must_listen, allows_unsigned;
  char *instance;
  int description; /* the pipe for the description that is asked for; -1: none */
} request = {.description = -1};

/* The program's constructors tell the runtime of its types: it is described after them. */
const char waxwing_describes_later = 0;

/* NULL until the program has asked the C library to start it. */
static main_function *program_main;

/* What the C library calls in place of the program's `main`, after the program's constructors. */
static int start_engine(int count, char **arguments, char **environment) {
  (void)environment;
  if (request.description >= 0) {
    waxwing_describe(request.description);
    _exit(0);
  }
  if (request.starts)
    waxwing_preload_begin(request.must_listen, request.allows_unsigned, request.instance);
  free(request.instance);
  request.instance = NULL;
  /* The engine may have moved the environment. */
  __attribute__((musttail)) return program_main(count, arguments, environ);
}

static int start_program(main_function *entry, int count, char **arguments, void (*init)(void),
                         void (*fini)(void), void (*loader_fini)(void), void *stack_end) {
  start_function *real = (start_function *)dlsym(RTLD_NEXT, "__libc_start_main");
  if (!real) { /* as impossible as a program without a C library */
    fputs("waxwing: the C library has no __libc_start_main\n", stderr);
    abort();
  }
  program_main = entry;
  return real(start_engine, count, arguments, init, fini, loader_fini, stack_end);
}

__attribute__((visibility("default"), alias("start_program"))) start_function __libc_start_main;

/* Says why the engine may never start: another library is asked first, and may not pass it on. */
static void check_order(void) {
  Dl_info other;
  void *first = dlsym(RTLD_DEFAULT, "__libc_start_main");
  if (first == (void *)start_program || !first || !dladdr(first, &other)) return;
  fprintf(stderr,
          "waxwing: warning: %s starts the program in Waxwing's place: patches may not be started\n"
          "waxwing: hint: name libWaxwingPreload.so first in LD_PRELOAD\n",
          other.dli_fname);
}

__attribute__((constructor)) static void waxwing_preload_prepare(void) {
  if (getenv("WAXWING_DESCRIBE")) {
    request.description = wax_process_take_described_pipe();
    leave_preload();
    restore_library_path();
    return;
  }
  const char *wanted = getenv(WAX_PRELOAD_REQUEST);
  request.starts = true;
  request.must_listen = wanted != NULL;
  request.allows_unsigned = wanted && strcmp(wanted, WAX_PRELOAD_UNSIGNED) == 0;
  /* The environment is about to change. */
  const char *named = getenv(WAX_PRELOAD_INSTANCE);
  request.instance = named ? strdup(named) : NULL;
  leave_preload();
  restore_library_path();
  unsetenv(WAX_PRELOAD_REQUEST);
  unsetenv(WAX_PRELOAD_INSTANCE);
  check_order();
}

__attribute__((destructor)) static void waxwing_preload_end(void) {
  if (!request.starts || program_main) return;
  fputs("waxwing: warning: no patch was started, as the program was not started by the C library's "
        "__libc_start_main\n",
        stderr);
}
