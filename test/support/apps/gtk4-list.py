#!/usr/bin/python3
"""A GTK 4 window with a long list.

usage: gtk4-list.py [--title TITLE] [--rows N]
SIGUSR1 puts a row before the others.
"""
import argparse
import signal

import gi

gi.require_version("Gtk", "4.0")
from gi.repository import Gio, GLib, Gtk  # noqa: E402

parser = argparse.ArgumentParser()
parser.add_argument("--title", default="Long list")
parser.add_argument("--rows", type=int, default=100)
options, _ = parser.parse_known_args()


def start(app):
    window = Gtk.ApplicationWindow(application=app, title=options.title, default_width=420, default_height=380)
    box = Gtk.ListBox()
    for index in range(options.rows):
        box.append(Gtk.Label(label=f"Row {index + 1}", xalign=0))
    window.set_child(Gtk.ScrolledWindow(child=box))

    def insert():
        box.prepend(Gtk.Label(label="Row 0", xalign=0))
        return True

    GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, signal.SIGUSR1, insert)
    window.present()


app = Gtk.Application(flags=Gio.ApplicationFlags.NON_UNIQUE)
app.connect("activate", start)
app.run([])
