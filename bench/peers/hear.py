#!/usr/bin/python3
"""Prints a line when it listens, then how many labels of that name an application has, each time the number changed. argv: pid, label.
GTK 3 tells that places changed, not that a row was added, so after each event the tree is walked."""
import sys

import pyatspi
from gi.repository import GLib

pid, wanted = int(sys.argv[1]), sys.argv[2]
state = {"count": 0, "due": False}


def walk(node):
    count = 1 if node.getRole() == pyatspi.ROLE_LABEL and node.name == wanted else 0
    children = (node.getChildAtIndex(index) for index in range(node.childCount))
    return count + sum(walk(child) for child in children if child is not None)


def look(app):
    state["due"] = False
    app.clear_cache()
    count = walk(app)
    if count != state["count"]:
        state["count"] = count
        print(count, flush=True)
    return False


def heard(event):
    app = event.host_application
    if app is not None and app.get_process_id() == pid and not state["due"]:
        state["due"] = True
        GLib.idle_add(look, app)


pyatspi.Registry.registerEventListener(heard, "object:bounds-changed", "object:children-changed")
print("listening", flush=True)
pyatspi.Registry.start()
