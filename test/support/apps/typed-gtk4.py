#!/usr/bin/python3
"""A GTK 4 window with one text: what it holds is written to a file at each change.

usage: typed-gtk4.py FILE
"""
import os
import sys

import gi

gi.require_version("Gtk", "4.0")
from gi.repository import Gio, Gtk  # noqa: E402


def write(buffer):
    with open(sys.argv[1] + ".new", "w") as file:
        file.write(buffer.props.text)
    os.replace(sys.argv[1] + ".new", sys.argv[1])


def start(app):
    text = Gtk.TextView()
    text.get_buffer().connect("changed", write)
    window = Gtk.ApplicationWindow(application=app, title="Typed into GTK 4", default_width=400, default_height=300)
    window.set_child(text)
    window.present()
    text.grab_focus()


app = Gtk.Application(flags=Gio.ApplicationFlags.NON_UNIQUE)
app.connect("activate", start)
app.run([])
