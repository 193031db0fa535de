// SPDX-License-Identifier: MIT

import WaxwingDeclarations

extension Command {
  /// Refuses a first argument that is none of the command's words.
  package func unknownWord(_ word: String, of program: String = "waxwing") -> CommandError {
    .usage(
      "'\(word)' is not \(wordChoice(firstWords))", command: name, of: program,
      remedy: NearestNames.question(for: word, in: firstWords))
  }
}
