#!/usr/bin/python3
"""Finds one label by walking the whole tree of an application with pyatspi. argv: pid, label.
For each line on stdin one walk; prints how many elements it met and the milliseconds. libatspi's cache is emptied before each."""
import sys
import time

import pyatspi

# The rows of Qt have the name themselves.
LABELS = (pyatspi.ROLE_LABEL, pyatspi.ROLE_STATIC, pyatspi.ROLE_LIST_ITEM)
pid, wanted = int(sys.argv[1]), sys.argv[2]


def walk(node):
    found, count = 0, 1
    if node.getRole() in LABELS and node.name == wanted:
        found = 1
    for index in range(node.childCount):
        child = node.getChildAtIndex(index)
        if child is not None:
            below = walk(child)
            found, count = found + below[0], count + below[1]
    return found, count


def application():
    for candidate in pyatspi.Registry.getDesktop(0):
        if candidate is not None and candidate.get_process_id() == pid:
            return candidate
    sys.exit(f"no application {pid}")


app = application()
for _ in sys.stdin:
    app.clear_cache()
    start = time.perf_counter()
    found, count = walk(app)
    if found != 1:
        sys.exit(f"{found} labels {wanted}")
    print(count, (time.perf_counter() - start) * 1000, flush=True)
