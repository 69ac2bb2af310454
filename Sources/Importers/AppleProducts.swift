// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// Nominal memory of Apple's devices by product identifier, which is the name of the device in a report.
///
/// Identifiers are from github blacktop/ipsw (commit d3402cc, MIT). Memory up to 2019 is from the device tables in that
/// repository (text of The Apple Wiki). Memory of later devices is from published teardowns and specifications, as of
/// August 2026.
enum AppleProducts {
    /// Memory in GiB, with the products that have this memory.
    private static let table: [(gibibytes: Double, products: String)] = [
        (
            0.125,
            """
            iPhone1,1 iPhone1,2
            """
        ),
        (
            0.25,
            """
            iPhone2,1
            """
        ),
        (
            0.5,
            """
            iPhone3,1 iPhone3,2 iPhone3,3 iPhone4,1 iPod5,1
            """
        ),
        (
            1,
            """
            iPhone5,1 iPhone5,2 iPhone5,3 iPhone5,4 iPhone6,1 iPhone6,2 iPhone7,1 iPhone7,2 iPod7,1
            """
        ),
        (
            2,
            """
            iPad5,3 iPad5,4 iPad6,11 iPad6,12 iPad7,5 iPad7,6 iPhone8,1 iPhone8,2 iPhone8,4 iPhone9,1 iPhone9,3 \
            iPhone10,1 iPhone10,4 iPod9,1
            """
        ),
        (
            3,
            """
            iPad7,11 iPad7,12 iPad11,6 iPad11,7 iPad12,1 iPad12,2 iPhone9,2 iPhone9,4 iPhone10,2 iPhone10,3 \
            iPhone10,5 iPhone10,6 iPhone11,8 iPhone12,8
            """
        ),
        (
            4,
            """
            iPad13,18 iPad13,19 iPhone11,2 iPhone11,4 iPhone11,6 iPhone12,1 iPhone12,3 iPhone12,5 iPhone13,1 \
            iPhone13,2 iPhone14,4 iPhone14,5 iPhone14,6
            """
        ),
        (
            6,
            """
            iPhone13,3 iPhone13,4 iPhone14,2 iPhone14,3 iPhone14,7 iPhone14,8 iPhone15,2 iPhone15,3 iPhone15,4 \
            iPhone15,5
            """
        ),
        (
            8,
            """
            iPhone16,1 iPhone16,2 iPhone17,1 iPhone17,2 iPhone17,3 iPhone17,4 iPhone17,5 iPhone18,3 iPhone18,5
            """
        ),
        (
            12,
            """
            iPhone18,1 iPhone18,2 iPhone18,4
            """
        ),
    ]

    /// Memory of a product such as `iPhone12,1`; nil for a product that is not in the table.
    static func memory(of product: String) -> ByteCount? {
        for row in table where row.products.split(separator: " ").contains(Substring(product)) {
            return .gibibytes(row.gibibytes)
        }
        return nil
    }
}
