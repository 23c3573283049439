#!/usr/bin/python3
"""
Does what it is told (`click X Y`, `key KEYSYM`, `insert TEXT`), then prints the milliseconds until an application told of a change. `quiet`: prints 0
once the application told of none for a while. argv: pid.
"""
import ctypes
import sys
import threading
import time

import pyatspi
from gi.repository import GLib

EVENTS = ("object:state-changed", "object:text-changed", "object:property-change", "object:bounds-changed", "focus")
QUIET_S = 0.25

pid = int(sys.argv[1])
x11, xtst = ctypes.CDLL("libX11.so.6"), ctypes.CDLL("libXtst.so.6")
x11.XOpenDisplay.restype = ctypes.c_void_p
x11.XStringToKeysym.restype = ctypes.c_ulong
display = ctypes.c_void_p(x11.XOpenDisplay(None))
state = {"since": None, "heard": time.monotonic()}


def heard(event):
    app = event.host_application
    if app is None or app.get_process_id() != pid:
        return
    now = time.monotonic()
    state["heard"] = now
    if state["since"] is not None:
        print((now - state["since"]) * 1000, flush=True)
        state["since"] = None


def focused(node):
    if node.getState().contains(pyatspi.STATE_FOCUSED):
        return node
    below = (node.getChildAtIndex(index) for index in range(node.childCount))
    return next((found for found in map(focused, below) if found is not None), None)


def insert(text):
    app = next(one for one in pyatspi.Registry.getDesktop(0) if one is not None and one.get_process_id() == pid)
    app.clear_cache()
    field = focused(app).queryEditableText()
    state["since"] = time.monotonic()
    field.insertText(0, text, len(text))
    return False


def act(name, *given):
    if name == "insert":
        return insert(*given)
    if name == "click":
        xtst.XTestFakeMotionEvent(display, -1, int(given[0]), int(given[1]), 0)
        xtst.XTestFakeButtonEvent(display, 1, 1, 0)
        xtst.XTestFakeButtonEvent(display, 1, 0, 0)
    else:
        code = x11.XKeysymToKeycode(display, ctypes.c_ulong(x11.XStringToKeysym(given[0].encode())))
        xtst.XTestFakeKeyEvent(display, code, 1, 0)
        xtst.XTestFakeKeyEvent(display, code, 0, 0)
    state["since"] = time.monotonic()
    x11.XSync(display, 0)
    return False


def once_quiet(words):
    """Events of what was done before must not count."""
    if time.monotonic() - state["heard"] < QUIET_S:
        GLib.timeout_add(20, once_quiet, words)
    elif words == ["quiet"]:
        print(0, flush=True)
    else:
        act(*words)
    return False


def read():
    for line in sys.stdin:
        GLib.idle_add(once_quiet, line.split())
    GLib.idle_add(pyatspi.Registry.stop)


pyatspi.Registry.registerEventListener(heard, *EVENTS)
threading.Thread(target=read, daemon=True).start()
print("listening", flush=True)
pyatspi.Registry.start()
