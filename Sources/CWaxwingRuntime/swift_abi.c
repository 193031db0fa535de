/* SPDX-License-Identifier: MIT */

/* Runtime functions whose calling convention is Swift's. */

#include "waxwing_swift_abi.h"

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

long waxwing_field_count(const void *type) { return swift_reflectionMirror_recursiveCount(type); }

void waxwing_field_read(const void *type, long index, waxwing_field *field) {
  reflection_field reflected = {0};
  field->type = swift_reflectionMirror_recursiveChildMetadata(type, index, &reflected);
  field->offset = swift_reflectionMirror_recursiveChildOffset(type, index);
  field->name = reflected.name;
  field->free_name = reflected.free_name;
  field->is_strong = reflected.is_strong;
  field->is_var = reflected.is_var;
}

void waxwing_field_end(waxwing_field *field) {
  if (field->free_name) field->free_name(field->name);
}
