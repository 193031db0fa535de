/* SPDX-License-Identifier: MIT */

/* The two functions of the Swift runtime behind replacement entries, for the whole program.
 *
 * A dynamic function begins with swift_getFunctionReplacement(&entry, self): NULL means "run your
 * own body", anything else is jumped to. To call the body of a function whose entry is replaced,
 * the runtime's swift_getOrigOfReplaceable sets a mark on the thread, which the next look-up that
 * finds *any* entry replaced consumes. Were the entry written back in between, the mark would
 * stray: the next replaced function on the thread would run its own body, once. Nothing but waiting
 * for all calls in flight could prevent that.
 *
 * So a program that links Waxwing has both functions from here. They are ordinary symbols of the
 * standard library (FunctionReplacement.cpp in the compiler's stdlib/public/runtime, Swift 6.3: in
 * the static library they have an object file of their own), and a program's own definition comes
 * before a library's, for its shared libraries too. Our marks name the entry that they are for, and
 * the look-up of that entry consumes them whether it finds it replaced or not. It is the first
 * thing that the marked function does: a mark lives for a few instructions, and cannot stray.
 * Entries are written back at once, whoever is inside.
 *
 * Replacements that are written in Swift (`@_dynamicReplacement`) know no entry: their marks are
 * for any that is replaced, as the runtime's are. */

#define _GNU_SOURCE

#include "wax_runtime_lookup.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdint.h>
#include <string.h>

#include "cpu.h"

#if WAX_RUNTIME_CPU_SUPPORTED

#define ANY_ENTRY ((const void *)1)
#define WATCHED ((const void *)2)

_Thread_local const void *wax_runtime_lookup_mark;

/* Of a look-up that the self-check watches. */
static _Thread_local wax_runtime_lookup_record watched;
static _Thread_local const void *watched_replacement;

const void *swift_getFunctionReplacement(const void *const *entry, const void *function);
const void *swift_getOrigOfReplaceable(const void *const *original);

static const void *watch(const void *const *entry, const void *function) {
  wax_runtime_lookup_mark = NULL;
  watched = (wax_runtime_lookup_record){entry, function};
  return watched_replacement;
}

const void *swift_getFunctionReplacement(const void *const *entry, const void *function) {
  const void *replacement = __atomic_load_n(entry, __ATOMIC_RELAXED);
  if (__builtin_expect(wax_runtime_lookup_mark != NULL, 0)) {
    if (wax_runtime_lookup_mark == WATCHED) return watch(entry, function);
    bool is_replaced = replacement != function;
    if (wax_runtime_lookup_mark == entry || (wax_runtime_lookup_mark == ANY_ENTRY && is_replaced)) {
      wax_runtime_lookup_mark = NULL;
      return NULL;
    }
  }
  return replacement == function ? NULL : replacement;
}

/* A stub of ours asks no entry: a mark would stray to the first replaced function that its handlers
 * call. It is there if a library that was loaded under an override has replaced the function too.
 */
const void *swift_getOrigOfReplaceable(const void *const *original) {
  const void *word = __atomic_load_n(original, __ATOMIC_RELAXED);
  if (!wax_runtime_is_stub(word)) wax_runtime_lookup_mark = ANY_ENTRY;
  return word;
}

void wax_runtime_lookup_watch(const void *replacement) {
  watched = (wax_runtime_lookup_record){NULL, NULL};
  watched_replacement = replacement;
  wax_runtime_lookup_mark = WATCHED;
}

wax_runtime_lookup_record wax_runtime_lookup_watched(void) {
  if (wax_runtime_lookup_mark == WATCHED) wax_runtime_lookup_mark = NULL;
  return watched;
}

/* {== Whether they are the program's ====== */

static const char name[] = "swift_getFunctionReplacement";

typedef struct image {
  uintptr_t bias;
  const ElfW(Sym) * symbols;
  const char *strings;
  const ElfW(Rela) * tables[2];
  size_t counts[2];
  bool is_symbolic;
} image;

static image read_image(const struct link_map *map) {
  image result = {.bias = map->l_addr};
  for (const ElfW(Dyn) *at = map->l_ld; at && at->d_tag != DT_NULL; at++) {
    switch (at->d_tag) {
      case DT_SYMTAB: result.symbols = (const void *)at->d_un.d_ptr; break;
      case DT_STRTAB: result.strings = (const void *)at->d_un.d_ptr; break;
      case DT_JMPREL: result.tables[0] = (const void *)at->d_un.d_ptr; break;
      case DT_PLTRELSZ: result.counts[0] = at->d_un.d_val / sizeof(ElfW(Rela)); break;
      case DT_RELA: result.tables[1] = (const void *)at->d_un.d_ptr; break;
      case DT_RELASZ: result.counts[1] = at->d_un.d_val / sizeof(ElfW(Rela)); break;
      case DT_SYMBOLIC: result.is_symbolic = true; break;
      case DT_FLAGS: result.is_symbolic |= (at->d_un.d_val & DF_SYMBOLIC) != 0; break;
      default: break;
    }
  }
  return result;
}

/* The word through which the image calls the look-up; NULL: it does not call it through one. */
static void *const *import_of(const image *image) {
  if (!image->symbols || !image->strings) return NULL;
  for (int i = 0; i < 2; i++) {
    for (size_t k = 0; image->tables[i] && k < image->counts[i]; k++) {
      const ElfW(Rela) *relocation = &image->tables[i][k];
      const ElfW(Sym) *symbol = &image->symbols[ELF64_R_SYM(relocation->r_info)];
      if (ELF64_R_SYM(relocation->r_info) != 0 &&
          strcmp(image->strings + symbol->st_name, name) == 0)
        return (void *const *)(image->bias + relocation->r_offset);
    }
  }
  return NULL;
}

bool wax_runtime_lookup_reaches(const void *code) {
  const void *ours = (const void *)swift_getFunctionReplacement;
  Dl_info info, own;
  struct link_map *map = NULL;
  if (!dladdr1(code, &info, (void **)&map, RTLD_DL_LINKMAP) || !dladdr(ours, &own)) return false;
  image image = read_image(map);
  void *const *import = import_of(&image);
  if (!import) return info.dli_fbase == own.dli_fbase;
  const void *bound = __atomic_load_n(import, __ATOMIC_RELAXED);
  if (bound == ours) return true;
  /* Not bound before the first call: it leads back into the image. */
  Dl_info target;
  bool is_bound = !dladdr(bound, &target) || target.dli_fbase != info.dli_fbase;
  return !is_bound && !image.is_symbolic && dlsym(RTLD_DEFAULT, name) == ours;
}

/* ====== }== */

#else

void wax_runtime_lookup_watch(const void *replacement) { (void)replacement; }
wax_runtime_lookup_record wax_runtime_lookup_watched(void) {
  return (wax_runtime_lookup_record){NULL, NULL};
}

bool wax_runtime_lookup_reaches(const void *code) {
  (void)code;
  return false;
}

#endif
