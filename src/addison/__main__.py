"""``python -m addison`` is ``addison``."""

from addison.cli.main import main

main()
