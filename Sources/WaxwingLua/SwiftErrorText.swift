// SPDX-License-Identifier: MIT

internal import Synchronization

/// Describes Swift errors as text. Only higher targets know how values are read.
package enum SwiftErrorText {
  package typealias Describe = @Sendable (any Error) -> String

  private static let describe = Mutex<Describe?>(nil)

  /// Lets `describe` make the text of errors from now on.
  package static func use(_ describe: @escaping Describe) {
    self.describe.withLock { $0 = describe }
  }

  /// The description of an error, or its type if no function makes descriptions.
  static func text(of error: any Error) -> String {
    describe.withLock { $0 }?(error) ?? _typeName(type(of: error))
  }
}
