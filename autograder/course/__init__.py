"""A public course's submissions, graded as they lie in their authors' repositories (assignment `dlsys-hw3`)."""
