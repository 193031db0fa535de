/* SPDX-License-Identifier: MIT */

#define _GNU_SOURCE

#include "wax_abi_code.h"

#include <dlfcn.h>
#include <link.h>
#include <stdint.h>
#include <string.h>

extern void swift_task_switch(void);
extern void swift_retain(void);
extern void swift_once(void);
extern void swift_deletedMethodError(void);
extern void swift_dynamicCast(void);
extern void _swift_stdlib_reportUnimplementedInitializer(void);
extern void _swift_stdlib_reportUnimplementedInitializerInFile(void);

const void *wax_abi_task_switch_function(void) { return (const void *)&swift_task_switch; }
const void *wax_abi_retain_function(void) { return (const void *)&swift_retain; }
const void *wax_abi_once_function(void) { return (const void *)&swift_once; }

bool wax_abi_reports_missing_initializer(const void *code) {
  return code == (const void *)&_swift_stdlib_reportUnimplementedInitializer ||
         code == (const void *)&_swift_stdlib_reportUnimplementedInitializerInFile;
}

bool wax_abi_reports_removed_function(const void *code) {
  return code == (const void *)&swift_deletedMethodError;
}

const void *wax_abi_exported_function(const char *name) { return dlsym(RTLD_DEFAULT, name); }

bool wax_abi_is_dynamic_cast(const void *code) { return code == (const void *)&swift_dynamicCast; }

#if defined __x86_64__

/* Behind endbr64 and the prefix that some linkers put before jumps. */
static const uint8_t *past_marks(const uint8_t *code) {
  static const uint8_t endbr64[] = {0xf3, 0x0f, 0x1e, 0xfa};
  if (memcmp(code, endbr64, sizeof endbr64) == 0) code += sizeof endbr64;
  return *code == 0xf2 ? code + 1 : code;
}

static int32_t operand(const uint8_t *bytes) {
  int32_t value;
  memcpy(&value, bytes, sizeof value);
  return value;
}

static const ElfW(Dyn) * entry(const struct link_map *image, ElfW(Sxword) tag) {
  const ElfW(Dyn) *dynamic = image->l_ld;
  while (dynamic->d_tag != DT_NULL && dynamic->d_tag != tag) dynamic++;
  return dynamic->d_tag == tag ? dynamic : NULL;
}

/* The function that the image's table of functions bound late has at this index. The dynamic linker
   has made the addresses of these sections absolute. */
static const void *late_function(const void *code, uint32_t index) {
  Dl_info info;
  struct link_map *image = NULL;
  if (!dladdr1(code, &info, (void **)&image, RTLD_DL_LINKMAP) || !image) return NULL;
  const ElfW(Dyn) *relocations = entry(image, DT_JMPREL);
  const ElfW(Dyn) *size = entry(image, DT_PLTRELSZ);
  const ElfW(Dyn) *symbols = entry(image, DT_SYMTAB);
  const ElfW(Dyn) *names = entry(image, DT_STRTAB);
  if (!relocations || !size || !symbols || !names) return NULL;
  if (index >= size->d_un.d_val / sizeof(ElfW(Rela))) return NULL;
  const ElfW(Rela) *relocation = (const ElfW(Rela) *)relocations->d_un.d_ptr + index;
  const ElfW(Sym) *symbol =
      (const ElfW(Sym) *)symbols->d_un.d_ptr + ELF64_R_SYM(relocation->r_info);
  const char *name = (const char *)names->d_un.d_ptr + symbol->st_name;
  const void *found = dlsym(RTLD_DEFAULT, name);
  return found ? found : dlsym(image, name);
}

const void *wax_abi_code_target(const void *code) {
  const uint8_t *jump = past_marks(code);
  if (jump[0] != 0xff || jump[1] != 0x25) return code; /* jmp *table(%rip) */
  const uint8_t *end = jump + 6;
  const uint8_t *target = *(const uint8_t *const *)(end + operand(jump + 2));
  const uint8_t *push = past_marks(target);
  /* push $index; jmp: asks the dynamic linker. */
  if (push[0] != 0x68 || (push[5] != 0xe9 && push[5] != 0xf2)) return target;
  return late_function(code, (uint32_t)operand(push + 1));
}

#else

const void *wax_abi_code_target(const void *code) { return code; }

#endif
