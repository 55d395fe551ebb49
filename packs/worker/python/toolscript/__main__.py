"""The process of a Python pack. Run as a folder: `python …/toolscript <project>`."""

import os
import sys

# The folder itself is first, where its modules would shadow the pack's own: its parent has one name.
sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# It is not started there: uv takes settings, and a Python to run, from the folder that it is in.
os.chdir(sys.argv.pop())

from toolscript.worker import main  # noqa: E402 - after the path

main()
