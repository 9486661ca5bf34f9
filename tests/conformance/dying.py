"""What stands in for a runtime that misbehaves, in a process of its own."""

import os
import sys

from addison import InvalidInput


def opened():
    return answered


def answered(asked):
    if asked == "die":
        os._exit(9)
    if asked == "ours":
        raise InvalidInput("seven", number=7)
    if asked == "theirs":
        raise LookupError("seven")
    if asked == "print":
        sys.stdout.write("printed, and not to be taken for an answer\n")
        os.system("echo so is this")
    return asked
