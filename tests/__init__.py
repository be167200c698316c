"""The tests of Tengen; each folder and module mirrors the one it tests."""
