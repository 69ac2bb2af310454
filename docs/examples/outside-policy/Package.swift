// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "my-flotsam",
    dependencies: [
        .package(name: "flotsam", path: "../../..")  // your clone of Flotsam
    ],
    targets: [
        .executableTarget(
            name: "my-flotsam",
            dependencies: [
                .product(name: "FlotsamCommand", package: "flotsam"),
                .product(name: "Quantities", package: "flotsam"),
                .product(name: "Vocabulary", package: "flotsam"),
            ])
    ])
