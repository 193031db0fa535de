// SPDX-License-Identifier: MIT

import Glibc
internal import WaxwingBridge
import WaxwingControl
import WaxwingDeclarations
import WaxwingReflection
import WaxwingToolKit

/// The types and functions of a program, as definitions describe them: patch points, and other
/// functions that its file names.
struct ProgramOutline {
  /// The owner of declarations.
  enum Owner: Hashable {
    case type(NominalType)
    case module(String)
  }

  /// A function, with the patch point that it has.
  struct Function {
    let symbol: String
    let declaration: FunctionDeclaration
    let parameters: [String]
    let isAsync: Bool
    /// The indices of the parameters that have default values.
    let optional: Set<Int>
    let point: ListedPoint?
  }

  /// The functions by their owners, patch points first, then by name.
  private(set) var functions: [Owner: [Function]] = [:]
  /// The fields of the file's own types, as far as they can be told.
  private(set) var fields: [NominalType: FieldCatalog.Fields] = [:]
  /// The file's own types, and others that the program has functions of.
  let types: [NominalType]
  /// The types by the type that they are nested in.
  let nested: [NominalType: [NominalType]]
  let modules: [String]
  /// The names that `class` accepts for types: with a symbol if several types have the name.
  private(set) var typeNames: [NominalType: String] = [:]
  /// Points that no patch can name.
  private(set) var unnamed: [ListedPoint] = []

  /// Creates the outline of no program.
  init() {
    types = []
    nested = [:]
    modules = []
  }

  /// - Parameters:
  ///   - path: The program's file.
  ///   - points: Its patch points, and those of its libraries.
  ///   - closures: The closures of both.
  init(
    file path: String, points: [ListedPoint], closures: [ListedPoint] = []
  ) throws(CommandError) {
    let catalog: TypeDescriptorCatalog
    let symbols: [ElfSymbol]
    do throws(ElfError) {
      let image = try ElfImage(path: path)
      catalog = try TypeDescriptorCatalog(image: image)
      fields = FieldCatalog(image: image, types: catalog).fields
      symbols = try Self.functionSymbols(of: image, modules: Set(points.map(\.module)))
    } catch {
      throw CommandError(path, error)
    }
    let own = catalog.descriptors.keys.filter(Self.isShown)
    var all: Set = Set(own)
    var modules = Set(own.compactMap(\.module))
    for function in Self.functions(points, closures, symbols, &unnamed) {
      let owner = Owner(function.declaration)
      functions[owner, default: []].append(function)
      if let point = function.point, case .type(let type) = owner {
        typeNames[type] = point.owner.name
      }
      switch owner {
      case .type(let type): all.insert(type)
      case .module(let name): modules.insert(name)
      }
    }
    let sorted = all.map { (key: Self.key($0), type: $0) }.sorted { $0.key < $1.key }.map(\.type)
    types = sorted
    nested = Dictionary(grouping: sorted.filter { $0.context.memberOf != nil }) {
      $0.context.memberOf?.unbound ?? $0
    }
    self.modules = modules.sorted()
    for type in types where typeNames[type] == nil { typeNames[type] = type.qualifiedName }
    for owner in functions.keys { functions[owner]?.sort { $0.sortKey < $1.sortKey } }
  }

  private static func key(_ type: NominalType) -> (String, String) {
    (type.qualifiedName, TypeNode.nominal(type).mangled)
  }

  /// Whether stubs show the type. The engine's types and types that are local to a function, which
  /// no patch can name, are left out.
  private static func isShown(_ type: NominalType) -> Bool {
    var context = type.context
    while let outer = context.memberOf { context = outer.context }
    guard case .module(let module) = context, type.name.localIndex == nil else { return false }
    return !EngineModules.contains(module)
  }

  // MARK: Functions

  /// The symbols that may be functions of one of the modules. No other symbol is demangled.
  private static func functionSymbols(
    of image: ElfImage, modules: Set<String>
  ) throws(ElfError) -> [ElfSymbol] {
    let parts = modules.map { "\($0.utf8.count)\($0)" }
    let table: ElfSymbolTable = image.hasSymbols(in: .complete) ? .complete : .dynamic
    return try unsafe image.symbols(in: table) { name in
      guard unsafe name.starts(with: "$s".utf8), let last = unsafe name.last, ends.contains(last)
      else {
        return false
      }
      // At the start, or behind the name of the type that an extension is of.
      // A name ends at a zero.
      let start = unsafe name.bindMemory(to: CChar.self).baseAddress
      return parts.contains { part in unsafe start.map { unsafe strstr($0, part) != nil } ?? false }
    }.filter(\.isDefined)
  }

  /// The last letters of the symbols of functions, initializers, accessors, static members and
  /// default arguments.
  private static let ends = Set("FCcgsZ_".utf8)

  private static func functions(
    _ points: [ListedPoint], _ closures: [ListedPoint], _ symbols: [ElfSymbol],
    _ unnamed: inout [ListedPoint]
  ) -> [Function] {
    let declared = symbols.compactMap { symbol in
      FunctionDeclaration(symbol: symbol.name).map { (symbol.name, $0) }
    }
    let optional = defaultArguments(declared.map(\.1))
    var functions: [Function] = []
    for point in points + closures {
      guard point.kind != .other, let declaration = FunctionDeclaration(symbol: point.symbol) else {
        unnamed.append(point)
        continue
      }
      functions.append(
        Function(
          symbol: point.symbol, declaration: declaration, parameters: point.parameters,
          isAsync: point.isAsync, optional: optional[declaration.callForm] ?? [], point: point))
    }
    var known = Set(points.map(\.symbol))
    for (symbol, declaration) in declared
    where isCallable(declaration) && known.insert(symbol).inserted {
      functions.append(
        Function(
          symbol: symbol, declaration: declaration,
          parameters: PointParameters.names(of: declaration), isAsync: declaration.isAsync,
          optional: optional[declaration.callForm] ?? [], point: nil))
    }
    return functions
  }

  private static func defaultArguments(
    _ declarations: [FunctionDeclaration]
  ) -> [FunctionDeclaration: Set<Int>] {
    var found: [FunctionDeclaration: Set<Int>] = [:]
    for declaration in declarations {
      guard case .defaultArgument(let index) = declaration.kind,
        case .declaration(let function, _) = declaration.context
      else { continue }
      found[function.callForm, default: []].insert(index)
    }
    return found
  }

  /// Whether a script can name it, and would.
  private static func isCallable(_ declaration: FunctionDeclaration) -> Bool {
    switch declaration.kind {
    case .function, .allocatingInitializer, .initializer, .getter, .setter, .subscriptGetter,
      .subscriptSetter:
      break
    default: return false
    }
    if case .declaration = declaration.context { return false }
    guard declaration.name.localIndex == nil, !declaration.baseName.hasPrefix("__"),
      !declaration.baseName.hasPrefix("$"), !EngineModules.contains(declaration.module)
    else { return false }
    return declaration.context.memberOf.map { isNamed($0.unbound) } ?? true
  }

  /// Whether a script can name the type; the engine's own types may have extensions.
  private static func isNamed(_ type: NominalType) -> Bool { type.name.localIndex == nil }
}

extension ProgramOutline.Owner {
  init(_ declaration: FunctionDeclaration) {
    let outer = declaration.function
    self = outer.context.memberOf.map { .type($0.unbound) } ?? .module(outer.module)
  }
}

extension ProgramOutline.Function {
  fileprivate var sortKey: (Int, String, String) {
    (point == nil ? 1 : 0, declaration.selector, symbol)
  }
}

extension FunctionDeclaration {
  /// A form that both of a class's initializers share: which of them has the default arguments depends on
  /// the compiler.
  fileprivate var callForm: FunctionDeclaration {
    guard kind == .initializer else { return self }
    var other = self
    other.kind = .allocatingInitializer
    return other
  }
}
