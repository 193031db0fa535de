// SPDX-License-Identifier: MIT

/// What the engine must know of a patch point to override it.
///
/// Safe to send: addresses of code and of writable words that live as long as the process.
package struct InterceptionPoint: Hashable, @unchecked Sendable {
  /// The replacement entry, symbol `…TX`: its first word says what runs.
  package let entry: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  /// The function's own address, the symbol without `TX`.
  package let function: UnsafeRawPointer
  /// Size of the arguments that the function takes on the stack: `CallLayout.stackBytes`.
  package let stackBytes: Int

  /// - Precondition: `entry` and `function` are those of one loaded function, and stay loaded.
  package init(
    entry: UnsafeMutablePointer<UnsafeMutableRawPointer?>, function: UnsafeRawPointer,
    stackBytes: Int
  ) {
    self.entry = entry
    self.function = function
    self.stackBytes = stackBytes
  }
}
