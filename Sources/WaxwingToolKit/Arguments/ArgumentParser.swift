// SPDX-License-Identifier: MIT

import WaxwingDeclarations
import WaxwingPatches

/// Sorts the words after a command into options and positional arguments.
struct ArgumentParser {
  private let command: any Command
  private let program: String

  /// - Parameter program: The name of the command's program, for errors.
  init(command: any Command, of program: String = "waxwing") {
    self.command = command
    self.program = program
  }

  /// Nil if the words ask for help.
  func parse(_ words: ArraySlice<String>) throws(CommandError) -> ParsedArguments? {
    var parsed = ParsedArguments(command: command.name, of: program)
    var rest = words
    while let word = rest.popFirst() {
      if word == "--help" || word == "-h" { return nil }
      if word == "--" {
        parsed.positional += rest
        break
      }
      if word.hasPrefix("-"), word.count > 1 {
        try addOption(word, &rest, to: &parsed)
      } else {
        parsed.positional.append(word)
        if command.passesArgumentsOn {
          parsed.positional += rest
          break
        }
      }
    }
    try checkCount(parsed.positional)
    takeDaemon(from: &parsed)
    return parsed
  }

  private func addOption(
    _ word: String, _ rest: inout ArraySlice<String>, to parsed: inout ParsedArguments
  ) throws(CommandError) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    guard let option = command.options.first(where: { $0.name == name }) else {
      let known = command.options.map(\.name) + ["--help"]
      throw .usage(
        "unknown option '\(name)'\(command.name.isEmpty ? "" : " for '\(command.name)'")",
        command: command.name, of: program,
        remedy: NearestNames.question(for: name, in: known))
    }
    var value = parts.count > 1 ? String(parts[1]) : nil
    if option.value == nil {
      guard value == nil else {
        throw .usage("option '\(name)' takes no value", command: command.name, of: program)
      }
    } else if value == nil {
      value = rest.popFirst()
    }
    if let wanted = option.value, value.map({ $0.isEmpty && !option.allowsEmpty }) ?? true {
      throw .usage(
        "option '\(name)' needs a value: \(name) \(wanted)", command: command.name, of: program)
    }
    if option.repeats {
      parsed.lists[name, default: []].append(value ?? "")
      return
    }
    guard parsed.values.updateValue(value ?? "", forKey: name) == nil else {
      throw .usage("option '\(name)' is given twice", command: command.name, of: program)
    }
  }

  /// Takes PROGRAM out of the arguments. At the first position a word of the command's stands in its place, also one
  /// that is spelled nearly alike.
  private func takeDaemon(from parsed: inout ParsedArguments) {
    let words = command.firstWords
    let places = command.positions.indices.filter { index in
      command.positions[index].contains(where: \.choosesDaemon)
    }
    guard let index = places.last(where: { $0 < parsed.positional.count }) else { return }
    let word = parsed.positional[index]
    if index == 0, words.contains(word) { return }
    if index == 0, parsed.positional.count > 1 { return }
    if index == 0, NearestNames.question(for: word, in: words) != nil { return }
    parsed.daemon = parsed.positional.remove(at: index)
  }

  private var title: String { command.name.isEmpty ? program : command.name }

  private func checkCount(_ positional: [String]) throws(CommandError) {
    let allowed = command.argumentCount
    if positional.count < allowed.lowerBound {
      throw .usage(
        "'\(title)' needs \(command.titles(at: positional.count))", command: command.name,
        of: program)
    }
    if positional.count > allowed.upperBound {
      throw .usage(
        "'\(title)' takes no further argument: '\(positional[allowed.upperBound])'",
        command: command.name, of: program)
    }
  }
}
