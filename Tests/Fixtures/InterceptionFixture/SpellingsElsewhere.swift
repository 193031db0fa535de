// SPDX-License-Identifier: MIT

// The same private names as in Spellings.swift.

private struct SpellingTwin {
  func name() -> String { "elsewhere" }
  static func make() -> SpellingTwin { SpellingTwin() }
}

extension SpellingParser {
  private func hidden() -> String { SpellingTwin.make().name() }
  var hiddenElsewhere: String { hidden() }
}

func spellingsElsewhere() -> String { SpellingParser().hiddenElsewhere }
