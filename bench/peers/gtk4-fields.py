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


state = {"later": None, "shown": 0}


def clicked(*_):
    later, state["later"] = state["later"], None
    if later is not None:
        GLib.timeout_add(later, show)


def show():
    state["shown"] += 1
    FIELDS["line"].set_text(str(state["shown"]))
    return False


def held(name):
    return FIELDS["line"].get_text() if name == "line" else FIELDS["area"].get_buffer().get_property("text")


def asked(source, _):
    words = source.readline().split()
    if not words:
        sys.exit(0)
    if words[0] == "empty":
        FIELDS[words[1]].get_buffer().set_text("", 0)
        FIELDS[words[1]].grab_focus()
    if words[0] == "later":
        state["later"] = int(words[1])
        print(flush=True)
        return True
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
    click = Gtk.GestureClick(propagation_phase=Gtk.PropagationPhase.CAPTURE)
    click.connect("pressed", clicked)
    window.add_controller(click)
    window.present()
    GLib.io_add_watch(sys.stdin, GLib.PRIORITY_DEFAULT, GLib.IOCondition.IN | GLib.IOCondition.HUP, asked)


app = Gtk.Application()
app.connect("activate", start)
app.run([])
