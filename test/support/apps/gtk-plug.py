#!/usr/bin/python3
"""A GTK 3 application that shows itself in the socket of another one: magenta, with one button.

usage: gtk-plug.py --journal FILE --socket ID
Without a socket (0) it has a window of its own, "Plug", for others to take. Each journal line is {"control", "event", "value"}.
"""
import argparse
import json
import os

import gi

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, Gtk  # noqa: E402

parser = argparse.ArgumentParser()
parser.add_argument("--journal", required=True)
parser.add_argument("--socket", type=int, required=True)
options = parser.parse_args()
journal = os.open(options.journal, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)


def pressed(_):
    os.write(journal, (json.dumps({"control": "inside", "event": "pressed", "value": ""}) + "\n").encode())


style = Gtk.CssProvider()
style.load_from_data(b"* { background: #ff00ff; color: #000; border: none; box-shadow: none; text-shadow: none; }")
Gtk.StyleContext.add_provider_for_screen(Gdk.Screen.get_default(), style, 800)
window = Gtk.Plug.new(options.socket) if options.socket else Gtk.Window(title="Plug")
button = Gtk.Button(label="Inside")
button.connect("clicked", pressed)
window.add(button)
window.set_default_size(360, 220)
window.show_all()
Gtk.main()
