"""`python -m autograder`."""

from autograder.cli import main
from autograder.grade_cli import doctor_command, grade_command

main.add_command(grade_command)
main.add_command(doctor_command)

if __name__ == "__main__":
    main(prog_name="python -m autograder")
