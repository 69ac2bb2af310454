import Vocabulary

/// What a policy remembers per app; grows to the highest app it has seen.
struct PerApp<Value: Sendable>: Sendable {
    private var values: [Value] = []
    private let initial: Value

    /// Every app has the initial value until another is set.
    init(_ initial: Value) { self.initial = initial }

    subscript(app: AppID) -> Value {
        get { Int(app.index) < values.count ? values[Int(app.index)] : initial }
        set {
            while values.count <= Int(app.index) { values.append(initial) }
            values[Int(app.index)] = newValue
        }
    }
}
