// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// How values of one type are written in a parameter and converted to numbers in SI base units.
public struct ParameterForm<Value>: Sendable {
    let dimension: PolicyParameter.Dimension
    /// Allowed numbers, if the form itself fixes them.
    var range: ClosedRange<Double>?
    let number: @Sendable (Value) -> Double
    let value: @Sendable (Double) -> Value
}

extension ParameterForm where Value == Double {
    /// A plain number.
    public static var number: Self { ParameterForm(dimension: .number, number: { $0 }, value: { $0 }) }
    /// A share, in per cent or as a fraction from 0.
    public static var fraction: Self { ParameterForm(dimension: .fraction, number: { $0 }, value: { $0 }) }
}

extension ParameterForm where Value == Int {
    /// A count; decimal places are dropped.
    public static var number: Self {
        ParameterForm(dimension: .number, number: { Double($0) }, value: { Int($0) })
    }
}

extension ParameterForm where Value == UInt8 {
    /// A level, rounded to an integer.
    public static var number: Self {
        ParameterForm(dimension: .number, number: { Double($0) }, value: { UInt8($0.rounded()) })
    }
}

extension ParameterForm where Value == Bool {
    /// 1 for yes, 0 for no.
    public static var number: Self {
        ParameterForm(dimension: .number, number: { $0 ? 1 : 0 }, value: { $0 >= 0.5 })
    }
}

extension ParameterForm where Value == SimDuration {
    /// A length of time; ranges are in seconds.
    public static var duration: Self {
        ParameterForm(dimension: .duration, number: { $0.seconds }, value: { .seconds($0) })
    }
}

extension ParameterForm where Value == Energy {
    /// An energy; ranges are in joules.
    public static var energy: Self {
        ParameterForm(dimension: .energy, number: { $0.joules }, value: { .joules($0) })
    }
}

extension ParameterForm where Value == Power {
    /// A power; ranges are in watts.
    public static var power: Self {
        ParameterForm(dimension: .power, number: { $0.watts }, value: { .watts($0) })
    }
}

extension ParameterForm where Value == ByteCount {
    /// An amount of data; ranges are in bytes.
    public static var bytes: Self {
        ParameterForm(dimension: .bytes, number: { Double($0.bytes) }, value: { ByteCount(Int64($0)) })
    }
}

extension ParameterForm where Value: Equatable & Sendable {
    /// One of a few words in kebab-case, with the value of each.
    public static func choice(_ words: KeyValuePairs<String, Value>) -> Self {
        let names = words.map(\.key)
        let values = words.map(\.value)
        guard !names.isEmpty else { fatalError("a parameter of a policy has no choices") }
        return ParameterForm(
            dimension: .choice(names), range: 0...Double(names.count - 1),
            number: { value in
                guard let index = values.firstIndex(of: value) else {
                    fatalError("the default of a policy's parameter is not among \(names)")
                }
                return Double(index)
            }, value: { values[Int($0)] })
    }
}

/// One parameter of a policy, declared once.
///
/// The declaration contains the property that holds the value, the name, the form, the range and the meaning. The
/// default is the property's value in the settings.
///
///     Parameter(\.spacing, "spacing", .duration, 0...86400, "Shortest time between two refreshes of an app")
public struct Parameter<Settings: Sendable>: Sendable {
    let declaration: @Sendable (Settings) -> PolicyParameter
    let set: @Sendable (inout Settings, Double) -> Void

    /// Declares a parameter with a range of values.
    ///
    /// - Parameters:
    ///   - path: The property of the settings that holds the value.
    ///   - name: Name in kebab-case.
    ///   - form: How the value is written.
    ///   - range: The smallest and largest value allowed, in SI base units.
    ///   - meaning: Effect of the parameter, and its source, or the remark that it is an assumption.
    public init<Value>(
        _ path: any WritableKeyPath<Settings, Value> & Sendable, _ name: String, _ form: ParameterForm<Value>,
        _ range: ClosedRange<Double>, _ meaning: String
    ) {
        declaration = { settings in
            PolicyParameter(
                name: name, dimension: form.dimension, defaultValue: form.number(settings[keyPath: path]),
                range: range, meaning: meaning)
        }
        set = { settings, number in settings[keyPath: path] = form.value(number) }
    }

    /// Declares a parameter whose form fixes the allowed values: one of a few words.
    public init<Value>(
        _ path: any WritableKeyPath<Settings, Value> & Sendable, _ name: String, _ form: ParameterForm<Value>,
        _ meaning: String
    ) {
        let range = form.range ?? -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
        self.init(path, name, form, range, meaning)
    }
}

/// The settings of a policy with all parameters that users can set.
struct ParameterList<Settings: Sendable>: Sendable {
    let defaults: Settings
    let parameters: [Parameter<Settings>]

    /// The parameters in the form that users see.
    var declarations: [PolicyParameter] { parameters.map { $0.declaration(defaults) } }

    /// The settings for these arguments, one value per parameter.
    func settings(_ arguments: PolicyArguments) -> Settings {
        guard arguments.values.count == parameters.count else {
            fatalError("\(arguments.values.count) values for a policy with \(parameters.count) parameters")
        }
        var settings = defaults
        for (parameter, value) in zip(parameters, arguments.values) { parameter.set(&settings, value) }
        return settings
    }
}
