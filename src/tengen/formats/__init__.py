"""Other programs' files, text and pictures, all to and from `tengen.game.record.Record`."""
