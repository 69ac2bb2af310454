// Power
