// SPDX-License-Identifier: MIT

import WaxwingLua

/// The definitions of the library's modules: what their source says of them, without the code.
struct LibraryDefinitions {
  /// A module of the library.
  struct Module {
    /// The names that `require` accepts for the module.
    let names: [String]
    /// The type of the value that `require` returns.
    let result: String
    let lines: [String]
  }

  let modules: [Module]

  init() {
    modules =
      LuaSources.libraryNames.map { name in
        Self.module([name, "waxwing." + name], LuaSources.libraryModule(named: name) ?? [])
      } + [Self.module(["waxwing.test"], LuaSources.test)]
  }

  private static func module(_ names: [String], _ source: [UInt8]) -> Module {
    var reader = LibraryReader()
    reader.read(String(decoding: source, as: UTF8.self))
    return Module(names: names, result: reader.result, lines: reader.lines)
  }
}

/// Reads the annotated parts of a module's source: classes, aliases, and the functions of tables
/// that are classes.
private struct LibraryReader {
  private(set) var lines: [String] = []
  private(set) var result = "any"
  /// The lines of annotations above the line that is read.
  private var block: [String] = []
  /// The classes of the file's tables, by variable.
  private var classes: [String: String] = [:]
  /// The types of the file's functions that it returns itself, by variable.
  private var functions: [String: String] = [:]

  // Each is compiled where it stands: once for a module, not for each line.
  private let method = #/function (\w+)([.:]\w+)\((.*?)\)/#
  private let table = #/local (\w+)( <const>)? = [{s]/#
  private let function = #/(\w+) = function\(/#
  private let end = #/return (?:setmetatable\()?(\w+)(?:, \{)?/#
  private let aClass = #/---@class ([\w.]+)/#

  mutating func read(_ text: String) {
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("---"), !line.hasPrefix("----") {
        block.append(String(line))
      } else {
        finish(with: line)
        block = []
      }
    }
  }

  /// Reads the line below a block.
  private mutating func finish(with line: Substring) {
    if let match = line.prefixMatch(of: method) {
      guard classes[String(match.1)] != nil else { return }
      add(["function \(match.1)\(match.2)(\(match.3)) end"])
    } else if let match = line.prefixMatch(of: table), let name = className {
      classes[String(match.1)] = name
      add(["local \(match.1) = {}"])
    } else if !block.isEmpty, let match = line.prefixMatch(of: function) {
      functions[String(match.1)] = functionType
    } else if let match = line.wholeMatch(of: end) {
      result = classes[String(match.1)] ?? functions[String(match.1)] ?? result
    } else if block.contains(where: { $0.hasPrefix("---@class") || $0.hasPrefix("---@alias") }) {
      add([])
    }
  }

  private mutating func add(_ more: [String]) { lines += block + more + [""] }

  private var className: String? {
    block.compactMap { $0.prefixMatch(of: aClass)?.1 }.last.map(String.init)
  }

  /// The annotated function as a type, in which generic parameters are anything.
  private var functionType: String {
    func types(_ pattern: Regex<(Substring, Substring)>) -> [String] {
      block.compactMap { $0.wholeMatch(of: pattern)?.1 }.map {
        $0.hasSuffix(" T") || $0 == "T" ? $0.dropLast() + "any" : String($0)
      }
    }
    let parameters = types(#/---@param (\w+\??  ?.*)/#).map { text in
      let parts = text.split(separator: " ", maxSplits: 1)
      return "\(parts[0]): \(parts.last ?? "any")"
    }
    return LuaTypeNames.function(parameters, types(#/---@return (.*)/#))
  }
}
