import Glibc
import Phone
import Recording

/// A folder that goes when the value does.
final class TemporaryFolder {
    let path: String

    init() throws {
        var template = Array("/tmp/flotsam-test-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw OutputError(action: "create", path: "/tmp", code: errno) }
        path = String(cString: made)
    }

    deinit { removeTree(path) }

    private func removeTree(_ path: String) {
        for name in directoryEntries(path) {
            let inner = path + "/" + name
            if isDirectory(inner) { removeTree(inner) } else { unlink(inner) }
        }
        rmdir(path)
    }
}

func outcome(_ value: Double, fingerprint: UInt64 = 7) -> RunOutcome {
    RunOutcome(
        metrics: MetricCatalog.all.indices.map { value + Double($0) }, events: 10, userActions: 3,
        fingerprint: fingerprint, workloadFingerprint: 9)
}

func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
