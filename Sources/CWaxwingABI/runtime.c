/* SPDX-License-Identifier: MIT */

/* Runtime functions whose calling convention is Swift's. */

#define _GNU_SOURCE

#include "wax_abi_runtime.h"

#include <stdint.h>
#include <sys/uio.h>
#include <unistd.h>

#define SWIFTCC __attribute__((swiftcall))

/* _FieldReflectionMetadata of stdlib/public/core/ReflectionMirror.swift, Swift 6.3 */
typedef struct reflection_field {
  const char *name;
  void (*free_name)(const char *);
  _Bool is_strong;
  _Bool is_var;
} reflection_field;

SWIFTCC long swift_reflectionMirror_recursiveCount(const void *type);
SWIFTCC long swift_reflectionMirror_recursiveChildOffset(const void *type, long index);
SWIFTCC const void *swift_reflectionMirror_recursiveChildMetadata(const void *type, long index,
                                                                  reflection_field *field);

long wax_abi_field_count(const void *type) { return swift_reflectionMirror_recursiveCount(type); }

void wax_abi_field_read(const void *type, long index, wax_abi_field *field) {
  reflection_field reflected = {0};
  field->type = swift_reflectionMirror_recursiveChildMetadata(type, index, &reflected);
  field->offset = swift_reflectionMirror_recursiveChildOffset(type, index);
  field->name = reflected.name;
  field->free_name = reflected.free_name;
  field->is_strong = reflected.is_strong;
  field->is_var = reflected.is_var;
}

void wax_abi_field_end(wax_abi_field *field) {
  if (field->free_name) field->free_name(field->name);
}

/* MetadataResponse: the metadata and how complete it is. */
typedef struct metadata_response {
  const void *type;
  unsigned long state;
} metadata_response;

SWIFTCC metadata_response swift_getOpaqueTypeMetadata(unsigned long request,
                                                      const void *const *arguments,
                                                      const void *descriptor, unsigned long index);

const void *wax_abi_opaque_type(const void *descriptor, const void *const *arguments, long index) {
  return swift_getOpaqueTypeMetadata(0, arguments, descriptor, (unsigned long)index).type;
}

/* The argument is the image's MetadataSections, a static variable of swiftrt.o: in the image.
   False: no more. */
typedef _Bool sections_visitor(const void *sections, void *context);
extern void swift_enumerateAllMetadataSections(sections_visitor *visitor, void *context);

typedef struct registered_visit {
  wax_abi_registered_visitor visitor;
  void *context;
} registered_visit;

static _Bool forward(const void *sections, void *context) {
  const registered_visit *visit = context;
  visit->visitor(visit->context, sections);
  return 1;
}

void wax_abi_for_each_registered_image(wax_abi_registered_visitor visitor, void *context) {
  registered_visit visit = {visitor, context};
  swift_enumerateAllMetadataSections(forward, &visit);
}

typedef struct section_range {
  uintptr_t start, length;
} section_range;

typedef struct metadata_sections {
  uintptr_t version;
  const void *base;
  void *unused[2];
  section_range protocols, conformances, types, typeref;
} metadata_sections;

enum { OLDEST_SECTIONS = 3, NEWEST_SECTIONS = 5 };

typedef struct names_visit {
  wax_abi_names_visitor visitor;
  void *context;
} names_visit;

static _Bool forward_names(const void *address, void *context) {
  const names_visit *visit = context;
  const metadata_sections *sections = address;
  if (sections->version >= OLDEST_SECTIONS && sections->version <= NEWEST_SECTIONS)
    visit->visitor(visit->context, (const void *)sections->typeref.start, sections->typeref.length);
  return 1;
}

void wax_abi_for_each_registered_names(wax_abi_names_visitor visitor, void *context) {
  names_visit visit = {visitor, context};
  swift_enumerateAllMetadataSections(forward_names, &visit);
}

extern const void *swift_getExtendedExistentialTypeMetadata(const void *shape,
                                                            const void *const *arguments);
extern const void *swift_getExtendedExistentialTypeMetadata_unique(const void *shape,
                                                                   const void *const *arguments);

const void *wax_abi_constrained_existential(const void *shape, _Bool is_unique,
                                            const void *const *arguments) {
  return is_unique ? swift_getExtendedExistentialTypeMetadata_unique(shape, arguments)
                   : swift_getExtendedExistentialTypeMetadata(shape, arguments);
}

SWIFTCC extern wax_abi_box swift_allocBox(const void *type);
extern void swift_deallocBox(void *box);
extern void *swift_projectBox(void *box);
extern void *swift_weakLoadStrong(void *reference);
extern void *swift_weakInit(void *reference, void *object);
extern void *swift_weakAssign(void *reference, void *object);
extern void *swift_tryRetain(void *object);
extern void *swift_unownedRetain(void *object);
extern size_t swift_retainCount(void *object);
extern void swift_unownedRelease(void *object);
extern _Bool swift_isDeallocating(const void *object);

wax_abi_box wax_abi_box_allocate(const void *type) { return swift_allocBox(type); }
void wax_abi_box_deallocate(void *box) { swift_deallocBox(box); }
void *wax_abi_box_contents(void *box) { return swift_projectBox(box); }
void *wax_abi_weak_load(void *reference) { return swift_weakLoadStrong(reference); }
void wax_abi_weak_init(void *reference, void *object) { swift_weakInit(reference, object); }
void wax_abi_weak_assign(void *reference, void *object) { swift_weakAssign(reference, object); }
void *wax_abi_try_retain(void *object) { return object ? swift_tryRetain(object) : 0; }
void wax_abi_unowned_retain(void *object) { swift_unownedRetain(object); }
void wax_abi_unowned_release(void *object) { swift_unownedRelease(object); }
size_t wax_abi_retain_count(void *object) { return swift_retainCount(object); }
_Bool wax_abi_is_deallocating(const void *object) { return swift_isDeallocating(object); }

typedef struct error_value {
  void *value;
  const void *type;
  const void *conformance;
} error_value;

extern void swift_getErrorValue(const void *error, void **scratch, error_value *found);

void *wax_abi_error_value(const void *error, const void **type) {
  error_value found;
  void *scratch; /* for errors of Objective-C only */
  swift_getErrorValue(error, &scratch, &found);
  *type = found.type;
  return found.value;
}

/* The kernel looks whether there is memory at all. */
_Bool wax_abi_word_is(unsigned long candidate, const void *word) {
  const void *found = NULL;
  if (candidate == 0 || candidate % sizeof found != 0) return 0;
  struct iovec into = {&found, sizeof found};
  struct iovec from = {(void *)(uintptr_t)candidate, sizeof found};
  return process_vm_readv(getpid(), &into, 1, &from, 1, 0) == sizeof found && found == word;
}
