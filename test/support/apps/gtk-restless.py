#!/usr/bin/python3
"""A GTK 3 window with a clock and a progress bar that change by themselves, a button that does nothing and one that counts."""
import gi

gi.require_version("Gtk", "3.0")
from gi.repository import GLib, Gtk  # noqa: E402

window = Gtk.Window(title="Restless")
box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=8, border_width=12)
window.add(box)
clock = Gtk.Label(label="0 seconds")
progress = Gtk.ProgressBar()
nothing = Gtk.Button(label="Nothing")
count = Gtk.Button(label="Count")
counted = Gtk.Label(label="Counted 0")
for widget in (clock, progress, nothing, count, counted):
    box.pack_start(widget, False, False, 0)

state = {"seconds": 0, "counted": 0}


def tick():
    state["seconds"] += 1
    clock.set_text(f"{state['seconds']} seconds")
    return True


def move():
    progress.set_fraction((progress.get_fraction() + 0.02) % 1)
    return True


def add(_):
    state["counted"] += 1
    counted.set_text(f"Counted {state['counted']}")


count.connect("clicked", add)
GLib.timeout_add(1000, tick)
GLib.timeout_add(100, move)
window.connect("destroy", Gtk.main_quit)
window.set_default_size(300, 220)
window.show_all()
Gtk.main()
