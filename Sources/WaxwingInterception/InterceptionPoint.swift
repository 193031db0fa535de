// SPDX-License-Identifier: MIT

internal import CWaxwingRuntime

/// The kind of an entry, which leads the calls of a function to its overrides. Each kind is a file of `CWaxwingRuntime`,
/// behind the interface in `entry.h`; layers, switches and calls are the same for all.
package enum EntryKind: Hashable, Sendable {
  /// The function's replacement entry, symbol `…TX`: the function itself asks what it holds.
  case replacement
  /// A word of a table or of metadata that callers read, such as a requirement of a protocol in a
  /// witness table. Its function knows nothing of it.
  case word
  /// The async function pointer, symbol `…Tu`, that values of an async function lead to. Calls of the
  /// values are seen, and no direct ones: it is for closures.
  case asyncPointer
  /// The first instructions of the function, in whose place there is a jump: all calls are seen,
  /// whatever way they come, but for those that the compiler has inlined.
  case code
}

/// The addresses that the engine must know of a patch point to override it.
///
/// Unchecked: addresses of code and of writable words that live as long as the process.
package struct InterceptionPoint: Hashable, @unchecked Sendable {
  package let kind: EntryKind
  /// The entry, whose first word says what runs; of code its address.
  package let entry: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  /// The function's own address, the symbol without `TX`; of an `async` function that of its async
  /// function pointer, `…Tu`. Of a word and of an async function pointer the entry's own.
  package let function: UnsafeRawPointer
  /// Size of the arguments that the function takes on the stack: `CallLayout.stackBytes`.
  package let stackBytes: Int
  /// The size of the function's code if that is the entry; else 0.
  package let codeSize: Int
  let isAsync: Bool

  /// A function that has a replacement entry.
  /// - Precondition: `entry` and `function` are those of one loaded function, and stay loaded.
  package init(
    entry: UnsafeMutablePointer<UnsafeMutableRawPointer?>, function: UnsafeRawPointer,
    stackBytes: Int, isAsync: Bool = false
  ) {
    kind = .replacement
    self.entry = entry
    self.function = function
    self.stackBytes = stackBytes
    self.isAsync = isAsync
    codeSize = 0
  }

  /// What a word of a table or of metadata leads to.
  /// - Precondition: The word stays where it is.
  package init(
    word: UnsafeMutablePointer<UnsafeMutableRawPointer?>, stackBytes: Int, isAsync: Bool
  ) {
    kind = .word
    entry = word
    function = UnsafeRawPointer(word)
    self.stackBytes = stackBytes
    self.isAsync = isAsync
    codeSize = 0
  }

  /// What values of an async function lead to, such as closures that are kept in a table.
  /// - Parameter asyncPointer: In the data of a loaded image, and stays loaded.
  package init(
    asyncPointer: UnsafeMutablePointer<UnsafeMutableRawPointer?>, stackBytes: Int
  ) {
    kind = .asyncPointer
    entry = asyncPointer
    function = UnsafeRawPointer(asyncPointer)
    self.stackBytes = stackBytes
    isAsync = true
    codeSize = 0
  }

  /// A function by its code.
  /// - Parameters:
  ///   - code: Where the function begins, in the code of a loaded image that stays loaded. No other
  ///     function has the same code, as functions have that a linker has folded.
  ///   - size: Of the code, as the function's symbol says.
  ///   - asyncPointer: Of an `async` function its async function pointer, `…Tu`.
  package init(
    code: UnsafeRawPointer, size: Int, asyncPointer: UnsafeRawPointer? = nil, stackBytes: Int
  ) {
    kind = .code
    entry = UnsafeMutableRawPointer(mutating: code).assumingMemoryBound(
      to: UnsafeMutableRawPointer?.self)
    function = asyncPointer ?? code
    self.stackBytes = stackBytes
    isAsync = asyncPointer != nil
    codeSize = size
  }

  /// Refuses a patch point whose calls the engine would not see, or code that cannot be an entry. Asks the dynamic linker: not to be
  /// called with a lock that code of the program's may need.
  package func check() throws(InterceptionError) {
    switch kind {
    case .replacement: try Lookup.check(self)
    case .word, .asyncPointer: break
    case .code:
      let claim = wax_runtime_code_look(raw)
      guard claim == WAX_RUNTIME_CLAIM_OK else { throw InterceptionError(claim) }
    }
  }

  /// Whether the entry is in an image that has to stay loaded: a word's callers have its table.
  package var needsImage: Bool { kind != .word }
}

extension InterceptionPoint {
  /// The word that the entry holds now.
  package var word: UInt { UInt(bitPattern: wax_runtime_entry_word_of(raw)) }

  /// Whether the entry holds a word that it held before its first override, or leads to it by
  /// replacements in Swift code that a library has brought since.
  package func leads(to word: UInt) -> Bool {
    wax_runtime_entry_leads_to(raw, UnsafeRawPointer(bitPattern: word))
  }
}

extension InterceptionPoint {
  /// As it was when the slot was claimed for it.
  init(ofSlot slot: OpaquePointer) {
    let raw = wax_runtime_slot_point(slot)
    guard let entry = raw.entry else {
      preconditionFailure("a claimed slot has an entry; please report this")
    }
    switch raw.kind {
    case WAX_RUNTIME_ENTRY_WORD:
      self.init(word: entry, stackBytes: raw.stack_bytes, isAsync: raw.is_async)
    case WAX_RUNTIME_ENTRY_ASYNC_POINTER:
      self.init(asyncPointer: entry, stackBytes: raw.stack_bytes)
    case WAX_RUNTIME_ENTRY_CODE:
      self.init(
        code: entry, size: Int(raw.code_size), asyncPointer: raw.is_async ? raw.function : nil,
        stackBytes: raw.stack_bytes)
    default:
      guard let function = raw.function else {
        preconditionFailure("a claimed slot has a function; please report this")
      }
      self.init(
        entry: entry, function: function, stackBytes: raw.stack_bytes, isAsync: raw.is_async)
    }
  }

  /// As C has it.
  var raw: wax_runtime_point {
    wax_runtime_point(
      kind: kind.raw, is_async: isAsync, entry: entry, function: function, stack_bytes: stackBytes,
      code_size: UInt32(clamping: codeSize))
  }
}

extension EntryKind {
  fileprivate var raw: wax_runtime_entry_kind {
    switch self {
    case .replacement: WAX_RUNTIME_ENTRY_REPLACEMENT
    case .word: WAX_RUNTIME_ENTRY_WORD
    case .asyncPointer: WAX_RUNTIME_ENTRY_ASYNC_POINTER
    case .code: WAX_RUNTIME_ENTRY_CODE
    }
  }
}
