// Importers owns foreign files: each importer reads one format and gives back text of ours, with what it left out.
// In: Android power profiles (XML), exports of the app "App Usage" and tables of the AWARE framework (CSV).
// Out: device models as YAML, workload files, and lists of what was not used; mistakes with file, line and column.
// Nothing is written to disk and nothing is guessed silently; the result names its origin.
// Read first: the three files `…Import.swift`, one per format, then `ForeignTable.swift`.
