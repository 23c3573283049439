#!/usr/bin/python3
"""Prints a line when it listens, and one for each child that is added in an application. argv: pid."""
import sys

import pyatspi

pid = int(sys.argv[1])


def heard(event):
    if event.host_application is not None and event.host_application.get_process_id() == pid:
        print("added", flush=True)


pyatspi.Registry.registerEventListener(heard, "object:children-changed:add")
print("listening", flush=True)
pyatspi.Registry.start()
