// SPDX-License-Identifier: MIT
package enum LuaSources { package static var prelude: [UInt8] { PackageResources.prelude_lua } }
