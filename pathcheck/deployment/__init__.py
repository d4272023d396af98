"""What the user says of a server: its arguments, its environment, its facts."""
