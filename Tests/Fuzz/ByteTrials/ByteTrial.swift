// SPDX-License-Identifier: MIT

import SeededRandom

/// A reader of foreign bytes that is given damaged ones. It may refuse them; it must not trap, hang,
/// or keep more than it was given.
public struct ByteTrial: Sendable {
  /// What came of a run.
  public struct Outcome: Sendable {
    /// Inputs that were read as something.
    public var accepted = 0
    /// Inputs that were refused.
    public var refused = 0
    /// Inputs that were read in a way that cannot be right, a sentence each.
    public var mistakes: [String] = []
  }

  /// What the reader made of an input.
  enum Verdict {
    case accepted, refused
    case mistake(String)
  }

  /// What is read.
  public let name: String
  /// Whole inputs, of which the damaged ones are made.
  let samples: [[UInt8]]
  /// Makes a damaged input of a sample; all of them are given, too.
  var damage: @Sendable (inout ByteMutation, [UInt8], [[UInt8]]) -> [UInt8] = {
    $0.damaged($1, among: $2)
  }
  let read: @Sendable ([UInt8]) -> Verdict

  /// All there are.
  public static let all = [
    frames, configurations, auditLogs, images, facts, debugInformation,
  ]

  /// Reads each sample as it is, and then so many damaged ones.
  public func run(rounds: Int, seed: UInt64) -> Outcome {
    var outcome = Outcome()
    for sample in samples { note(read(sample), sample, &outcome) }
    if samples.isEmpty || outcome.accepted != samples.count {
      outcome.mistakes.append("\(name): a whole sample is refused: the trial shows nothing")
    }
    var mutation = ByteMutation(seed: seed)
    for _ in 0..<rounds {
      guard let sample = samples.randomElement(using: &mutation.random) else { break }
      let bytes = damage(&mutation, sample, samples)
      note(read(bytes), bytes, &outcome)
    }
    return outcome
  }

  private func note(_ verdict: Verdict, _ bytes: [UInt8], _ outcome: inout Outcome) {
    switch verdict {
    case .accepted: outcome.accepted += 1
    case .refused: outcome.refused += 1
    case .mistake(let what):
      let digits = bytes.prefix(4096).map { byte in
        let text = String(byte, radix: 16)
        return text.count == 1 ? "0" + text : text
      }
      outcome.mistakes.append("\(name): \(what): \(digits.joined())")
    }
  }
}
