// SPDX-License-Identifier: GPL-3.0-or-later
import Vocabulary

print(KillReason.highwater.name, AppID(7).index)
