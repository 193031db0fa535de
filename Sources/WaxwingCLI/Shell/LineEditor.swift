// SPDX-License-Identifier: MIT

import CWaxwingLua
import Glibc
import Synchronization

/// Reads lines from a terminal: with history, editing and completion if Debian's `libedit2` is there,
/// else as they come. The library is opened when it is needed, so that nothing depends on it.
/// Safe: the library stays open, and texts that it allocates are freed where they are taken.
@safe
struct LineEditor {
  private typealias ReadLine =
    @convention(c) (UnsafePointer<CChar>) -> UnsafeMutablePointer<CChar>?
  private typealias TakesText = @convention(c) (UnsafePointer<CChar>?) -> CInt
  private typealias TakesNumber = @convention(c) (CInt) -> Void
  /// (word, where it starts and ends in the line) -> the common start of what it may be, these, nil;
  /// all allocated with `malloc`.
  private typealias Complete =
    @convention(c) (UnsafePointer<CChar>?, CInt, CInt) -> UnsafeMutablePointer<
      UnsafeMutablePointer<CChar>?
    >?

  /// What Ctrl-C, or the end of input, or a line is.
  enum Line {
    case text(String)
    case cancelled
    case end
  }

  /// What a word that was begun may be. The library's callback has no place for it.
  private static let completer = Mutex<(@Sendable (String) -> [String])?>(nil)

  private let library: UnsafeMutableRawPointer?
  private let readLine: ReadLine?
  private let addHistory: TakesText?
  private let history: String?

  /// - Parameters:
  ///   - history: The file that keeps the lines from one run to the next; nil: none.
  ///   - completions: What a word that was begun may be.
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
    guard let history else { return }
    _ = unsafe Self.function("using_history", library, (@convention(c) () -> Void).self)?()
    _ = unsafe Self.function("read_history", library, TakesText.self)?(history)
    unsafe Self.function("stifle_history", library, TakesNumber.self)?(1000)
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
    wax_lua_begin_interruptible(nil)
    let text = unsafe readLine.map { unsafe read($0, prompt) } ?? plain(prompt)
    let wasInterrupted = wax_lua_end_interruptible()
    if wasInterrupted { return .cancelled }
    return text.map { .text($0) } ?? .end
  }

  private func plain(_ prompt: String) -> String? {
    print(prompt, terminator: "")
    fflush(nil)
    return Swift.readLine()
  }

  private func read(_ readLine: ReadLine, _ prompt: String) -> String? {
    guard let text = unsafe readLine(prompt) else { return nil }
    defer { unsafe free(text) }
    if unsafe text.pointee != 0 { unsafe remember(text) }
    return unsafe String(cString: text)
  }

  /// Only its owner may read the file.
  private func remember(_ text: UnsafePointer<CChar>) {
    _ = unsafe addHistory?(text)
    guard let history else { return }
    let mask = umask(0o077)
    _ = unsafe Self.function("write_history", library, TakesText.self)?(history)
    umask(mask)
  }
}
