// SPDX-License-Identifier: GPL-3.0-or-later
// Importers reads foreign files. Each importer reads one format, and returns text in a Flotsam format and the
// omissions.
// In: Android power profiles (XML), battery histories and events of use, exports of "App Usage", AWARE, ActivityWatch,
// an iPhone's power logs and records of use, tables with a map of their columns, jetsam reports.
// Out: device models and scenarios as YAML, workload files, unused parts, and mistakes with file, line and column.
// Importers write no files and report every assumption. Each result contains its origin.
// Read first: the files `…Import.swift`, one per format, then `ForeignInput.swift` and `PhoneLog.swift`.
