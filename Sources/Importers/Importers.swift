// SPDX-License-Identifier: GPL-3.0-or-later
// Importers owns foreign files: each importer reads one format and gives back text of ours, with what it left out.
// In: Android power profiles (XML), battery histories and events of use, exports of "App Usage", AWARE, ActivityWatch,
// an iPhone's power logs and records of use, tables with a map of their columns, jetsam reports.
// Out: device models and scenarios as YAML, workload files, what was not used; mistakes with file, line and column.
// Nothing is written to disk and nothing is guessed silently; the result names its origin.
// Read first: the files `…Import.swift`, one per format, then `ForeignInput.swift` and `PhoneLog.swift`.
