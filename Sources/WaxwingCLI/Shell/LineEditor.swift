// SPDX-License-Identifier: MIT

import Glibc

/// Reads lines from a terminal: with history and editing if Debian's `libedit2` is there, else as
/// they come. The library is opened when it is needed, so that nothing depends on it.
struct LineEditor {
  private typealias ReadLine =
    @convention(c) (UnsafePointer<CChar>) -> UnsafeMutablePointer<CChar>?
  private typealias AddHistory = @convention(c) (UnsafePointer<CChar>) -> CInt

  private let readLine: ReadLine?
  private let addHistory: AddHistory?

  init() {
    setlocale(LC_CTYPE, "")
    let library = dlopen("libedit.so.2", RTLD_NOW)
    let read = library.flatMap { dlsym($0, "readline") }
    let add = library.flatMap { dlsym($0, "add_history") }
    readLine = read.map { unsafeBitCast($0, to: ReadLine.self) }
    addHistory = add.map { unsafeBitCast($0, to: AddHistory.self) }
  }

  /// nil at the end of input.
  func line(prompt: String) -> String? {
    guard let readLine else {
      print(prompt, terminator: "")
      fflush(nil)
      return Swift.readLine()
    }
    fflush(nil)
    guard let text = readLine(prompt) else { return nil }
    defer { free(text) }
    if let addHistory, text.pointee != 0 { _ = addHistory(text) }
    return String(cString: text)
  }
}
