// Numerics
