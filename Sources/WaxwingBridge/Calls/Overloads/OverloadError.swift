// SPDX-License-Identifier: MIT

internal import WaxwingDeclarations
internal import WaxwingLua
internal import WaxwingReflection
internal import WaxwingValues

/// Errors for a call that matches none of several functions, or more than one.
enum OverloadError {
  /// A few: a name may have dozens of overloads.
  private static let most = 12

  static func ambiguous(
    _ set: OverloadSet, _ candidates: [OverloadCandidate], _ arguments: LuaReader
  ) -> LuaRaise {
    let names = NameResolver.distinctNames(candidates.map(\.plan.function))
    let lines = zip(candidates, names).map { candidate, name in
      "\(candidate.text), which is [\"\(name)\"]"
    }
    return .message(
      "`\(set.name)` is ambiguous for \(describe(arguments)); name one of these in full:"
        + list(lines))
  }

  static func noneFits(
    _ set: OverloadSet, _ candidates: [OverloadCandidate], _ arguments: LuaReader, _ count: Int
  ) -> LuaRaise {
    let lines = candidates.map { "\($0.text): \($0.refusal(arguments, count: count))" }
    return .message("no `\(set.name)` takes \(describe(arguments)):" + list(lines))
  }

  private static func list(_ lines: [String]) -> String {
    let more = lines.count > most ? "\n  and \(lines.count - most) more" : ""
    return lines.sorted().prefix(most).map { "\n  " + $0 }.joined() + more
  }

  /// `(integer 1, string "a")`
  private static func describe(_ arguments: LuaReader) -> String {
    var reader = arguments
    var texts: [String] = []
    while !reader.isAtEnd {
      texts.append(ValueDescription.of(reader.peeked, reader))
      reader.skip()
    }
    return "(\(texts.joined(separator: ", ")))"
  }
}
