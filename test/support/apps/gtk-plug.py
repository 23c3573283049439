#!/usr/bin/python3
"""A GTK 3 application that shows itself in the socket of another one, or in the tray: magenta, with one button.

usage: gtk-plug.py --journal FILE (--socket ID | --tray)
Without a socket (0) it has a window of its own, "Plug", for others to take. Each
journal line is {"control", "event", "value"}.
"""
import argparse
import json
import os

import gi

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, GdkPixbuf, Gtk  # noqa: E402

parser = argparse.ArgumentParser()
parser.add_argument("--journal", required=True)
parser.add_argument("--socket", type=int, default=0)
parser.add_argument("--tray", action="store_true")
options = parser.parse_args()
journal = os.open(options.journal, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)


def note(event, value=""):
    os.write(journal, (json.dumps({"control": "inside", "event": event, "value": value}) + "\n").encode())


def show_in_tray():
    pixels = GdkPixbuf.Pixbuf.new(GdkPixbuf.Colorspace.RGB, False, 8, 48, 48)
    pixels.fill(0xFF00FFFF)
    icon = Gtk.StatusIcon.new_from_pixbuf(pixels)
    icon.connect("button-press-event", lambda *_: note("pressed"))
    return icon


def show_in_window():
    window = Gtk.Plug.new(options.socket) if options.socket else Gtk.Window(title="Plug")
    button = Gtk.Button(label="Inside")
    button.connect("clicked", lambda _: note("pressed"))
    window.connect("key-press-event", lambda _, event: note("key", Gdk.keyval_name(event.keyval)))
    window.add(button)
    window.set_default_size(360, 220)
    window.show_all()
    return window


style = Gtk.CssProvider()
style.load_from_data(b"* { background: #ff00ff; color: #000; border: none; box-shadow: none; text-shadow: none; }")
Gtk.StyleContext.add_provider_for_screen(Gdk.Screen.get_default(), style, 800)
shown = show_in_tray() if options.tray else show_in_window()
Gtk.main()
