// SPDX-License-Identifier: GPL-3.0-or-later
import CPolicies
import Platform
import Synchronization
import Vocabulary

/// A shared library with a policy that has the interface of `flotsam_policy.h`.
///
/// The library stays loaded until the program ends.
struct PolicyLibrary: @unchecked Sendable {
    /// Path of the file in the experiment.
    let path: String
    private let handle: UnsafeMutableRawPointer

    /// Loaded libraries, by the fingerprints of their code.
    ///
    /// A library with two policies is loaded once.
    private static let loaded = Mutex<[String: UInt]>([:])

    /// Loads a library from the bytes that were hashed.
    ///
    /// Code of the library may run during loading.
    init(_ path: String, _ files: CodeFiles) throws(ForeignPolicyError) {
        if let difference = ViewLayout.difference {
            fatalError("the layout of flotsam_policy.h differs from the program's: \(difference)")
        }
        var reason = "no reason given"
        let address = Self.loaded.withLock { loaded -> UInt? in
            if let known = loaded[files.fingerprint] { return known }
            let file = policy_sealed_copy(files.library, files.library.count)
            guard file >= 0 else {
                reason = String(cString: strerror(errno))
                return nil
            }
            // The file must stay open. The loader identifies libraries by path, so the file descriptor must not be used
            // again.
            let copy = "/proc/self/fd/\(file)"
            guard let handle = dlopen(copy, RTLD_NOW | RTLD_LOCAL) else {
                defer { close(file) }
                if let text = dlerror() { reason = String(cString: text).replacing(copy, with: path) }
                return nil
            }
            loaded[files.fingerprint] = UInt(bitPattern: handle)
            return UInt(bitPattern: handle)
        }
        guard let address, let handle = UnsafeMutableRawPointer(bitPattern: address) else {
            throw ForeignPolicyError(
                "cannot load \(path): \(reason)",
                hint: "it must be a shared library for this processor; flotsam new --policy c writes one to start from")
        }
        self.path = path
        self.handle = handle
    }

    /// Eviction policy of the library.
    func eviction() throws(ForeignPolicyError) -> Exported<flotsam_eviction> {
        let export = try export(FLOTSAM_EVICTION_SYMBOL, "eviction", as: flotsam_eviction_export.self)
        guard let policy = export(UInt32(FLOTSAM_POLICY_VERSION)) else { throw refusal("eviction") }
        guard policy.pointee.rank != nil else {
            throw ForeignPolicyError("the eviction policy of \(path) has no function \"rank\"")
        }
        return Exported(pointer: policy)
    }

    /// Scheduling policy of the library.
    func scheduling() throws(ForeignPolicyError) -> Exported<flotsam_scheduling> {
        let export = try export(FLOTSAM_SCHEDULING_SYMBOL, "scheduling", as: flotsam_scheduling_export.self)
        guard let policy = export(UInt32(FLOTSAM_POLICY_VERSION)) else { throw refusal("scheduling") }
        guard policy.pointee.decide != nil else {
            throw ForeignPolicyError("the scheduling policy of \(path) has no function \"decide\"")
        }
        return Exported(pointer: policy)
    }

    private func export<T>(_ symbol: String, _ kind: String, as type: T.Type) throws(ForeignPolicyError) -> T {
        guard let address = dlsym(handle, symbol) else {
            let other = symbol == FLOTSAM_EVICTION_SYMBOL ? FLOTSAM_SCHEDULING_SYMBOL : FLOTSAM_EVICTION_SYMBOL
            let hint =
                dlsym(handle, other) == nil
                ? "the library must export the function \"\(symbol)\" (see flotsam_policy.h)"
                : "the library has \(symbol == FLOTSAM_EVICTION_SYMBOL ? "a scheduling" : "an eviction") policy"
            throw ForeignPolicyError("\(path) has no \(kind) policy", hint: hint)
        }
        return unsafeBitCast(address, to: type)
    }

    private func refusal(_ kind: String) -> ForeignPolicyError {
        ForeignPolicyError(
            "\(path) has no \(kind) policy for version \(FLOTSAM_POLICY_VERSION) of flotsam_policy.h",
            hint: "build it with the header that flotsam new --policy c writes")
    }

    /// Creates the eviction policy for one run.
    func makeEviction(
        _ policy: Exported<flotsam_eviction>, _ about: PolicyDescriptor, _ arguments: PolicyArguments
    ) -> any EvictionPolicy {
        let made = LibraryEviction(policy.pointer, path, about, arguments)
        return made.isShareable || policy.pointer.pointee.copy != nil ? CopiedEviction(made) : made
    }

    /// Creates the scheduling policy for one run.
    func makeScheduling(
        _ policy: Exported<flotsam_scheduling>, _ about: PolicyDescriptor, _ arguments: PolicyArguments
    ) -> any SchedulingPolicy {
        let made = LibraryScheduling(policy.pointer, path, about, arguments)
        return made.isShareable || policy.pointer.pointee.copy != nil ? CopiedScheduling(made) : made
    }

    /// Description of the policy after all checks.
    func description(_ about: flotsam_about, bringsTrigger: Bool) throws(ForeignPolicyError) -> PolicyDescriptor {
        guard about.version == UInt32(FLOTSAM_POLICY_VERSION) else {
            throw ForeignPolicyError(
                "\(path) was built for version \(about.version) of flotsam_policy.h, but this program has "
                    + "\(FLOTSAM_POLICY_VERSION)", hint: "build it with the header that flotsam new --policy c writes")
        }
        var checked = DescriptionCheck(path)
        let name = try checked.name(about.name.text, "name")
        var parameters: [PolicyParameter] = []
        for parameter in UnsafeBufferPointer(start: about.parameters, count: about.parameter_count) {
            parameters.append(try checked.parameter(parameter.declaration(try checked.dimension(parameter))))
        }
        var rules: [RuleText] = []
        for rule in UnsafeBufferPointer(start: about.rules, count: about.rule_count) {
            rules.append(try checked.rule(rule.name.text, rule.sentence.text))
        }
        return PolicyDescriptor(
            name: name, summary: about.summary.text ?? "", source: about.source.text ?? "", rules: rules,
            isOracle: about.is_oracle, replacesTrigger: bringsTrigger, needs: WorkloadNeeds(rawValue: about.needs),
            parameters: parameters)
    }
}

/// A structure in a library, which exists until the program ends.
struct Exported<Policy>: @unchecked Sendable {
    let pointer: UnsafePointer<Policy>
}

extension flotsam_eviction {
    /// Whether the policy has its own trigger for kills.
    var triggers: Bool { highest_rank_to_die != nil }
}

extension Optional where Wrapped == UnsafePointer<CChar> {
    /// Text of the pointer; nil if the pointer is null or the text is not UTF-8.
    var text: String? { flatMap { String(validatingCString: $0) } }
}

extension flotsam_parameter {
    /// The parameter in the form of built-in policies; nil if its name or range is invalid.
    fileprivate func declaration(_ dimension: PolicyParameter.Dimension) -> PolicyParameter? {
        guard let name = name.text, lowest <= highest else { return nil }
        return PolicyParameter(
            name: name, dimension: dimension, defaultValue: usual, range: lowest...highest, meaning: meaning.text ?? "")
    }

    /// Words of a choice.
    fileprivate var choices: [String] {
        var found: [String] = []
        guard var next = words else { return [] }
        while let word = next.pointee {
            found.append(String(cString: word))
            next += 1
        }
        return found
    }
}

extension DescriptionCheck {
    /// Dimension of a library's parameter.
    fileprivate func dimension(
        _ parameter: flotsam_parameter
    ) throws(ForeignPolicyError) -> PolicyParameter.Dimension {
        switch parameter.dimension {
        case FLOTSAM_NUMBER: return .number
        case FLOTSAM_FRACTION: return .fraction
        case FLOTSAM_DURATION: return .duration
        case FLOTSAM_ENERGY: return .energy
        case FLOTSAM_POWER: return .power
        case FLOTSAM_BYTES: return .bytes
        case FLOTSAM_CHOICE: return .choice(parameter.choices)
        default: throw problem("a parameter has a dimension that does not exist")
        }
    }
}
