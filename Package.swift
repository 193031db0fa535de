// swift-tools-version:6.2
// SPDX-License-Identifier: MIT

import PackageDescription

/// What the tests are built for: `debug`, `release`, or all. Only scripts/test says it.
let configuration = Context.environment["WAXWING_TESTS_IN"] ?? ""

/// Debug information takes the compiler a sixth of its time, and in release no test looks at that of the engine and
/// the tool.
let forTests: [SwiftSetting] =
  configuration == "release" ? [.unsafeFlags(["-gnone"], .when(configuration: .release))] : []

/// Everything the compiler can promise is asked of it, in every Swift target of the engine.
let strict: [SwiftSetting] =
  [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
  ] + forTests

/// The same, and in the targets that need little of it each use of something unsafe is marked.
let strictAboutMemory: [SwiftSetting] = strict + [.strictMemorySafety()]

/// What users set on the target they want to patch. Fixtures and examples only: a package that
/// depends on a target with unsafe flags by version does not build.
let patchable: [SwiftSetting] = [
  .unsafeFlags(["-Xfrontend", "-enable-implicit-dynamic"])
]

/// The tests' own code, and what generates some of it: what they test is optimized in release, they are not, as
/// compiling them took half of the build's time. They have no debug information there either, and none in debug for
/// scripts/test: it takes a quarter of the time. Of two flags the compiler takes the last one.
let tested: [SwiftSetting] =
  strict + [.unsafeFlags(["-Onone", "-gnone"], .when(configuration: .release))]
  + (configuration == "debug" ? [.unsafeFlags(["-gnone"])] : [])

// Lowest layer first: a target depends only on lines above it.
let engine: [Target] = [
  .systemLibrary(name: "CLua", pkgConfig: "lua5.4", providers: [.apt(["liblua5.4-dev"])]),
  .systemLibrary(name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
  // Decodes the first instructions of functions; Debian 12 has no file of pkg-config's for it.
  .systemLibrary(name: "CZydis", providers: [.apt(["libzydis-dev"])]),
  .target(name: "CWaxwingProcess"),
  .target(
    name: "CWaxwingABI", dependencies: ["CWaxwingProcess"], exclude: ["library_self_kinds.txt"]),
  .target(
    name: "CWaxwingRuntime", dependencies: ["CWaxwingABI", "CWaxwingProcess", "CZydis"],
    linkerSettings: [.linkedLibrary("Zydis")]),
  // A folder for each part; only what Swift uses is in a public header.
  .target(
    name: "CWaxwingLua",
    dependencies: ["CLua", "CWaxwingABI", "CWaxwingProcess", "CWaxwingRuntime"],
    cSettings: ["State", "Library", "Proxies", "Calls"].map { .headerSearchPath($0) }),
  .target(
    name: "CWaxwingLuaSources", path: "lua", exclude: ["library", "meta", "tools", "waxwing"]),
  .target(
    name: "WaxwingLua", dependencies: ["CWaxwingLua", "CWaxwingLuaSources"],
    swiftSettings: strict),
  .target(name: "WaxwingDeclarations", swiftSettings: strictAboutMemory),
  .target(
    name: "WaxwingReflection",
    dependencies: ["CWaxwingABI", "CWaxwingProcess", "WaxwingDeclarations"],
    swiftSettings: strictAboutMemory),
  .target(
    name: "WaxwingInterception",
    dependencies: ["CWaxwingABI", "CWaxwingProcess", "CWaxwingRuntime"],
    swiftSettings: strict),
  .target(
    name: "WaxwingValues",
    dependencies: [
      "CWaxwingABI", "CWaxwingLua", "CWaxwingProcess", "WaxwingDeclarations", "WaxwingInterception",
      "WaxwingLua", "WaxwingReflection",
    ],
    swiftSettings: strict),
  // How a call is made, and by whom: Swift calls Lua, Lua calls Swift.
  .target(
    name: "WaxwingBridge",
    dependencies: [
      "CWaxwingABI", "CWaxwingLua", "CWaxwingProcess", "WaxwingDeclarations", "WaxwingInterception",
      "WaxwingLua", "WaxwingReflection", "WaxwingValues",
    ],
    swiftSettings: strict),
  .target(
    name: "WaxwingScripting",
    dependencies: [
      "CWaxwingABI", "CWaxwingLua", "CWaxwingProcess", "WaxwingBridge", "WaxwingDeclarations",
      "WaxwingInterception", "WaxwingLua", "WaxwingReflection", "WaxwingValues",
    ],
    swiftSettings: strict),
  .target(
    name: "WaxwingSelfCheck",
    dependencies: [
      "CWaxwingABI", "CWaxwingLua", "WaxwingBridge", "WaxwingDeclarations", "WaxwingInterception",
      "WaxwingReflection", "WaxwingValues",
    ],
    swiftSettings: strict),
  .target(name: "WaxwingSystem", swiftSettings: strictAboutMemory),
  .target(
    name: "WaxwingPatches",
    dependencies: ["CSodium", "WaxwingDeclarations", "WaxwingReflection", "WaxwingSystem"],
    swiftSettings: strictAboutMemory),
  .target(
    name: "WaxwingCore",
    dependencies: [
      "CWaxwingProcess", "WaxwingBridge", "WaxwingDeclarations", "WaxwingInterception",
      "WaxwingLua", "WaxwingPatches", "WaxwingReflection", "WaxwingScripting", "WaxwingSelfCheck",
      "WaxwingSystem", "WaxwingValues",
    ],
    swiftSettings: strictAboutMemory),
  .target(
    name: "WaxwingControl", dependencies: ["WaxwingSystem"], swiftSettings: strictAboutMemory),
  .target(
    name: "WaxwingOperations",
    dependencies: [
      "CWaxwingProcess", "WaxwingControl", "WaxwingDeclarations", "WaxwingInterception",
      "WaxwingLua", "WaxwingPatches", "WaxwingSystem",
    ],
    swiftSettings: strictAboutMemory),
  .target(
    name: "Waxwing",
    dependencies: [
      "CWaxwingProcess", "WaxwingBridge", "WaxwingControl", "WaxwingCore", "WaxwingDeclarations",
      "WaxwingInterception", "WaxwingLua", "WaxwingOperations", "WaxwingPatches",
      "WaxwingReflection", "WaxwingScripting", "WaxwingSystem",
    ],
    swiftSettings: strictAboutMemory),
  // The engine for programs that do not link it: a shared library that is loaded before them.
  .target(name: "CWaxwingPreload", dependencies: ["CWaxwingProcess"]),
  .target(
    name: "WaxwingPreload", dependencies: ["CWaxwingPreload", "Waxwing"], swiftSettings: strict),
  // What the tool and the programs of fleets share: arguments, help, completions, output.
  .target(
    name: "WaxwingToolKit",
    dependencies: ["WaxwingControl", "WaxwingDeclarations", "WaxwingPatches", "WaxwingSystem"],
    swiftSettings: strictAboutMemory),
  .executableTarget(
    name: "WaxwingCLI",
    dependencies: [
      "CWaxwingLua", "CWaxwingProcess", "WaxwingBridge", "WaxwingControl", "WaxwingDeclarations",
      "WaxwingLua", "WaxwingOperations", "WaxwingPatches", "WaxwingReflection", "WaxwingScripting",
      "WaxwingSystem", "WaxwingToolKit", "WaxwingValues",
    ],
    swiftSettings: strictAboutMemory),
]

// Many machines: products of their own, so that a daemon that links Waxwing gets no new dependency. A target
// depends only on lines above it, and on the engine's that only read and write data.
let fleet: [Target] = [
  .systemLibrary(
    name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
  .systemLibrary(
    name: "CMicroHTTPD", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
  .target(name: "CWaxwingTransport", dependencies: ["CCurl"]),
  .target(
    name: "WaxwingFleet",
    dependencies: [
      "CWaxwingTransport", "WaxwingControl", "WaxwingDeclarations", "WaxwingPatches",
      "WaxwingSystem", "WaxwingToolKit",
    ],
    swiftSettings: strictAboutMemory),
  // The web page, its server, and what they show.
  .target(name: "CWaxwingConsole", dependencies: ["CMicroHTTPD"], exclude: ["page"]),
  .target(
    name: "WaxwingConsole",
    dependencies: ["CWaxwingConsole", "WaxwingControl", "WaxwingFleet", "WaxwingSystem"],
    swiftSettings: strictAboutMemory),
  .executableTarget(
    name: "WaxwingAgent",
    dependencies: [
      "WaxwingControl", "WaxwingDeclarations", "WaxwingFleet", "WaxwingPatches", "WaxwingSystem",
      "WaxwingToolKit",
    ],
    swiftSettings: strictAboutMemory),
  .executableTarget(
    name: "WaxwingFleetTool",
    dependencies: [
      "WaxwingConsole", "WaxwingControl", "WaxwingFleet", "WaxwingPatches", "WaxwingSystem",
      "WaxwingToolKit",
    ],
    swiftSettings: strictAboutMemory),
]

/// What cannot be patched is built for one comparison, see scripts/bench.
let isBenchmarkedPlain = Context.environment["WAXWING_BENCHMARK_PLAIN"] != nil

let examples: [Target] = [
  .executableTarget(
    name: "bankd", dependencies: ["Waxwing"], path: "examples/bankd/Sources",
    swiftSettings: [.swiftLanguageMode(.v6)] + (isBenchmarkedPlain ? [] : patchable))
]

// Support and fixtures, then one test target per engine target: a target's own tests see its
// insides, all other tests use the products only.
let tests: [Target] = [
  .target(name: "SeededRandom", path: "Tests/SeededRandom", swiftSettings: strict),
  .target(name: "Expectations", path: "Tests/Expectations", swiftSettings: strict),
  .target(name: "WaxwingTestSupport", path: "Tests/WaxwingTestSupport", swiftSettings: strict),
  .testTarget(
    name: "WaxwingTestSupportTests", dependencies: ["Expectations", "WaxwingTestSupport"],
    swiftSettings: tested),
  .target(name: "ClobberProbe", path: "Tests/Fixtures/ClobberProbe"),
  .target(
    name: "InterceptionFixture", path: "Tests/Fixtures/InterceptionFixture",
    swiftSettings: patchable),
  // Closures of modules without implicit dynamic: as the configuration has it, and always optimised.
  .target(name: "PlainRoutes", path: "Tests/Fixtures/PlainRoutes"),
  .target(
    name: "OptimizedRoutes", path: "Tests/Fixtures/OptimizedRoutes",
    swiftSettings: [.unsafeFlags(["-O"])]),
  .target(
    name: "OptimizedFunctions", path: "Tests/Fixtures/OptimizedFunctions",
    swiftSettings: [.unsafeFlags(["-O"])]),
  .testTarget(
    name: "CWaxwingProcessTests", dependencies: ["CWaxwingProcess", "SeededRandom"],
    swiftSettings: tested),
  .testTarget(
    name: "CWaxwingABITests", dependencies: ["CWaxwingABI", "ClobberProbe"], swiftSettings: tested),
  // Functions with beginnings of all kinds, whose code is entered.
  .target(
    name: "CWaxwingCodeProbe", dependencies: ["CWaxwingRuntime"], path: "Tests/Fixtures/CodeProbe"),
  .testTarget(
    name: "CWaxwingRuntimeTests",
    dependencies: ["CWaxwingCodeProbe", "CWaxwingRuntime", "ClobberProbe", "Expectations"],
    swiftSettings: tested),
  .target(
    name: "LibraryRig", dependencies: ["CWaxwingLua", "WaxwingLua"],
    path: "Tests/Fixtures/LibraryRig", resources: [.embedInCode("Cases.lua")],
    swiftSettings: strict),
  .target(
    name: "LuaRig",
    dependencies: ["CWaxwingLua", "WaxwingBridge", "WaxwingLua", "WaxwingValues"],
    path: "Tests/Fixtures/LuaRig", swiftSettings: strict),
  // Values and metadata alone: no program is patched.
  .testTarget(
    name: "WaxwingValuesTests", dependencies: ["LuaRig", "SeededRandom", "WaxwingValues"],
    swiftSettings: tested),
  .testTarget(
    name: "WaxwingLuaTests",
    dependencies: [
      "CLua", "CWaxwingLua", "Expectations", "LibraryRig", "SeededRandom", "WaxwingLua",
    ],
    exclude: ["Lua", "Sources/Lua"], swiftSettings: tested),
  .testTarget(
    name: "WaxwingReflectionTests",
    dependencies: [
      "Expectations", "InterceptionFixture", "OptimizedRoutes", "PlainRoutes", "SeededRandom",
      "WaxwingDeclarations", "WaxwingReflection",
    ],
    swiftSettings: tested),
  .target(name: "Bank", path: "Tests/Fixtures/Bank", swiftSettings: patchable),
  .target(name: "RemovedFixture", path: "Tests/Fixtures/RemovedFixture"),
  .target(name: "HeapProbe", path: "Tests/Fixtures/HeapProbe"),
  .target(
    name: "LeakGate", dependencies: ["Bank", "HeapProbe", "Waxwing"],
    path: "Tests/Fixtures/LeakGate", swiftSettings: strict),
  // The hostile scripts, and what comes of them.
  .target(
    name: "HostileRig", dependencies: ["Bank", "SeededRandom", "Waxwing"],
    path: "Tests/Fixtures/HostileRig", swiftSettings: strict),
  .target(
    name: "TortureFixture", path: "Tests/Fixtures/TortureFixture", swiftSettings: patchable),
  .target(
    name: "TorturePlain", dependencies: ["TortureFixture"], path: "Tests/Fixtures/TorturePlain"),
  .target(name: "TortureProbe", path: "Tests/Fixtures/TortureProbe"),
  .target(
    name: "TortureRig",
    dependencies: [
      "HeapProbe", "SeededRandom", "TortureFixture", "TorturePlain", "TortureProbe", "Waxwing",
    ],
    path: "Tests/Fixtures/TortureRig", swiftSettings: strict),
  // A daemon that patches can crash.
  .executableTarget(
    name: "crashd", dependencies: ["Waxwing"], path: "Tests/Fixtures/Crashd",
    swiftSettings: [.swiftLanguageMode(.v6)] + patchable),
  // A program that does not know Waxwing, for `waxwing exec`.
  .executableTarget(
    name: "tickd", path: "Tests/Fixtures/Tickd",
    swiftSettings: [.swiftLanguageMode(.v6)] + patchable),
  // A program whose threads change what they share, for `waxwing exec`.
  .executableTarget(
    name: "sharedd", path: "Tests/Fixtures/Sharedd",
    swiftSettings: [.swiftLanguageMode(.v6)] + patchable),
  // A program for patches that use the library, and a daemon that runs the tests that they bring.
  .target(name: "Shop", path: "Tests/Fixtures/Shop", swiftSettings: patchable),
  .executableTarget(
    name: "specd", dependencies: ["Shop", "Waxwing"], path: "Tests/Fixtures/Specd",
    swiftSettings: strict),
  .testTarget(
    name: "LibraryTests", dependencies: ["WaxwingCLI", "WaxwingTestSupport", "specd"],
    exclude: ["Specs"], swiftSettings: tested),
  // Functions of every kind of signature, and a daemon that runs them under patches.
  .target(name: "SweepPrograms", path: "Tests/Fixtures/SweepPrograms", swiftSettings: patchable),
  .target(name: "CStructs", path: "Tests/Fixtures/CStructs"),
  .target(
    name: "SweepFixture", dependencies: ["CStructs", "SweepPrograms"],
    path: "Tests/Fixtures/SweepFixture",
    swiftSettings: patchable),
  .executableTarget(
    name: "sweepd", dependencies: ["SweepFixture", "Waxwing"], path: "Tests/Fixtures/Sweepd",
    swiftSettings: strict),
  .testTarget(
    name: "SweepTests",
    dependencies: ["SeededRandom", "WaxwingCLI", "WaxwingTestSupport", "bankd", "sweepd"],
    swiftSettings: tested),
  // Methods and accessors of every kind, for `waxwing facts`.
  .executableTarget(
    name: "selfkinds", path: "Tests/Fixtures/SelfKinds",
    swiftSettings: [.swiftLanguageMode(.v6)] + patchable),
  .target(name: "PlainFixture", path: "Tests/Fixtures/PlainFixture"),
  .target(name: "WordsOfWords", path: "Tests/Fixtures/WordsOfWords", swiftSettings: patchable),
  // What overrides that only call the original once changed.
  .target(name: "PassThrough", path: "Tests/Fixtures/PassThrough", swiftSettings: patchable),
  // What programs look like that tell less than usual of their types.
  .target(
    name: "WithoutNames", path: "Tests/Fixtures/WithoutNames",
    swiftSettings: patchable + [.unsafeFlags(["-Xfrontend", "-disable-reflection-names"])]),
  .target(
    name: "WithoutReflection", path: "Tests/Fixtures/WithoutReflection",
    swiftSettings: patchable + [.unsafeFlags(["-Xfrontend", "-disable-reflection-metadata"])]),
  // Tests of the engine, which patch the process in which they run. Each target has its own suites: the compiler
  // takes a time that grows with the square of what is tested in one.
  .target(
    name: "EngineTestSupport", dependencies: ["Bank", "Expectations", "Waxwing"],
    path: "Tests/EngineTestSupport", swiftSettings: strict),
  .testTarget(
    name: "EngineObjectTests",
    dependencies: [
      "Bank", "EngineTestSupport", "Expectations", "HeapProbe", "PlainFixture", "Waxwing",
      "WaxwingBridge",
    ],
    swiftSettings: tested),
  .testTarget(
    name: "EngineOverrideTests",
    dependencies: [
      "Bank", "EchoFixture", "EngineTestSupport", "Expectations", "PassThrough", "RemovedFixture",
      "SeededRandom", "Waxwing", "WaxwingTestSupport", "WithoutNames", "WithoutReflection",
      "WordsOfWords",
    ],
    swiftSettings: tested),
  .testTarget(
    name: "EngineValueTests",
    dependencies: [
      "Bank", "CWaxwingLua", "EngineTestSupport", "Expectations", "LeakGate", "Waxwing",
    ],
    swiftSettings: tested),
  .testTarget(
    name: "WaxwingTests",
    dependencies: [
      "Bank", "EngineTestSupport", "Expectations", "HeapProbe", "HostileRig", "LeakGate",
      "PlainFixture", "SeededRandom", "TortureFixture", "TortureProbe", "TortureRig", "Waxwing",
      "WaxwingControl", "WaxwingCore", "WaxwingInterception", "WaxwingOperations", "WaxwingPatches",
      "WaxwingScripting", "WaxwingSelfCheck", "WaxwingSystem",
    ],
    exclude: ["Reachable.txt"], swiftSettings: tested),
  // Functions of random signatures, which the build generates.
  .executableTarget(
    name: "EchoGenerator", dependencies: ["SeededRandom"], path: "Tests/EchoGenerator",
    swiftSettings: tested),
  .plugin(
    name: "EchoPlugin", capability: .buildTool(), dependencies: ["EchoGenerator"],
    path: "Tests/EchoPlugin"),
  .target(
    name: "EchoFixture", dependencies: ["SeededRandom"], path: "Tests/Fixtures/EchoFixture",
    swiftSettings: patchable, plugins: ["EchoPlugin"]),
  .testTarget(
    name: "BankdTests", dependencies: ["Expectations", "WaxwingTestSupport", "bankd"],
    swiftSettings: tested),
  .testTarget(
    name: "EndToEndTests",
    dependencies: [
      "Expectations", "WaxwingBenchmarks", "WaxwingCLI", "WaxwingTestSupport", "bankd", "crashd",
      "selfkinds", "sharedd", "tickd",
    ],
    swiftSettings: tested),
  // Verdicts on signatures against those of ssh-keygen and minisign: some in the tests, many by
  // scripts/fuzz.
  .target(
    name: "SignatureOracle",
    dependencies: ["SeededRandom", "WaxwingPatches", "WaxwingSystem", "WaxwingTestSupport"],
    path: "Tests/Fuzz/SignatureOracle", swiftSettings: strict),
  .executableTarget(
    name: "SignatureFuzz", dependencies: ["SeededRandom", "SignatureOracle"],
    path: "Tests/Fuzz/SignatureFuzz",
    swiftSettings: strict),
  .testTarget(
    name: "WaxwingPatchesTests",
    dependencies: [
      "Expectations", "SeededRandom", "SignatureOracle", "WaxwingDeclarations", "WaxwingPatches",
      "WaxwingReflection", "WaxwingSystem", "WaxwingTestSupport",
    ],
    swiftSettings: tested),
  .testTarget(
    name: "WaxwingCoreTests",
    dependencies: ["WaxwingBridge", "WaxwingCore", "WaxwingPatches", "WaxwingSystem"],
    swiftSettings: tested),
  .testTarget(
    name: "WaxwingOperationsTests",
    dependencies: [
      "CWaxwingProcess", "Expectations", "SeededRandom", "WaxwingOperations", "WaxwingPatches",
      "WaxwingTestSupport",
    ],
    swiftSettings: tested),
  // Damaged frames, configuration files, audit logs and ELF images: some in the tests, millions by
  // scripts/fuzz.
  .target(
    name: "ByteTrials",
    dependencies: [
      "SeededRandom", "WaxwingControl", "WaxwingDeclarations", "WaxwingOperations",
      "WaxwingPatches", "WaxwingReflection",
    ],
    path: "Tests/Fuzz/ByteTrials", swiftSettings: strict),
  .executableTarget(
    name: "ByteFuzz", dependencies: ["ByteTrials", "SeededRandom"], path: "Tests/Fuzz/ByteFuzz",
    swiftSettings: strict),
  .testTarget(
    name: "WaxwingControlTests",
    dependencies: [
      "ByteTrials", "Expectations", "SeededRandom", "WaxwingControl", "WaxwingSystem",
      "WaxwingTestSupport",
    ],
    swiftSettings: tested),
  .testTarget(
    name: "WaxwingCLITests",
    dependencies: [
      "ByteTrials", "CWaxwingLua", "Expectations", "SeededRandom", "WaxwingCLI", "WaxwingControl",
      "WaxwingPatches", "WaxwingTestSupport",
    ],
    swiftSettings: tested),
  .testTarget(
    name: "WaxwingScriptingTests", dependencies: ["WaxwingLua", "WaxwingScripting"],
    swiftSettings: tested),
  .testTarget(
    name: "WaxwingFleetTests",
    dependencies: [
      "SeededRandom", "WaxwingControl", "WaxwingFleet", "WaxwingPatches", "WaxwingSystem",
      "WaxwingTestSupport",
    ],
    swiftSettings: tested),
  .testTarget(
    name: "WaxwingConsoleTests",
    dependencies: [
      "WaxwingConsole", "WaxwingControl", "WaxwingFleet", "WaxwingSystem", "WaxwingTestSupport",
    ],
    swiftSettings: tested),
  // Agents and the fleet's tool against a real etcd, and daemons as processes.
  .testTarget(
    name: "FleetTests",
    dependencies: [
      "Expectations", "WaxwingAgent", "WaxwingCLI", "WaxwingControl", "WaxwingFleet",
      "WaxwingFleetTool", "WaxwingPatches", "WaxwingSystem", "WaxwingTestSupport", "bankd",
    ],
    swiftSettings: tested),
  .testTarget(
    name: "WaxwingSelfCheckTests", dependencies: ["WaxwingSelfCheck"], swiftSettings: tested),
  .testTarget(
    name: "WaxwingBridgeTests",
    dependencies: [
      "CWaxwingLua", "InterceptionFixture", "LuaRig", "WaxwingBridge", "WaxwingDeclarations",
      "WaxwingInterception", "WaxwingLua", "WaxwingReflection", "WaxwingValues",
    ],
    swiftSettings: tested),
  .testTarget(
    name: "WaxwingInterceptionTests",
    dependencies: [
      "CWaxwingRuntime", "ClobberProbe", "Expectations", "InterceptionFixture",
      "OptimizedFunctions", "OptimizedRoutes", "PlainRoutes", "WaxwingInterception",
    ],
    swiftSettings: tested),
]

// What patching costs, printed by scripts/bench. Its fixture's twin is compiled without the flag.
let benchmarks: [Target] = [
  .executableTarget(
    name: "StepsGenerator", path: "Tests/StepsGenerator", swiftSettings: tested),
  .plugin(
    name: "StepsPlugin", capability: .buildTool(), dependencies: ["StepsGenerator"],
    path: "Tests/StepsPlugin"),
  .target(name: "BenchmarkTwin", path: "Tests/Fixtures/BenchmarkTwin"),
  .target(
    name: "BenchmarkFixture", dependencies: ["BenchmarkTwin"],
    path: "Tests/Fixtures/BenchmarkFixture", swiftSettings: patchable, plugins: ["StepsPlugin"]),
  .target(name: "BenchmarkFloor", dependencies: ["CLua"], path: "Tests/Fixtures/BenchmarkFloor"),
  .executableTarget(
    name: "WaxwingBenchmarksWithout", dependencies: ["BenchmarkFixture"],
    path: "Tests/BenchmarksWithout", swiftSettings: strict),
  .executableTarget(
    name: "WaxwingBenchmarks",
    dependencies: [
      "BenchmarkFixture", "BenchmarkFloor", "BenchmarkTwin", "Waxwing", "WaxwingTestSupport",
    ],
    path: "Tests/Benchmarks", exclude: ["instructions.tsv"], swiftSettings: strict),
  .executableTarget(
    name: "StateFuzz", dependencies: ["SeededRandom", "WaxwingOperations", "WaxwingPatches"],
    path: "Tests/Fuzz/StateFuzz", swiftSettings: strict),
  // The nodes of scripts/fleet-simulation.
  .executableTarget(
    name: "FleetSimulation",
    dependencies: ["WaxwingFleet", "WaxwingPatches", "WaxwingSystem"],
    path: "Tests/FleetSimulation", swiftSettings: strict),
  .executableTarget(
    name: "WaxwingLeaks", dependencies: ["LeakGate"], path: "Tests/Leaks", swiftSettings: strict),
  .executableTarget(
    name: "WaxwingHostile", dependencies: ["Bank", "HostileRig", "SeededRandom", "Waxwing"],
    path: "Tests/Hostile",
    swiftSettings: strict),
  .executableTarget(
    name: "WaxwingTorture", dependencies: ["CWaxwingCodeProbe", "SeededRandom", "TortureRig"],
    path: "Tests/Torture", swiftSettings: strict),
]

// What random input does, see scripts/fuzz.
let fuzzers: [Target] = [
  .executableTarget(
    name: "LibrariesFuzz", dependencies: ["LibraryRig", "SeededRandom"],
    path: "Tests/Fuzz/LibrariesFuzz",
    swiftSettings: strict)
]

/// Tests of targets that only read and write data, in which debug and release have found the same each time, fuzzers,
/// and tests of the fleet's programs, which wait for files and other machines: scripts/test builds them in debug only.
let onlyInDebug: Set = [
  "ByteFuzz", "ByteTrials", "FleetSimulation", "FleetTests", "SignatureFuzz", "SignatureOracle",
  "WaxwingCLITests", "WaxwingConsoleTests", "WaxwingControlTests",
  "WaxwingFleetTests",
  "WaxwingOperationsTests", "WaxwingPatchesTests",
  "WaxwingTestSupportTests",
]
/// Tests of the daemon and the tool as they are shipped, and of all names of a program, which take minutes where
/// nothing is optimized: scripts/test builds them in release only, with the benchmarks.
let onlyInRelease: Set = [
  "EndToEndTests", "LibraryTests", "WaxwingReflectionTests",
]

let isLeftOut =
  configuration == "release" ? onlyInDebug : configuration == "debug" ? onlyInRelease : []
let tools = configuration == "debug" ? [] : benchmarks + (configuration.isEmpty ? fuzzers : [])
/// The fleet's programs are tested in debug only.
let fleetTargets = configuration == "release" ? [] : fleet
let fleetProducts: [Product] =
  configuration == "release"
  ? []
  : [
    .executable(name: "waxwing-agent", targets: ["WaxwingAgent"]),
    .executable(name: "waxwing-fleet", targets: ["WaxwingFleetTool"]),
  ]

let package = Package(
  name: "waxwing",
  products: [
    .library(name: "Waxwing", targets: ["Waxwing"]),
    .executable(name: "waxwing", targets: ["WaxwingCLI"]),
    .library(name: "WaxwingPreload", type: .dynamic, targets: ["WaxwingPreload"]),
  ] + fleetProducts,
  targets: (engine + fleetTargets + examples + tests + tools).filter {
    !isLeftOut.contains($0.name)
  }
)
