// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

extension MapReader {
    /// Sets the properties whose keys are in the map, in the order of `keys`.
    public func set<Owner>(_ owner: inout Owner, _ keys: [FileKey<Owner>]) {
        for key in keys {
            set(&owner, key)
            cursor.report.record(value: key.name, of: cursor.path, key.text(owner))
        }
    }

    private func set<Owner>(_ owner: inout Owner, _ key: FileKey<Owner>) {
        switch key.form {
        case .flag(let assign): set(&owner, key, .flag, assign)
        case .integer(let range, let example, let assign):
            set(&owner, key, .integer(range, example: example), assign)
        case .number(let range, let example, let assign): set(&owner, key, .number(range, example: example), assign)
        case .quantity(let dimension, let range, let assign): set(&owner, key, .quantity(dimension, range), assign)
        case .word(let words, let what, let assign): set(&owner, key, .word(of: words, what: what), assign)
        case .sizeOrShare(let whole, let assign): set(&owner, key, .sizeOrShare(of: whole(owner)), assign)
        case .record(let shape, let assign): set(&owner, key, .record(shape), assign)
        case .records(let shape, let rule, let assign):
            let list = ValueReader<[FileRecord.Numbers]>.list(of: .record(shape))
            set(&owner, key, rule.map { list.checked($0.expectation, $0.holds) } ?? list, assign)
        case .map(let keys):
            guard let inner = map(key.name) else {
                // If the map is omitted, its keys have the values of the owner.
                for inner in keys {
                    cursor.report.record(value: "\(key.name).\(inner.name)", of: cursor.path, inner.text(owner))
                }
                return
            }
            inner.set(&owner, keys)
            inner.finish()
        }
    }

    private func set<Owner, Value>(
        _ owner: inout Owner, _ key: FileKey<Owner>, _ reader: ValueReader<Value>,
        _ assign: FileKey<Owner>.Assign<Value>
    ) {
        let value = key.isRequired ? required(key.name, reader) : read(key.name, reader)
        if let value { assign(&owner, value) }
    }
}

extension ValueReader where T == ByteCount {
    /// Reads a size, or a share of the given size.
    static func sizeOrShare(of whole: ByteCount) -> ValueReader {
        ValueReader(example: "5 %", shape: .either([.quantity(.bytes), .quantity(.fraction)])) { cursor in
            if cursor.node.scalar?.hasSuffix("%") == true || cursor.node["value"]?.scalar?.hasSuffix("%") == true {
                return ValueReader<Double>.share.read(cursor).map { whole * $0 }
            }
            return bytes().read(cursor)
        }
    }
}

extension ValueReader where T == FileRecord.Numbers {
    /// Reads a small map of numbers.
    static func record(_ shape: FileRecord) -> ValueReader {
        ValueReader(example: shape.example) { cursor in
            let map = MapReader(cursor, expected: "\(shape.what) such as \(shape.example)")
            let numbers = shape.fields.map { field in
                let reader =
                    field.dimension.map { ValueReader<Double>.quantity($0, field.range) }
                    ?? .number(field.range, example: field.example)
                return field.isOptional ? map.optional(field.name, reader) : map.required(field.name, reader)
            }
            map.finish()
            guard zip(shape.fields, numbers).allSatisfy({ $0.isOptional || $1 != nil }) else { return nil }
            guard let problem = shape.problem(numbers) else { return numbers }
            if let hint = problem.hint {
                map.cursor(problem.field)?.fail("expected " + problem.expectation, hint: hint)
            } else {
                map.cursor(problem.field)?.expected(problem.expectation)
            }
            return nil
        }
    }
}
