"""Programs as players: those that speak the Gomocup protocol, and their processes."""
