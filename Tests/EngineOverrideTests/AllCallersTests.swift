// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Testing
import Waxwing

extension EngineSuite {
  /// An override is seen by all callers, or refused: never half.
  @Suite struct AllCallersTests {
    /// What a function gives by each way that leads to it.
    private let ways: [(name: String, baseline: Int, calls: [() -> Int])] = {
      let value = Shortcuts()
      return [
        (
          "open", 1,
          [
            { value.open() }, { value.callsOpen() }, { callsByProtocol(value) },
            { callsByClosure(value) }, { callsByReference(value) },
            { (value as any Shortcutting).open() }, { [value].map { $0.open() }[0] },
          ]
        ),
        ("hidden", 2, [{ value.callsHidden() }]),
        ("inlinable", 3, [{ value.inlinable() }, { value.callsInlinable() }]),
        ("always", 4, [{ value.always() }, { value.callsAlways() }]),
        (
          "computed", 5,
          [
            { value.computed }, { value.callsComputed() }, { callsByKeyPath(value) },
            { value[keyPath: \.computed] },
          ]
        ),
        ("shared", 6, [{ Shortcuts.shared() }, { value.callsShared() }]),
        ("generic", 8, [{ value.generic(Int8(1), 7) }, { value.callsGeneric() }]),
        ("fileFunction", 8, [{ callsFileFunction() }]),
      ]
    }()

    private func patch(_ name: String) -> String {
      switch name {
      case "computed": "local S = class 'Bank.Shortcuts'\nfunction S.get:computed() return 100 end"
      case "shared": "local S = class 'Bank.Shortcuts'\nfunction S.static:shared() return 100 end"
      case "fileFunction": "local B = module 'Bank'\nfunction B.fileFunction() return 100 end"
      default: "local S = class 'Bank.Shortcuts'\nfunction S:\(name)() return 100 end"
      }
    }

    @Test func `every way of calling leads to the override, or it is refused`() throws {
      WaxwingEngine.setLogHandler { _ in }
      var refused: [String] = []
      for way in ways {
        let baseline = Set(way.calls.map { $0() })
        #expect(baseline == [way.baseline], "\(way.name)")
        do {
          let session = try WaxwingEngine.start(text: patch(way.name), name: way.name)
          let patched = Set(way.calls.map { $0() })
          #expect(patched == [100], "\(way.name)")
          expectEqual(faults(), [])
          try WaxwingEngine.end(session)
        } catch let error as WaxwingError {
          refused.append(way.name)
          #expect(error.code == .refused && error.message.contains(way.name))
          #expect(error.message.contains("inlined") || error.message.contains("dynamic"))
        }
        let after = Set(way.calls.map { $0() })
        #expect(after == [way.baseline], "\(way.name)")
      }
      // Whose bodies the compiler may put wherever they are called, and so has no entry for.
      #expect(Set(refused).isSubset(of: ["inlinable", "always"]), "\(refused)")
    }
  }
}
