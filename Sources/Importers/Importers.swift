// Importers
