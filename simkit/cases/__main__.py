"""`python -m simkit.cases FILE...` prints the record of the printed numbers in some case files."""

import sys

from simkit.cases.record import printed_record
from simkit.errors import SimkitError

if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("usage: python -m simkit.cases FILE...")
    try:
        sys.stdout.write(printed_record(sys.argv[1:]))
    except SimkitError as error:
        sys.stderr.write(f"{error}\n")
        sys.exit(error.exit_code)
