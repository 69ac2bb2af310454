// Background
