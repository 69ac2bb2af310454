// FlotsamCommand
