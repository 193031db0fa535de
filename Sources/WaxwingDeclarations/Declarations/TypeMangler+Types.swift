// SPDX-License-Identifier: MIT

extension TypeMangler {
  mutating func append(_ type: FunctionType) {
    append(result: type.result)
    append(parameters: type.parameters)
    if type.isAsync { output += "Ya" }
    if type.isSendable { output += "Yb" }
    if let thrown = type.thrownType {
      append(thrown, suffix: "YK")
    } else if type.isThrowing {
      output += "K"
    }
    if let kind = type.differentiability {
      output += "Yj" + String(Character(Unicode.Scalar(kind)))
    }
    switch type.isolation {
    case .globalActor(let actor): append(actor, suffix: "Yc")
    case .any: output += "YA"
    case .caller: output += "YC"
    case nil: break
    }
    if type.hasSendingResult { output += "YT" }
    output += Self.code(of: type.representation)
  }

  private mutating func append(result: TypeNode) {
    if result == .void { output += "y" } else { append(result) }
  }

  /// Appends parameters. One plain parameter is written by itself unless it is a tuple, which would
  /// look like several parameters.
  private mutating func append(parameters: [TupleElement]) {
    guard parameters.count == 1, let only = parameters.first, only.label == nil,
      !only.isVariadic
    else { return append(parameterTuple: parameters) }
    if case .tuple = only.type { return append(parameterTuple: parameters) }
    append(only.type)
  }

  private mutating func append(parameterTuple parameters: [TupleElement]) {
    appendList(parameters) { $0.append($1) }
    if !parameters.isEmpty { output += "t" }
  }

  /// Protocols that exist for the compiler only: the runtime knows none of them.
  static let markers = Set(
    ["Sendable", "SendableMetatype", "Copyable", "Escapable", "BitwiseCopyable"].map {
      TypeNode.nominal(.standard(.protocol, $0))
    })

  mutating func append(_ composition: ProtocolComposition) {
    let protocols = composition.protocols.filter { !Self.markers.contains($0) }
    appendList(protocols) { $0.append($1) }
    if let superclass = composition.superclass {
      append(superclass, suffix: "Xc")
    } else {
      output += composition.isClassBound ? "Xl" : "p"
    }
  }

  mutating func append(_ type: BuiltinType) {
    switch type {
    case .named(_, let code): output += "B" + code
    case .vector(let count, let element):
      append(element)
      output += "Bv\(count)_"
    case .fixedArray(let count, let element):
      append(count)
      append(element, suffix: "BV")
    }
  }

  static func letter(of representation: MetatypeRepresentation) -> String {
    switch representation {
    case .thin: "t"
    case .thick: "T"
    case .objc: "o"
    }
  }

  private static func code(of representation: FunctionType.Representation) -> String {
    switch representation {
    case .escaping: "c"
    case .nonescaping: "XE"
    case .autoclosure: "XK"
    case .escapingAutoclosure: "XA"
    case .thin: "Xf"
    case .cFunction: "XC"
    case .block: "XB"
    case .escapingBlock: "XL"
    case .uncurried: "XU"
    }
  }

  static func code(of modifier: TypeModifier) -> String {
    switch modifier {
    case .inout: "z"
    case .owned: "n"
    case .shared: "h"
    case .isolated: "Yi"
    case .sending: "Yu"
    case .weak: "Xw"
    case .unowned: "Xo"
    case .unmanaged: "Xu"
    case .noDerivative: "Yk"
    case .compileTimeLiteral: "Yt"
    case .constant: "Yg"
    }
  }
}
