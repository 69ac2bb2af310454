// CommandLineArguments
