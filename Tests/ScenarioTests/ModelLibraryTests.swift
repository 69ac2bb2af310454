// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Phone
import PhoneCore
import Power
import Quantities
import TestSupport
import Testing
import Vocabulary

@testable import Scenario

@Suite struct ModelLibraryTests {
    @Test func `the models are found beside an experiment, and from anywhere else through the program`() {
        #expect(library.path(.devices, "iphone-13") != nil)
        #expect(library.path(.devices, "nokia") == nil)
        #expect(ModelLibrary(folders: []).names(.apps) == [])
        #expect(library.label(library.path(.apps, "everyday") ?? "") == "models/apps/everyday.yaml")
    }

    @Test func `every model has one line that says what it is`() {
        for kind in ModelLibrary.Kind.allCases {
            for summary in library.summaries(kind) {
                #expect(summary.text.count > 10 && summary.text.count < 130, "\(summary)")
                #expect(!summary.text.hasSuffix("."))
            }
        }
        #expect(
            library.summaries(.devices).first { $0.name == "iphone-13" }?.text
                == "iPhone 13 (2021): 4 GB of memory, 3227 mAh")
    }

    @Test func `every assumption has a file, a key and a reason`() throws {
        let assumptions = try library.assumptions()
        #expect(assumptions.count > 50)
        for assumption in assumptions {
            #expect(assumption.file.hasPrefix("models/") && !assumption.key.isEmpty && assumption.reason.count > 8)
        }
        #expect(Set(assumptions.map { "\($0.file) \($0.key)" }).count == assumptions.count)
    }

    @Test func `the iPhone's file states what apps in front do as a phone without a file has it`() throws {
        let device = try load(sample).points[0].device
        for activity in ActivityClass.allCases {
            let (stated, usual) = (device.power.activities[activity], ActivityParameters.standard(activity))
            #expect(stated.load == usual.load && stated.graphics == usual.graphics, "\(activity)")
            #expect(stated.memoryTraffic == usual.memoryTraffic && stated.rate == usual.rate, "\(activity)")
        }
        #expect(device.power.processor.memoryShare == 0.24)
    }

    @Test func `the template is an experiment`() throws {
        let experiment = try load(ExperimentTemplate.text(name: "my-first"))
        #expect(experiment.name == "my-first" && experiment.policies.count == 2)
        let swept = ExperimentTemplate.text(name: "x").replacing("# sweep:", with: "sweep:")
            .replacing("#   axes:", with: "  axes:").replacing("#     device", with: "    device")
            .replacing("# - gdsf", with: "- gdsf")
        #expect(try load(swept).points.count == 3)
        #expect(try load(swept).policies.count == 3)
    }

    @Test func `models beside the experiment come first and may build on the shipped ones`() throws {
        let folder = try TemporaryFolder()
        try folder.write("exp.yaml", sample.replacing("iphone-13", with: "mine"))
        try folder.makeFolder("models")
        try folder.makeFolder("models/devices")
        try folder.write(
            "models/devices/mine.yaml", "# A phone of mine.\nbase: iphone-13\nname: mine\nmemory: {ram: 5 GiB}\n")
        let experiment = try loadExperiment(path: "\(folder.path)/exp.yaml")
        #expect(experiment.points[0].device.name == "mine")
        #expect(experiment.points[0].device.power.platform.awakePower == .milliwatts(180))
        #expect(ModelLibrary.located(experiment: "\(folder.path)/exp.yaml").names(.devices).contains("mine"))
        #expect(experiment.assumptions.contains { $0.file == "models/devices/iphone-13.yaml" })
    }
}
