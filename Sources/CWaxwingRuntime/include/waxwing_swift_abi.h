/* SPDX-License-Identifier: MIT
 *
 * Functions that the Swift runtime exports to compiled code: include/swift/Runtime/ of the
 * compiler's source. Declared here because Swift source may not name them.
 */
#ifndef WAXWING_SWIFT_ABI_H
#define WAXWING_SWIFT_ABI_H

/* The object itself if it is an instance of the class or of one that inherits from it, else NULL.
   Casting.h */
const void *swift_dynamicCastClass(const void *object, const void *class_metadata);

#endif
