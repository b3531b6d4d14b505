"""The launcher that confines a command before it becomes student code. Run it as a folder: `python -I -S autograder/confine`."""
