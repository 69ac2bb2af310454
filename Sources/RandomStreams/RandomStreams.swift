// RandomStreams
