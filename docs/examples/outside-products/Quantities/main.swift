// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

print((ByteCount.mebibytes(3) * 1.5).bytes, SimDuration.seconds(0.25).nanoseconds)
