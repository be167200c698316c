"""The game itself, in plain Python: the readable specification that everything above is judged by."""
