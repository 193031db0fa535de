// SPDX-License-Identifier: MIT

import Synchronization
import WaxwingPatches
package import WaxwingReflection

/// The running program as its symbols tell it.
/// Unchecked: only the thread that is in an operation of the engine has the program.
package final class ProgramReader: @unchecked Sendable {
  // Only by the thread that is in an operation of the engine.
  private var program: RunningProgram?
  private let buildID = Mutex<String?>(nil)
  private let log: Log

  init(_ log: Log) {
    self.log = log
  }

  /// Reads the program's symbols the first time, and later those of images that were loaded since.
  /// In an operation of the engine.
  package func current() throws -> RunningProgram {
    if let program {
      program.refresh()
      return program
    }
    do throws(ElfError) {
      let program = try RunningProgram(facts: factsReader)
      self.program = program
      buildID.withLock { $0 = program.buildID }
      return program
    } catch {
      throw WaxwingError(.unavailable, "this program cannot be patched: \(error.message)")
    }
  }

  /// The program's, if it has one and the program has been read. On any thread.
  var knownBuildID: String? { buildID.withLock { $0 } }

  /// Reads the facts about an image, and logs the outcome.
  private var factsReader: FactsReader {
    let log = log
    return { image, build in
      let facts = FactsFile.read(of: image, build: build) { file, reason in
        log.write(
          .warning, "facts.ignored", "\(file) is not used: \(reason)",
          [("file", file), ("image", image)])
      }
      if let facts {
        log.write(
          .info, "facts.read", "\(facts.selfKinds.count) functions of \(image) are known by facts",
          [("image", image), ("build", build)])
      }
      return facts.map { WrittenFacts(selfKinds: $0.selfKinds, defaults: $0.defaults) }
    }
  }
}
