// ConfigText
