#!/usr/bin/python3
"""A GTK 3 window with things to press that are no buttons, and that writes what was pressed to a journal.

usage: gtk-places.py --journal FILE
Each journal line is a JSON object {"control", "event", "value"}. SIGUSR1 turns the harmless button into “Delete all”.
"""
import json
import signal
import sys

import gi

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, GLib, Gtk  # noqa: E402

journal = open(sys.argv[sys.argv.index("--journal") + 1], "a", buffering=1, encoding="utf-8")


def write(control):
    journal.write(json.dumps({"control": control, "event": "pressed", "value": ""}) + "\n")


def pressed(control):
    def told(*_):
        write(control)
        return False

    return told


def event_box(control, child=None):
    box = Gtk.EventBox()
    box.set_size_request(260, 40)
    if child is not None:
        box.add(child)
    box.connect("button-press-event", pressed(control))
    return box


def drawing(control):
    area = Gtk.DrawingArea()
    area.set_size_request(260, 40)
    area.add_events(Gdk.EventMask.BUTTON_PRESS_MASK)
    area.connect("button-press-event", pressed(control))
    return area


def padded(text):
    label = Gtk.Label(label=text)
    label.set_halign(Gtk.Align.START)
    return label


GLib.set_prgname("gtk-places")
window = Gtk.Window(title="Places")
store = Gtk.TreeStore(str)
for text in ("Delete", "Send me the report", "Later"):
    store.append(store.append(None, [text]), ["Part of it"])
table = Gtk.TreeView(model=store, headers_visible=False)
table.append_column(Gtk.TreeViewColumn("What", Gtk.CellRendererText(), text=0))
table.connect("row-activated", lambda _table, path, _column: write("row " + store[path][0]))
button = Gtk.Button(label="Next")
button.connect("clicked", lambda _: write(button.get_label()))
menu = Gtk.Menu()
for name in ("_Open", "_Delete"):
    item = Gtk.MenuItem.new_with_mnemonic(name)
    item.connect("activate", pressed("menu " + name))
    menu.append(item)
menu.show_all()


def asked_for_menu(_, event):
    if event.button == 3:
        menu.popup_at_pointer(event)
    return event.button == 3


button.connect("button-press-event", asked_for_menu)
box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=10, margin=10)
for one in (
    button,
    table,
    event_box("box delete", padded("Delete")),
    event_box("box later", padded("Later")),
    event_box("empty box"),
    drawing("drawing"),
):
    box.pack_start(one, False, False, 0)
window.add(box)
window.connect("destroy", Gtk.main_quit)
window.move(60, 60)


def turned():
    button.set_label("Delete all")
    return True


GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, signal.SIGUSR1, turned)
window.show_all()
Gtk.main()
