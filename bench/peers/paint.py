#!/usr/bin/python3
"""A window that is painted some two hundred times a second, so that no two pictures of the screen are the same."""
import gi

gi.require_version("Gtk", "3.0")
from gi.repository import GLib, Gtk  # noqa: E402

window = Gtk.Window(title="Painting")
label = Gtk.Label(label="0")
window.add(label)
state = {"count": 0}


def paint():
    state["count"] += 1
    label.set_text(str(state["count"]))
    return True


GLib.timeout_add(5, paint)
window.show_all()
Gtk.main()
