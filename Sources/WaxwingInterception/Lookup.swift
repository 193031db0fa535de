// SPDX-License-Identifier: MIT

import CWaxwingProcess
import CWaxwingRuntime
import Synchronization

/// Whether functions ask Waxwing for their replacements: see lookup.c.
package enum Lookup {
  /// The images that were checked, by the addresses that identify them.
  private static let known = Mutex<[UInt: Bool]>([:])

  /// Whether the dynamic functions of an image ask Waxwing.
  /// - Parameter code: Anything in the image.
  package static func reaches(_ code: UnsafeRawPointer) -> Bool {
    var base: UInt = 0
    guard wax_process_image_base(UInt(bitPattern: code), &base) else { return false }
    if let known = known.withLock({ $0[base] }) { return known }
    let reaches = wax_runtime_lookup_reaches(code)
    known.withLock { $0[base] = reaches }
    return reaches
  }

  /// - Throws: `InterceptionError` if the function at a patch point asks another runtime. Asks the dynamic
  ///   linker: not to be called with a lock that code of the program's may need.
  package static func check(_ point: InterceptionPoint) throws(InterceptionError) {
    guard !reaches(point.entry) else { return }
    throw InterceptionError(.foreignLookup, reason(point.entry))
  }

  /// The reason why an image's functions do not look at their entries, and the remedy.
  package static func reason(_ code: UnsafeRawPointer) -> String {
    let path = wax_process_image_path(code).map { String(cString: $0) } ?? "the program"
    return
      "the functions of \(path) use another Swift runtime, one that it has to "
      + "itself or that comes before Waxwing; link Waxwing into the program, and build both with the "
      + "same standard library, static or dynamic"
  }
}

// MARK: - For the self-check of the ABI

extension Lookup {
  /// The arguments with which a dynamic function has asked for its replacement.
  package struct Question {
    package let entry: UnsafeRawPointer
    package let function: UnsafeRawPointer
  }

  /// Lets the next dynamic function that this thread calls run `replacement`, or its own body if that is
  /// nil, whatever its entry says.
  package static func beginWatching(replacement: UnsafeRawPointer? = nil) {
    wax_runtime_lookup_watch(replacement)
  }

  /// - Returns: The arguments with which a function has asked since `beginWatching`; nil if none
  ///   has asked.
  package static func endWatching() -> Question? {
    let record = wax_runtime_lookup_watched()
    guard let entry = record.entry, let function = record.function else { return nil }
    return Question(entry: entry, function: function)
  }
}
