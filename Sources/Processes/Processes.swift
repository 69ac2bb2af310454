// Processes
