#!/usr/bin/python3
"""The GTK 4 twin of gtk3-fields.py."""
import json
import os
import sys

import gi

gi.require_version("Gtk", "4.0")
from gi.repository import GLib, Gtk  # noqa: E402

FIELDS = {}
# Its warnings about coordinates would fill the terminal.
os.dup2(os.open(os.devnull, os.O_WRONLY), 2)


def held(name):
    return FIELDS["line"].get_text() if name == "line" else FIELDS["area"].get_buffer().get_property("text")


def asked(source, _):
    words = source.readline().split()
    if not words:
        sys.exit(0)
    if words[0] == "empty":
        FIELDS[words[1]].get_buffer().set_text("", 0)
        FIELDS[words[1]].grab_focus()
    print(json.dumps(held(words[-1])), flush=True)
    return True


def start(app):
    window = Gtk.ApplicationWindow(application=app, title="Fields", default_width=420, default_height=380)
    line, area = Gtk.Entry(), Gtk.TextView(wrap_mode=Gtk.WrapMode.WORD_CHAR)
    FIELDS.update(line=line, area=area)
    box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    box.append(line)
    box.append(Gtk.ScrolledWindow(child=area, hexpand=True, vexpand=True))
    window.set_child(box)
    window.present()
    GLib.io_add_watch(sys.stdin, GLib.PRIORITY_DEFAULT, GLib.IOCondition.IN | GLib.IOCondition.HUP, asked)


app = Gtk.Application()
app.connect("activate", start)
app.run([])
