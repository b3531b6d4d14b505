"""`python -m autograder`."""

from autograder.cli import main

if __name__ == "__main__":
    main(prog_name="python -m autograder")
