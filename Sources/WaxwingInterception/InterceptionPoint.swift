// SPDX-License-Identifier: MIT

internal import CWaxwingRuntime

/// What the engine must know of a patch point to override it.
///
/// Unchecked: addresses of code and of writable words that live as long as the process.
package struct InterceptionPoint: Hashable, @unchecked Sendable {
  /// The replacement entry, symbol `…TX`: its first word says what runs.
  package let entry: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  /// The function's own address, the symbol without `TX`; of an `async` function that of its async
  /// function pointer, `…Tu`.
  package let function: UnsafeRawPointer
  /// Size of the arguments that the function takes on the stack: `CallLayout.stackBytes`.
  package let stackBytes: Int
  let isAsync: Bool

  /// Whether it has no function of its own: it is the word of a witness table made at run time.
  package var isWitness: Bool { function == UnsafeRawPointer(entry) }

  /// - Precondition: `entry` and `function` are those of one loaded function, and stay loaded.
  package init(
    entry: UnsafeMutablePointer<UnsafeMutableRawPointer?>, function: UnsafeRawPointer,
    stackBytes: Int, isAsync: Bool = false
  ) {
    self.entry = entry
    self.function = function
    self.stackBytes = stackBytes
    self.isAsync = isAsync
  }

  /// Whether the entry holds a word, or leads to it by replacements in Swift code that a library has
  /// brought since.
  package func leads(to word: UInt) -> Bool {
    wax_runtime_entry_leads_to(
      UnsafeRawPointer(entry).assumingMemoryBound(to: UnsafeRawPointer?.self),
      UnsafeRawPointer(bitPattern: word))
  }

  /// As it was when the slot was claimed for it.
  init(ofSlot slot: OpaquePointer) {
    guard let entry = wax_runtime_slot_entry(slot), let function = wax_runtime_slot_function(slot)
    else { preconditionFailure("a claimed slot has an entry; please report this") }
    self.init(
      entry: entry, function: function, stackBytes: wax_runtime_slot_stack_bytes(slot),
      isAsync: wax_runtime_slot_is_async(slot))
  }
}
