// SPDX-License-Identifier: MIT

import Testing

@testable import WaxwingDeclarations
@testable import WaxwingReflection

/// Ours against the runtime's demangler, over every function of the toolchain's own libraries.
@Suite struct DifferentialTests {
  /// Symbols that the official demangler prints wrongly: a private initializer without its name,
  /// and a parameter pack that is not the first parameter without `each`.
  private static let misprinted: Set<String> = [
    "$s20FoundationEssentials3URLV8TemplateV6GlobalCAGyc33_EBC49918EB333C915B25285936FE24AFLlfc",
    "$s20FoundationEssentials20PredicateExpressionsO14build_evaluateyAC18ExpressionEvaluateVy"
      + "_xq_q_Qp_QPq0_Gx_q_q_QptRv_AA0cG0RzAaHR_AA0G0Vy6OutputQy_q_Qp_QPq0_GAKRtzr1_lFZ",
  ]

  private static func symbols(of library: ToolchainLibrary) throws -> Set<String> {
    let image = try ElfImage(path: library.path)
    var names: Set<String> = []
    for table in ElfSymbolTable.allCases {
      names.formUnion(try image.symbols(in: table) { $0.starts(with: "$s".utf8) }.map(\.name))
    }
    return names.subtracting(misprinted)
  }

  /// Whether the symbol ends like a function, initializer or accessor and is one.
  private static func isFunction(_ symbol: String) -> Bool {
    guard
      ["F", "FZ", "fC", "fc", "vg", "vs", "ig", "is", "gZ", "sZ"].contains(where: symbol.hasSuffix),
      let text = OfficialDemangler.text(of: symbol), text != symbol
    else { return false }
    return !text.contains("witness for") && !text.contains("field descriptor")
  }

  @Test(arguments: ToolchainLibrary.allCases)
  func `every declaration prints as the official demangler prints it`(
    library: ToolchainLibrary
  ) throws {
    var different: [String] = []
    var count = 0
    for symbol in try Self.symbols(of: library) {
      guard let declaration = FunctionDeclaration(symbol: symbol) else { continue }
      count += 1
      if declaration.runtimeDescription != OfficialDemangler.text(of: symbol) {
        different.append(symbol)
      }
    }
    #expect(different == [])
    #expect(count > 500)
  }

  @Test(arguments: ToolchainLibrary.allCases)
  func `nearly every function can be read`(library: ToolchainLibrary) throws {
    let functions = try Self.symbols(of: library).filter(Self.isFunction)
    let unreadable = functions.filter { FunctionDeclaration(symbol: $0) == nil }
    #expect(functions.count > 500)
    #expect(unreadable.count * 100 < functions.count, "unreadable: \(unreadable.prefix(10))")
  }

  @Test(arguments: ToolchainLibrary.allCases)
  func `every type that is read can be mangled and read again`(library: ToolchainLibrary) throws {
    var changed: [String] = []
    for symbol in try Self.symbols(of: library) {
      guard let declaration = FunctionDeclaration(symbol: symbol) else { continue }
      for type in declaration.parameters.map(\.type) + [declaration.result] {
        let again = TypeNode(mangled: type.mangled)
        // Marker protocols are left out of names.
        let isMarked = type.description.contains("Swift.Sendable")
        if isMarked ? again == nil : again != type { changed.append(symbol) }
      }
    }
    #expect(changed == [])
  }
}
