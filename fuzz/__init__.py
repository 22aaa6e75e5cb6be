"""Fuzzing: all implementations of the game against each other, and readers against any bytes."""
