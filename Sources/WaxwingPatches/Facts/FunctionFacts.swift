// SPDX-License-Identifier: MIT

import FoundationEssentials
package import WaxwingReflection

/// The facts about an image's functions that neither symbols nor machine code tell, as `waxwing
/// facts` writes them where the image was built: a JSON document.
///
///     {
///       "build" : "9c4f…",
///       "defaults" : { "$s4bank5MoneyV3payyySi_SbtF" : { "1" : "true" } },
///       "format" : 1,
///       "functions" : { "$s4bank5MoneyV5spendSiyF" : "consuming" },
///       "program" : "bankd"
///     }
package struct FunctionFacts: Hashable, Sendable {
  /// The image's file name; for whoever reads the file.
  package let program: String
  /// The image's build id, in lower-case hexadecimal.
  package let build: String
  /// How methods and accessors use `self`, by symbol.
  package let selfKinds: [String: SelfKind]
  /// The default values of parameters as the source has them, by symbol and by the parameter's index.
  package let defaults: [String: [Int: String]]

  /// Facts that were found out.
  package init(
    program: String, build: String, selfKinds: [String: SelfKind],
    defaults: [String: [Int: String]] = [:]
  ) {
    self.program = program
    self.build = build
    self.selfKinds = selfKinds
    self.defaults = defaults
  }
}

extension FunctionFacts {
  /// Why a file of facts is not used: the rest of a sentence that begins with the file.
  package struct Fault: Error, Hashable, Sendable {
    package let reason: String
  }

  /// The format that this engine writes, and the only one that it reads.
  static let format = 1
  /// The most bytes that a file of facts may have.
  static let sizeLimit = 32 << 20

  private struct Head: Decodable {
    let format: Int
  }

  private struct Document: Codable {
    let format: Int
    let program: String
    let build: String
    let functions: [String: String]
    /// Missing in files that an earlier `waxwing facts` has written.
    let defaults: [String: [String: String]]?
  }

  /// Reads a document; one that is not sound in all of its parts is not read at all.
  package init(_ bytes: [UInt8]) throws(Fault) {
    guard bytes.count <= Self.sizeLimit else {
      throw Fault(reason: "it has more than \(PatchSizes.text(Self.sizeLimit))")
    }
    let decoder = JSONDecoder()
    let data = Data(bytes)
    guard let head = try? decoder.decode(Head.self, from: data) else {
      throw Fault(reason: "it is not a JSON document of facts")
    }
    guard head.format == Self.format else {
      throw Fault(reason: "it has format \(head.format), and this engine reads \(Self.format)")
    }
    guard let document = try? decoder.decode(Document.self, from: data) else {
      throw Fault(reason: "it is malformed: a document of facts has program, build and functions")
    }
    var kinds: [String: SelfKind] = [:]
    kinds.reserveCapacity(document.functions.count)
    for (symbol, word) in document.functions {
      guard let kind = SelfKind(rawValue: word) else {
        let known = SelfKind.allCases.map(\.rawValue).joined(separator: ", ")
        throw Fault(reason: "'\(word.prefix(40))' is not one of \(known)")
      }
      kinds[symbol] = kind
    }
    self.init(
      program: document.program, build: document.build, selfKinds: kinds,
      defaults: try Self.defaults(document.defaults ?? [:]))
  }

  private static func defaults(
    _ written: [String: [String: String]]
  ) throws(Fault) -> [String: [Int: String]] {
    var defaults: [String: [Int: String]] = [:]
    defaults.reserveCapacity(written.count)
    for (symbol, values) in written {
      for (key, text) in values {
        guard let index = Int(key), index >= 0 else {
          throw Fault(reason: "'\(key.prefix(40))' is not the index of a parameter")
        }
        defaults[symbol, default: [:]][index] = text
      }
    }
    return defaults
  }

  /// The document, its keys in order.
  package func encoded() throws(Fault) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let document = Document(
      format: Self.format, program: program, build: build,
      functions: selfKinds.mapValues(\.rawValue),
      defaults: defaults.mapValues { values in
        Dictionary(uniqueKeysWithValues: values.map { (String($0.key), $0.value) })
      })
    do { return Array(try encoder.encode(document)) + [UInt8(ascii: "\n")] } catch {
      throw Fault(reason: "it cannot be written as JSON")
    }
  }
}
