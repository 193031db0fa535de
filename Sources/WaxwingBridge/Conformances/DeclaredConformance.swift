// SPDX-License-Identifier: MIT

/// A conformance as one load of a script declares it.
package final class DeclaredConformance {
  package let made: MadeConformance
  /// Protocols that it inherits from, which the script's table fulfils too.
  let bases: [MadeConformance]
  private var answers: [(WitnessAnswer, FallbackResult, @Sendable (RaisedError) -> any Error)] = []

  package init(_ made: MadeConformance, bases: [MadeConformance]) {
    self.made = made
    self.bases = bases
  }

  /// The conformances that go live with this one, bases first.
  package var all: [MadeConformance] { bases + [made] }

  package func add(
    _ answer: FallbackResult, to witness: WitnessAnswer,
    _ makeError: @escaping @Sendable (RaisedError) -> any Error
  ) {
    answers.append((witness, answer, makeError))
  }

  /// Lets calls that no Lua function answers be answered as this script says from now on.
  package func setAnswers() {
    for (witness, answer, makeError) in answers { witness.set(answer, makeError) }
  }
}
