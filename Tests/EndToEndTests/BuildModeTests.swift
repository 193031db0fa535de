// SPDX-License-Identifier: MIT

import Expectations
import Foundation
import Testing
import WaxwingTestSupport

/// Programs that are compiled in other ways than this package: each is compiled for its test, and runs under
/// `waxwing exec`. Overrides that only call the original change nothing.
@Suite struct BuildModeTests {
  let shell: Shell

  init() throws {
    shell = try Shell()
  }

  /// With a daemon that lets patches rewrite code.
  static func allowingCodeEntries() throws -> BuildModeTests {
    let tests = try BuildModeTests()
    try tests.shell.directory.write("unsigned = allow\ncode-entries = allow\n", to: "modes.conf")
    return tests
  }

  /// With the program that another has compiled.
  init(shell: Shell, like other: BuildModeTests) throws {
    self.shell = shell
    try ProgramCopy.make("\(other.shell.path)/modes", to: "\(shell.path)/modes")
  }

  static let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Fixtures/BuildModes").path
  static let path = ProcessInfo.processInfo.environment["PATH"] ?? ""

  /// Compiles the program `modes` from a fixture's `main.swift`, and a module that it imports, without implicit dynamic if the
  /// flags do not set it.
  /// - Parameters:
  ///   - fixture: The folder, which has a file named like the module.
  ///   - isShared: Whether the module is a shared library.
  func compile(
    _ fixture: String, importing module: String, _ flags: String, isShared: Bool = true
  ) throws {
    let folder = "\(Self.fixtures)/\(fixture)"
    let form =
      isShared ? "-emit-library -o lib\(module).so" : "-emit-library -static -o lib\(module).a"
    try expectSuccess(
      Compilations.copy(
        """
        set -e
        PATH="\(Self.path)"
        swiftc \(flags) -swift-version 5 -parse-as-library -module-name \(module) \(form) \
          -emit-module -emit-module-path \(module).swiftmodule '\(folder)/\(module).swift'
        swiftc \(flags) -swift-version 5 -module-name modes -o modes -I . -L . -l\(module) \
          -Xlinker -rpath -Xlinker '$ORIGIN' '\(folder)/main.swift'
        """, to: shell))
  }

  /// Compiles the program `modes`.
  /// - Parameter library: The line that compiles what it is linked with.
  private func compile(_ arguments: String, after library: String = ":") throws {
    try expectSuccess(
      Compilations.copy(
        """
        set -e
        \(library)
        PATH="\(Self.path)" swiftc -swift-version 5 -module-name modes -o modes \
        -Xfrontend -enable-implicit-dynamic \(arguments)
        """.replacingOccurrences(of: "FIXTURES", with: Self.fixtures), to: shell))
  }

  /// What the program answers to a line, up to one that ends with `--`: before a patch is applied, under it, and after it; and what failed meanwhile.
  struct Answers: Equatable {
    var before = ""
    var patched = ""
    var after = ""
    var failures: [String] = []

    init() {}

    /// - Parameter result: Of a script that prints each of them on a line, the failures last.
    init(_ result: CommandResult) {
      expectSuccess(result)
      let lines = result.standardOutput.split(separator: "\n").map(String.init)
      guard lines.count >= 3 else {
        Issue.record("\(result)")
        return
      }
      (before, patched, after) = (lines[at: 0], lines[at: 1], lines[at: 2])
      failures = Array(lines.dropFirst(3))
    }
  }

  /// - Parameters:
  ///   - patch: A script; nil: the overrides of all functions that only call the original.
  ///   - looking: Commands that are run while it is live. What they print is in the file `looked`.
  func run(_ patch: String? = nil, looking: String = ":") throws -> Answers {
    try shell.directory.write(patch ?? "", to: "given.lua")
    let result = try shell.bash(
      """
      set -eu
      rm -rf in out err state modes.sock
      mkfifo in
      touch out err
      exec 3<>in
      export WAXWING_STATE_DIR=$PWD/state WAXWING_CONFIG_DIR=$PWD WAXWING_LOG_DIR=off
      trap 'kill ${program:-} 2>/dev/null || true' EXIT
      waxwing exec --allow-unsigned ./modes <in >out 2>err &
      program=$!
      until [[ -S modes.sock ]]; do
        kill -0 $program || { cat err; exit 1; }
        sleep 0.02
      done
      lines() { wc -l <out; }
      say() {
        local before=$(lines)
        echo go >&3
        until (($(lines) > before)) && [[ $(tail -n 1 out) == *-- ]]; do
          kill -0 $program || { echo "the program has ended"; cat err; exit 1; }
          sleep 0.02
        done
        tail -n +$((before + 1)) out | tr '\\n' ' '
        echo
      }
      say
      \(patch == nil ? "waxwing points --program modes --patch 2>/dev/null" : "cat given.lua") >all.lua
      waxwing apply all.lua >applied 2>&1 || { cat applied all.lua; exit 1; }
      say
      waxwing list --json >list.json || true
      { \(looking)
      } >looked 2>&1 || { cat looked; exit 1; }
      waxwing restore --wait 1 | grep -q '0 differences'
      say
      jq -r '.patches[].overrides[] | select(.errors > 0) | "\\(.selector): \\(.lastError.message)"' list.json
      sed -n 's/.*override.kept_self: .* function=/may keep self: /p' err
      """)
    return Answers(result)
  }

  func expectNoChange(_ answers: Answers) {
    #expect(!answers.before.isEmpty)
    expectEqual(answers.patched, answers.before)
    expectEqual(answers.after, answers.before)
    expectEqual(answers.failures, [])
  }

  @Test(arguments: ["-Onone -g", "-O"])
  func `C++ objects and weak references are moved as their types say`(flags: String) throws {
    try compile(
      "\(flags) -cxx-interoperability-mode=default -I FIXTURES/Cxx FIXTURES/cxx.swift")
    expectNoChange(try run())
  }

  @Test(arguments: ["-O", "-Onone"])
  func `without debug information methods of strings and arrays have their originals`(
    flags: String
  ) throws {
    try compile("\(flags) FIXTURES/extensions.swift")
    expectNoChange(
      try run(
        """
        local S, A = class "Swift.String", class "Swift.Array"
        function S:shout() return original(self) end
        function S:owned() return original(self) end
        function A:total() return original(self) end
        function A:second() return original(self) end
        function A:doubled() return original(self) end
        class("Swift.Optional")["orEmpty()"] = function(self) return original(self) end
        class("Swift.Optional")["owned()"] = function(self) return original(self) end
        class("Swift.Dictionary")["size()"] = function(self) return original(self) end
        class("Swift.Substring"):before("length()", function() end)
        """))
  }

  @Test(arguments: ["-O -g", "-Onone -g"])
  func `originals of generic types' methods are called for the types of the call`(
    flags: String
  ) throws {
    try compile("\(flags) FIXTURES/receivers.swift")
    let members = [
      "Optional": ["shown", "held"], "Dictionary": ["peek", "drop"], "Array": ["size", "twice"],
      "Set": ["size", "twice"],
    ]
    let overrides = members.flatMap { type, names in
      names.map { "class(\"Swift.\(type)\").\($0) = function(...) return original(...) end" }
    }
    expectNoChange(try run(overrides.joined(separator: "\n")))
  }

  @Test(arguments: ["-O", "-Onone"])
  func `without debug information an override without its original says that self may leak`(
    flags: String
  ) throws {
    try compile("\(flags) FIXTURES/extensions.swift")
    let changed = try run(
      """
      local A = class "Swift.Array"
      class("Swift.String").owned = function() return "owned" end
      class("modes.Owner")["same(_:)"] = function(self, other)
        local same = original(self, other)
        local isCalled, message = pcall(original, self, other)
        assert(not isCalled and message:find("can be called once", 1, true), message)
        return same
      end
      function A:total() return original(self) end
      """)
    expectEqual(changed.after, changed.before)
    #expect(changed.patched != changed.before)
    expectEqual(changed.failures, ["may keep self: Swift.String.owned()"])
  }

  @Test(arguments: ["-O -wmo", "-Onone"])
  func `without debug information calls of classes' mutating members tell what they are`(
    flags: String
  ) throws {
    try compile("\(flags) FIXTURES/extensions.swift")
    expectNoChange(try run())
    let called = try Self(shell: Shell(), like: self).run(
      """
      local Counter = class "modes.Counter"
      function Counter:plus(number)
        local isCalled, message = pcall(function() return self:click(1) end)
        assert(not isCalled and message:find("nothing tells whether it is `mutating`", 1, true), message)
        isCalled, message = pcall(function() return self.last end)
        assert(not isCalled and message:find("nothing tells whether it is `mutating`", 1, true), message)
        return original(self, number)
      end
      """)
    expectNoChange(called)
  }

  @Test(arguments: ["-O -wmo", "-Onone"])
  func `objects are made although the functions that make them are inlined`(flags: String) throws {
    try compile("\(flags) FIXTURES/made.swift")
    expectNoChange(try run())
    let changed = try Self(shell: Shell(), like: self).run(
      """
      local function made(name) return class("modes." .. name) end
      local Desk = made "Desk"
      function Desk:node(node)
        local members = table.concat(typeof(made "Node").members, "\\n")
        assert(members:find("init(", 1, true) < members:find("func name()", 1, true), members)
        return original(self, made "Node"(8)) .. original(self, made "Leaf"("lua"))
      end
      function Desk:even(even)
        assert(made "Even"(3) == nil and not pcall(made "Even") and not pcall(made "Even", "x"))
        return original(self, made "Even"(12))
      end
      function Desk:positive(positive)
        assert(not pcall(made "Positive", -1))
        return original(self, made "Positive"(9))
      end
      function Desk:repeated(repeated) return original(self, made "Repeated"(5, 3)) end
      function Desk:counter(counter) return original(self, made "Counter"(40)) end
      """)
    let patched = [
      "node node 8leaf lua node 8leaf lua;", "even 6 6;", "positive 9 9;", "repeated [5, 5, 5];",
      "counter 41;",
    ]
    for line in patched { #expect(changed.patched.contains(line), "\(line) in \(changed.patched)") }
    expectEqual(changed.after, changed.before)
    expectEqual(changed.failures, [])
  }

  @Test(arguments: ["-O -wmo", "-Onone"])
  func `structs that the optimizer describes without metadata have their properties`(
    flags: String
  ) throws {
    try compile("\(flags) FIXTURES/described.swift")
    expectNoChange(try run())
    let changed = try Self(shell: Shell(), like: self).run(
      """
      local function read(name, properties)
        class("modes." .. name).list = function(self, text)
          return "[" .. properties(self) .. "] " .. original(self, text)
        end
      end
      read("Several", function(self)
        return self.store.count .. self.name .. self.pair.small .. self.pair.text .. self.pair.number
      end)
      read("One", function(self) return self.shelf.store.count .. self.shelf.name end)
      read("Large", function(self)
        return self.a .. self.b .. self.c .. tostring(self.isOpen) .. self.ratio .. self.store.count
      end)
      read("Hidden", function(self) return self.store.count .. tostring(self.isOpen) end)
      read("Floats", function(self) return self.x .. self.y end)
      class("modes.Hidden").other = function(self, other)
        return (other and other.store.count or "nil") .. " " .. original(self, other)
      end
      """)
    let patched = [
      "several: [1n3x4] 1 n 3 go;", "one: [2s] 2 go;",
      "large: [alonger than what is kept in placectrue2.53] alonger than what is kept in placec true 2.5 3 go;",
      "hidden: [4true] 4 true 4 nil none go;", "floats: [1.02.0] 1.0 2.0 go;",
    ]
    for line in patched { #expect(changed.patched.contains(line), "\(line) in \(changed.patched)") }
    let doctor = try shell.bash("waxwing doctor ./modes --static")
    #expect(doctor.standardOutput.contains("modes.Aligned") == (flags != "-Onone"))
    #expect(!doctor.standardOutput.contains("modes.Several"))
    // Lua keeps what it has seen until it collects, so that the objects go later.
    let deaths = #/gone \d /#
    expectEqual(
      changed.after.replacing(deaths, with: ""), changed.before.replacing(deaths, with: ""))
    expectEqual(changed.failures, [])
  }

  @Test(arguments: ["-O", "-Onone"])
  func `without debug information methods of values with padding have their originals`(
    flags: String
  ) throws {
    try compile("\(flags) FIXTURES/padding.swift")
    expectNoChange(try run())
  }

  /// Compiles a library for library evolution, and a program that uses it.
  private func compileWithLibrary(_ folder: String, _ flags: String) throws {
    try compile(
      "\(flags) -I . library.o FIXTURES/\(folder)/main.swift",
      after: """
        PATH="\(Self.path)" swiftc \(flags) -swift-version 5 -parse-as-library -module-name Core \
        -enable-library-evolution -Xfrontend -enable-implicit-dynamic -wmo -emit-object -o library.o \
        -emit-module -emit-module-path Core.swiftmodule '\(Self.fixtures)/\(folder)/Core.swift'
        """)
  }

  @Test(arguments: ["-Onone -g", "-O -wmo -g", "-O -wmo"])
  func `debugging information tells how methods of a library's generic types are called`(
    flags: String
  ) throws {
    try compile(
      "\(flags) -I . library.o FIXTURES/Called/main.swift",
      after: """
        PATH="\(Self.path)" swiftc \(flags) -swift-version 5 -parse-as-library -module-name Core \
        -emit-object -wmo -o library.o -emit-module -emit-module-path Core.swiftmodule \
        '\(Self.fixtures)/Called/Core.swift'
        """)
    let changed = try run(
      """
      local Handler = class "modes.Handler"
      -- A requirement, of which the type has no function of its own left.
      function Handler:name(key) return key.stringValue:upper() end
      Handler["show(_:)"] = function(self, request)
        local found = {}
        local function note(f)
          local isDone, value = pcall(f)
          if not isDone then value = value:match("compile its module with `%-g`") and "untold" or value end
          found[#found + 1] = tostring(value)
        end
        note(function() return request.table:get("a") end)
        note(function() request.table:set("c", 5); return request.table:get("c") end)
        note(function() return request.locked:withValue(function(value) return value * 2, value + 4 end) end)
        note(function() return request.content:read("y") .. request.content.reads end)
        note(function() return request.body:decode(class "Core.Coin") end)
        note(function() return request.body:decode(class "Core.Person") end)
        note(function() return request.body:decode(class "Core.Coin", "z") end)
        note(function() return request.body:decode(class "Core.Person", 3) end)
        return table.concat(found, " ") .. " | " .. original(self, request)
      end
      """)
    let isTold = flags.hasSuffix("-g")
    expectEqual(changed.before, "2 4 x 1 key -- ")
    expectEqual(
      changed.patched,
      isTold
        ? "1 5 6 y1 Coin 7 of 7 Person named 7 Coin as z 7 Person 3 of 7 | 2 8 x 2 KEY -- "
        : "untold untold untold untold untold untold untold untold | 2 4 x 1 KEY -- ")
    expectEqual(changed.after, changed.before)
    expectEqual(changed.failures, [])
  }

  @Test(arguments: ["-Onone -g", "-O"])
  func `public types of a module that is built for library evolution travel by address`(
    flags: String
  ) throws {
    try compileWithLibrary("Evolution", flags)
    expectNoChange(try run())
    let changed = try Self(shell: Shell(), like: self).run(
      """
      local Till = class "Core.Till"
      function Till:add(one, other)
        assert(one.cents == 2 and other.cents == 3)
        return Core.Money(one.cents * 10)
      end
      """)
    #expect(changed.patched != changed.before && changed.after == changed.before)
    expectContains(changed.patched, "[20, 8, ")
    expectEqual(changed.failures, [])
  }

  @Test(arguments: ["-Onone", "-O"])
  func
    `generic types of a module whose symbols do not show library evolution travel as its code tells`(
      flags: String
    ) throws
  {
    try compileWithLibrary("Quiet", flags)
    expectNoChange(try run())
    let read = try Self(shell: Shell(), like: self).run(
      """
      local Core = module "Core"
      Core["one(_:)"] = function(number)
        local one = original(number)
        assert(one.held == number)
        return one
      end
      Core["change(_:)"] = function(one)
        assert(one.held == 2)
        return original(one)
      end
      """)
    expectNoChange(read)
  }

  private static let callingPatch = """
    class("modes.Shelf").answer = function(self, key)
      local pairs = self.pairs
      pairs:put("z", 9)
      local inner = self.locked:withLock(fallback(function(value) return value + 1, value end, 0))
      return table.concat({
        pairs:get(key), pairs:get("z"), pairs:get("a", Int), #pairs:taken(), #self.pairs:taken(), inner,
      }, " ")
    end
    """

  /// Compiles a library without implicit dynamic, and a program that uses it.
  private func compileCalled(_ flags: String) throws {
    try compile(
      "\(flags) -emit-executable -I Modules -emit-module-path Modules/modes.swiftmodule -Xlinker --build-id "
        + "library.o FIXTURES/Packaged/main.swift",
      after: """
        mkdir Modules
        PATH="\(Self.path)" swiftc \(flags) -swift-version 5 -parse-as-library -module-name Core \
        -wmo -emit-object -o library.o -emit-module -emit-module-path Modules/Core.swiftmodule \
        '\(Self.fixtures)/Packaged/Core.swift'
        """)
  }

  @Test(arguments: ["-O -wmo", "-Onone"])
  func `functions that are declared dynamic can be overridden without the flag`(
    flags: String
  ) throws {
    try expectSuccess(
      shell.bash(
        """
        PATH="\(Self.path)" swiftc \(flags) -swift-version 5 -module-name modes -o modes \
        '\(Self.fixtures)/dynamic.swift'
        """))
    let changed = try run(
      """
      local Point, Box, modes = class "modes.Point", class "modes.Box", module "modes"
      function Point:added(n) return original(self, n) + 100 end
      function Point.get:double() return 77 end
      function Point:counted(value) return 5 end
      function Point:later(n) sleep(0.001) return original(self, n) + 1 end
      function Box:text() return original(self) .. "!" end
      function modes.free(n) return 9 end
      local is_declared, reason = pcall(function() function Point:plain(n) return 0 end end)
      assert(not is_declared, reason)
      """)
    expectEqual(
      [changed.before, changed.patched, changed.after],
      ["4 4 6 1 4 box 1 5 156 -- ", "104 4 77 5 4 box! 9 6 216 -- ", "4 4 6 1 4 box 1 5 156 -- "])
    expectEqual(changed.failures, [])
    let points = try shell.bash("waxwing points ./modes 2>&1")
    expectContains(points.standardOutput, "Point:added(value)")
    #expect(!points.standardOutput.contains("plain"), "\(points)")
    let doctor = try shell.bash("waxwing doctor ./modes --static || true")
    expectContains(doctor.standardOutput, "most of all modes.free(_:) in ")
  }

  @Test(arguments: ["-O -wmo", "-Onone"])
  func `debugging information or facts tell how methods of a package's generic structs are called`(
    flags: String
  ) throws {
    try compileCalled("\(flags) -g")
    let described = try run(Self.callingPatch)
    expectEqual(
      [described.before, described.patched, described.after],
      ["1 2 of 2 -- ", "2 9 1 3 2 7 -- ", "2 of 2 -- "])
    expectEqual(described.failures, [])

    try expectSuccess(shell.bash("PATH=$PATH:\"\(Self.path)\" waxwing facts modes; strip -g modes"))
    let bare = try Self(shell: Shell(), like: self)
    let refused = try bare.run(Self.callingPatch)
    expectEqual(refused.patched, refused.after)
    expectContains(
      refused.failures.joined(),
      "Core.Pairs.put(_:_:): nothing tells whether it is `mutating`, which decides how methods of this "
        + "generic type are called; compile its module with `-g` and do not strip that, or make a facts file with "
        + "`waxwing facts` where the program is built"
    )

    let told = try Self(shell: Shell(), like: self)
    try expectSuccess(
      Command(
        "/bin/cp", ["\(shell.path)/modes.waxwing-facts", "\(told.shell.path)/"]
      ).run())
    let fromFacts = try told.run(Self.callingPatch)
    expectEqual(fromFacts.patched, "2 9 1 3 2 7 -- ")
    expectEqual(fromFacts.failures, [])
  }
}
