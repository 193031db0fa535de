/* SPDX-License-Identifier: MIT */

/* Says when the program has loaded images, before it can call anything in them.
 *
 * The dynamic linker tells nobody, so dlopen is defined here, in front of the C library's: a
 * program that has this code in itself, or is linked with it, calls this one, and so do its
 * libraries. While nobody wants to know, it jumps on to the real one as if it were not there. */

#define _GNU_SOURCE

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "wax_process_images.h"
#include "wax_process.h"

typedef void *dlopen_function(const char *, int);

static _Atomic(wax_process_images_watcher) watcher;
static _Atomic(dlopen_function *) real_dlopen;

static dlopen_function *find_real(void) {
  dlopen_function *real = atomic_load_explicit(&real_dlopen, memory_order_relaxed);
  if (real) return real;
  real = (dlopen_function *)dlsym(RTLD_NEXT, "dlopen");
  if (!real) { /* as impossible as a program without a C library */
    fputs("waxwing: the C library has no dlopen\n", stderr);
    abort();
  }
  atomic_store_explicit(&real_dlopen, real, memory_order_relaxed);
  return real;
}

/* Writes the path of `file` if it is in a folder that the image at `caller` says to search; the
 * linker would look for the image that calls it, which is not the program's then. */
static bool find_for(const void *caller, const char *file, char path[PATH_MAX]) {
  Dl_info info;
  struct link_map *image = NULL;
  Dl_serinfo size;
  if (!dladdr1(caller, &info, (void **)&image, RTLD_DL_LINKMAP) || !image) return false;
  if (dlinfo(image, RTLD_DI_SERINFOSIZE, &size) != 0) return false;
  Dl_serinfo *folders = malloc(size.dls_size);
  if (!folders) return false;
  bool found = false;
  if (dlinfo(image, RTLD_DI_SERINFOSIZE, folders) == 0 &&
      dlinfo(image, RTLD_DI_SERINFO, folders) == 0) {
    for (unsigned i = 0; i < folders->dls_cnt && !found; i++) {
      int length = snprintf(path, PATH_MAX, "%s/%s", folders->dls_serpath[i].dls_name, file);
      found = length > 0 && length < PATH_MAX && access(path, R_OK) == 0;
    }
  }
  free(folders);
  return found;
}

static void *load(dlopen_function *real, const char *file, int mode, const void *caller) {
  char path[PATH_MAX];
  if (!file || !*file || strchr(file, '/')) return real(file, mode);
  void *loaded = real(file, mode | RTLD_NOLOAD);
  if (loaded || (mode & RTLD_NOLOAD)) return loaded;
  return real(find_for(caller, file, path) ? path : file, mode);
}

static void *open_image(const char *file, int mode) {
  dlopen_function *real = find_real();
  wax_process_images_watcher tell = atomic_load_explicit(&watcher, memory_order_acquire);
  if (!tell) __attribute__((musttail)) return real(file, mode);
  uint64_t before = wax_process_images_added();
  void *image = load(real, file, mode, __builtin_return_address(0));
  if (wax_process_images_added() != before && !wax_process_is_forked_child()) tell();
  return image;
}

/* Weak: a program that defines its own keeps it. */
__attribute__((weak, visibility("default"), alias("open_image"))) void *dlopen(const char *file,
                                                                               int mode);

bool wax_process_watch_images(wax_process_images_watcher tell) {
  if ((void *)dlopen != (void *)open_image) return false;
  atomic_store_explicit(&watcher, tell, memory_order_release);
  return true;
}
