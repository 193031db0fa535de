// SPDX-License-Identifier: MIT

internal import CWaxwingRuntime

/// Structs and enums that travel by address because their library may change them.
///
/// Of the standard library's, those that programs pass and that are not `@frozen` are in its
/// concurrency library: `AsyncStream`, `ContinuousClock.Instant`, `TaskPriority` and so on (measured
/// with Swift 6.3.1).
enum ResilientTypes {
  private static let library = "libswift_Concurrency.so"
  private static let frozen: Set<String> = [
    "Task", "TaskGroup", "ThrowingTaskGroup", "DiscardingTaskGroup", "ThrowingDiscardingTaskGroup",
    "UnsafeContinuation", "UnownedJob", "UnownedSerialExecutor", "UnownedTaskExecutor",
  ]

  static func contains(_ type: any Any.Type) -> Bool {
    guard let descriptor = TypeMetadata.descriptor(of: type),
      let path = waxwing_image_path(UnsafeRawPointer(bitPattern: descriptor)),
      String(cString: path).hasSuffix(library)
    else { return false }
    let name = _typeName(type, qualified: false)
    return !frozen.contains(String(name.prefix { $0 != "<" }))
  }
}
