"""The database: its connection, its tables and their migrations, and the threads that read and write."""
