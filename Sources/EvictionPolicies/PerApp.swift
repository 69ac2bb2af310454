import Vocabulary

/// What a policy remembers per app; grows to the highest app it has seen.
struct PerApp<Value: Sendable>: Sendable {
    private var values: [Value] = []
    private let initial: Value

    /// Every app has the initial value until another is set.
    init(_ initial: Value) { self.initial = initial }

    subscript(app: AppID) -> Value {
        get { values.indices.contains(Int(app.index)) ? values[Int(app.index)] : initial }
        _modify {
            while values.count <= Int(app.index) { values.append(initial) }
            yield &values[Int(app.index)]
        }
    }
}
