// SPDX-License-Identifier: MIT

import Foundation
import Synchronization
import WaxwingTestSupport

/// What compilers make for tests. Many tests run the same program: it is compiled once.
enum Compilations {
  /// What one script has made. Who asks for it first runs the script; others wait for that.
  private final class Compilation: Sendable {
    let made = Mutex<(shell: Shell, result: CommandResult)?>(nil)
  }

  private static let all = Mutex<[String: Compilation]>([:])

  /// Folders go with their owners, and what is static is never released.
  private static let removesAllAtExit: Void = {
    atexit { Compilations.all.withLock { $0 = [:] } }
  }()

  /// Runs a script in an empty folder, if no test of this process has done so yet, and copies what it has made into the folder
  /// of a test.
  /// - Parameter script: For `bash`; it reads no files of the test.
  /// - Returns: What came of the script.
  static func copy(_ script: String, to shell: Shell) throws -> CommandResult {
    removesAllAtExit
    let compilation = all.withLock { known in
      if let compilation = known[script] { return compilation }
      let compilation = Compilation()
      known[script] = compilation
      return compilation
    }
    let (made, result) = try compilation.made.withLock { made in
      if let made { return made }
      let shell = try Shell()
      let now = (shell, try shell.bash(script))
      made = now
      return now
    }
    guard result.isSuccess else { return result }
    return try Command("/bin/cp", ["-a", "\(made.path)/.", shell.path]).run()
  }
}
