// Workload
