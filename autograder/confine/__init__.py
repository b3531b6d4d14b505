"""The launcher that confines a command before it becomes student code, run as `python -I -S autograder/confine`."""
