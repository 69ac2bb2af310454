// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

extension MapReader {
    /// Replaces the properties whose keys are here, in the order of the list.
    public func set<Owner>(_ owner: inout Owner, _ keys: [FileKey<Owner>]) {
        for key in keys { set(&owner, key) }
    }

    private func set<Owner>(_ owner: inout Owner, _ key: FileKey<Owner>) {
        switch key.form {
        case .flag(let assign): set(&owner, key, .flag, assign)
        case .integer(let range, let example, let assign):
            set(&owner, key, .integer(range, example: example), assign)
        case .number(let range, let example, let assign): set(&owner, key, .number(range, example: example), assign)
        case .quantity(let dimension, let range, let assign): set(&owner, key, .quantity(dimension, range), assign)
        case .word(let words, let what, let assign): set(&owner, key, .word(of: words, what: what), assign)
        case .map(let keys):
            guard let inner = map(key.name) else { return }
            inner.set(&owner, keys)
            inner.finish()
        }
    }

    private func set<Owner, Value>(
        _ owner: inout Owner, _ key: FileKey<Owner>, _ reader: ValueReader<Value>,
        _ assign: FileKey<Owner>.Assign<Value>
    ) {
        if let value = optional(key.name, reader) { assign(&owner, value) }
    }
}
