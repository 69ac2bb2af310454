// SPDX-License-Identifier: GPL-3.0-or-later
// Importers owns foreign files: each importer reads one format and gives back text of ours, with what it left out.
// In: Android power profiles (XML) and battery histories, exports of "App Usage", AWARE, power logs, jetsam reports.
// Out: device models and scenarios as YAML, workload files, what was not used; mistakes with file, line and column.
// Nothing is written to disk and nothing is guessed silently; the result names its origin.
// Read first: the files `…Import.swift`, one per format, then `ForeignTable.swift`.
