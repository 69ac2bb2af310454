// EventKernel
