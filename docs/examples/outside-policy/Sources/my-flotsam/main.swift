import FlotsamCommand
import Vocabulary

FlotsamCommand.run(policies: .builtIn.adding(SmallestFirst.entry).adding(AboveLevel.entry))
