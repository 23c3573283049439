#!/usr/bin/python3
"""A GTK 3 window that crashes: at a press of its button, or at a key in its field.

usage: gtk-crash.py [--title TITLE]
"""
import os
import signal
import sys

import gi

gi.require_version("Gtk", "3.0")
from gi.repository import Gtk  # noqa: E402


def crash(*_):
    os.kill(os.getpid(), signal.SIGSEGV)


button, field = Gtk.Button(label="Crash"), Gtk.Entry()
button.connect("clicked", crash)
field.get_accessible().set_name("Field")
field.connect("key-press-event", crash)
box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
for part in (button, field):
    box.pack_start(part, False, False, 0)
window = Gtk.Window(title=sys.argv[-1] if "--title" in sys.argv else "Fragile")
window.add(box)
window.show_all()
Gtk.main()
