"""`python -m simkit.dataset` prints the data dictionary."""

import sys

from simkit.dataset import data_dictionary

sys.stdout.write(data_dictionary())
