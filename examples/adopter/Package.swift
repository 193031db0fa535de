// swift-tools-version:6.2
// SPDX-License-Identifier: MIT

import PackageDescription

let package = Package(
  name: "adopter",
  dependencies: [
    .package(url: "https://waxwing.example/waxwing.git", from: "0.1.0")
  ],
  targets: [
    // The code to patch. Only modules with this flag can be patched.
    .target(
      name: "Greetings",
      swiftSettings: [.unsafeFlags(["-Xfrontend", "-enable-implicit-dynamic"])]),
    .executableTarget(
      name: "adopter",
      dependencies: ["Greetings", .product(name: "Waxwing", package: "waxwing")]),
  ]
)
