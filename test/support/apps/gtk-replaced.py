#!/usr/bin/python3
"""A GTK 3 application with two windows, one of which a signal replaces. It writes what was pressed to a journal.

usage: gtk-replaced.py --journal FILE
“Letter” has a button “Go on”, “Notes” has none. SIGUSR1 closes “Notes” and opens “Greeting” with a button “Leave”; SIGUSR2 opens
“Greeting” beside the others.
"""
import json
import signal
import sys

import gi

gi.require_version("Gtk", "3.0")
from gi.repository import GLib, Gtk  # noqa: E402

journal = open(sys.argv[sys.argv.index("--journal") + 1], "a", buffering=1, encoding="utf-8")


def pressed(control):
    return lambda *_: journal.write(json.dumps({"control": control, "event": "pressed", "value": ""}) + "\n")


def open_window(title, label, place):
    window = Gtk.Window(title=title)
    window.set_default_size(300, 160)
    window.move(*place)
    box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, margin=20)
    box.add(Gtk.Label(label=f"This is {title}."))
    if label is not None:
        button = Gtk.Button(label=label)
        button.connect("clicked", pressed(label))
        box.add(button)
    window.add(box)
    window.show_all()
    return window


open_window("Letter", "Go on", (40, 40))
notes = open_window("Notes", None, (420, 40))


def open_account(instead):
    if instead:
        notes.destroy()
    open_window("Greeting", "Leave", (420, 300))
    return False


GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, signal.SIGUSR1, open_account, True)
GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, signal.SIGUSR2, open_account, False)
Gtk.main()
