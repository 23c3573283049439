#!/usr/bin/python3
"""A GTK 3 window with a menu that another one can replace. It writes which item was chosen to a journal.

usage: gtk-menus.py --journal FILE
The button “More” opens a menu. SIGUSR1 replaces the open menu by one with other items in the same place, SIGUSR2 by one with the
same items. Each journal line is a JSON object {"control", "event", "value"}.
"""
import json
import signal
import sys

import gi

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, GLib, Gtk  # noqa: E402

journal = open(sys.argv[sys.argv.index("--journal") + 1], "a", buffering=1, encoding="utf-8")


def write(control, event, value):
    journal.write(json.dumps({"control": control, "event": event, "value": value}) + "\n")


def menu_of(name, labels):
    menu = Gtk.Menu()
    for label in labels:
        item = Gtk.MenuItem(label=label)
        item.connect("activate", lambda _, label=label: write(name, "chosen", label))
        menu.append(item)
    menu.connect("map", lambda _: write(name, "shown", ""))
    menu.show_all()
    return menu


ITEMS = ("Keep a copy", "Delete note", "Send to Bob")
first = menu_of("first", ITEMS)
other = menu_of("other", ("Send to all of them", "Keep a copy", "Delete note"))
twin = menu_of("twin", ITEMS)


def show(menu):
    menu.popup_at_widget(button, Gdk.Gravity.SOUTH_WEST, Gdk.Gravity.NORTH_WEST, None)


def replace(menu):
    first.popdown()
    show(menu)
    return True


button = Gtk.Button(label="More")
button.set_halign(Gtk.Align.START)
button.connect("clicked", lambda _: show(first))
window = Gtk.Window(title="Menus")
window.set_default_size(400, 300)
box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, margin=20)
box.pack_start(button, False, False, 0)
window.add(box)
window.connect("destroy", Gtk.main_quit)
window.show_all()
for number, menu in ((signal.SIGUSR1, other), (signal.SIGUSR2, twin)):
    GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, number, replace, menu)
Gtk.main()
