// SPDX-License-Identifier: MIT

/// The image that these tests were linked into: a program, or a library that a runner loads.
enum OwnImage {
  private static let file = MemoryMap.files.first { $0.path.hasSuffix(".xctest") }

  static let path = file?.path ?? "/proc/self/exe"
  static let loadAddress = file?.address ?? MemoryMap.files.first?.address ?? 0
}
