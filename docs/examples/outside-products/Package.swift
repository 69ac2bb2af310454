// swift-tools-version: 6.2
// SPDX-License-Identifier: GPL-3.0-or-later
import PackageDescription

/// A package of somebody else, with a program for each library of Flotsam that uses it alone.
let package = Package(
    name: "outside-products",
    dependencies: [.package(name: "flotsam", path: "../../..")],
    targets: ["Quantities", "EventKernel", "Vocabulary"].map { product in
        .executableTarget(
            name: "uses-" + product, dependencies: [.product(name: product, package: "flotsam")], path: product)
    })
