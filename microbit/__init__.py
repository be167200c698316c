"""Tic-tac-toe for the micro:bit: the scripts that run there, and what makes a .hex file of them."""
