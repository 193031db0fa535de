// SPDX-License-Identifier: MIT

import CWaxwingLua
import Glibc
import Synchronization

/// Reads lines from a terminal: with history, editing and completion if Debian's `libedit2` is
/// there, and plainly otherwise. The library is opened when it is needed, so that nothing depends
/// on it. Safe: the library stays open, and texts that it allocates are freed where they are taken.
@safe
struct LineEditor {
  private typealias ReadLine =
    @convention(c) (UnsafePointer<CChar>) -> UnsafeMutablePointer<CChar>?
  private typealias TakesText = @convention(c) (UnsafePointer<CChar>?) -> CInt
  private typealias TakesNumber = @convention(c) (CInt) -> Void
  private typealias Key = @convention(c) (CInt, CInt) -> CInt
  private typealias AddsFunction = @convention(c) (UnsafePointer<CChar>?, Key, CInt) -> CInt
  /// (word, where it starts and ends in the line) -> the common start of what it may be, these, nil;
  /// all allocated with `malloc`.
  private typealias Complete =
    @convention(c) (UnsafePointer<CChar>?, CInt, CInt) -> UnsafeMutablePointer<
      UnsafeMutablePointer<CChar>?
    >?

  /// An event of the terminal: Ctrl-C, the end of input, or a line.
  enum Line {
    case text(String)
    case cancelled
    case end
  }

  /// The function that completes a word. The library's callback has no argument for it.
  private static let completer = Mutex<(@Sendable (String) -> [String])?>(nil)

  /// Whether Ctrl-C has ended the line.
  private static let isCancelled = Atomic(false)
  /// The address of the library's word that ends a line, a C `int`; 0 without the library.
  private static let isDone = Atomic<UInt>(0)

  private let library: UnsafeMutableRawPointer?
  private let readLine: ReadLine?
  private let addHistory: TakesText?
  private let history: String?

  /// - Parameters:
  ///   - history: The file that keeps the lines from one run to the next; nil for none.
  ///   - completions: The possible completions of a word.
  init(history: String?, completions: @escaping @Sendable (String) -> [String]) {
    unsafe setlocale(LC_CTYPE, "")
    let library = unsafe dlopen("libedit.so.2", RTLD_NOW)
    unsafe self.library = unsafe library
    self.history = history
    unsafe readLine = unsafe Self.function("readline", library, ReadLine.self)
    unsafe addHistory = unsafe Self.function("add_history", library, TakesText.self)
    guard unsafe library != nil else { return }
    Self.completer.withLock { $0 = completions }
    setUp()
  }

  private static func function<Function>(
    _ name: String, _ library: UnsafeMutableRawPointer?, _: Function.Type
  ) -> Function? {
    // Every function pointer of C is one word.
    unsafe library.flatMap { unsafe dlsym($0, name) }.map {
      unsafe unsafeBitCast($0, to: Function.self)
    }
  }

  private func setUp() {
    if let library = unsafe library,
      let completion = unsafe dlsym(library, "rl_attempted_completion_function")
    {
      unsafe completion.storeBytes(of: Self.complete, as: Complete.self)
    }
    for name in ["rl_basic_word_break_characters", "rl_completer_word_break_characters"] {
      unsafe library.flatMap { unsafe dlsym($0, name) }?.storeBytes(
        of: unsafe strdup(" \t\n\"'`@$><=;|&{(+-*/%^~,#[])}"), as: UnsafeMutablePointer<CChar>?.self
      )
    }
    takeInterruptAsKey()
    guard let history else { return }
    _ = unsafe Self.function("using_history", library, (@convention(c) () -> Void).self)?()
    _ = unsafe Self.function("read_history", library, TakesText.self)?(history)
    unsafe Self.function("stifle_history", library, TakesNumber.self)?(1000)
  }

  /// Makes Ctrl-C a key that ends the line. As a signal it could come between the prompt and the wait for a key, where
  /// the library does not see it, or in another thread, where it is too late.
  private func takeInterruptAsKey() {
    _ = unsafe Self.function("rl_initialize", library, (@convention(c) () -> CInt).self)?()
    guard let done = unsafe library.flatMap({ unsafe dlsym($0, "rl_done") }),
      let addFunction = unsafe Self.function("rl_add_defun", library, AddsFunction.self)
    else { return }
    Self.isDone.store(UInt(bitPattern: done), ordering: .relaxed)
    let control = CInt(UInt8(ascii: "C") & 0x1f)
    _ = unsafe addFunction("waxwing-cancel", { _, _ in LineEditor.cancel() }, control)
  }

  private static func cancel() -> CInt {
    isCancelled.store(true, ordering: .relaxed)
    unsafe UnsafeMutableRawPointer(bitPattern: isDone.load(ordering: .relaxed))?.storeBytes(
      of: 1, as: CInt.self)
    return 0
  }

  private static let complete: Complete = { word, _, _ in
    guard let word = unsafe word else { return nil }
    let text = unsafe String(cString: word)
    let words = completer.withLock { $0 }?(text) ?? []
    guard let first = words.first else { return nil }
    let common = words.dropFirst().reduce(first) {
      String(zip($0, $1).prefix { $0 == $1 }.map(\.0))
    }
    let all = words.count == 1 ? [first] : [common] + words
    let array = unsafe UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>(
      OpaquePointer(
        malloc((all.count + 1) * MemoryLayout<UnsafeMutablePointer<CChar>?>.stride)))
    guard let array = unsafe array else { return nil }
    for (index, word) in all.enumerated() { unsafe (array + index).initialize(to: strdup(word)) }
    unsafe (array + all.count).initialize(to: nil)
    return unsafe array
  }

  func line(prompt: String) -> Line {
    fflush(nil)
    Self.isCancelled.store(false, ordering: .relaxed)
    wax_lua_begin_interruptible(nil)
    let text = unsafe readLine.map { unsafe read($0, prompt) } ?? plain(prompt)
    let wasInterrupted = wax_lua_end_interruptible()
    if wasInterrupted { return .cancelled }
    if Self.isCancelled.load(ordering: .relaxed) {
      // As the terminal shows it where it is a signal.
      print("^C", terminator: "")
      fflush(nil)
      return .cancelled
    }
    return text.map { .text($0) } ?? .end
  }

  private func plain(_ prompt: String) -> String? {
    print(prompt, terminator: "")
    fflush(nil)
    return Swift.readLine()
  }

  private func read(_ readLine: ReadLine, _ prompt: String) -> String? {
    var before = termios()
    let isTerminal = unsafe tcgetattr(STDIN_FILENO, &before) == 0
    if isTerminal, Self.isDone.load(ordering: .relaxed) != 0 {
      var editing = before
      editing.c_cc.0 = 0  // VINTR: no key is a signal
      unsafe tcsetattr(STDIN_FILENO, TCSADRAIN, &editing)
    }
    defer { if isTerminal { unsafe tcsetattr(STDIN_FILENO, TCSADRAIN, &before) } }
    guard let text = unsafe readLine(prompt) else { return nil }
    defer { unsafe free(text) }
    if unsafe text.pointee != 0 { unsafe remember(text) }
    return unsafe String(cString: text)
  }

  /// Adds the text to the history, whose file only its owner may read.
  private func remember(_ text: UnsafePointer<CChar>) {
    _ = unsafe addHistory?(text)
    guard let history else { return }
    let mask = umask(0o077)
    _ = unsafe Self.function("write_history", library, TakesText.self)?(history)
    umask(mask)
  }
}
