#!/usr/bin/python3
"""A GTK 3 window with a table of many rows, a long list with passwords in two of its rows, and plain fields.

usage: gtk-vast.py --journal FILE ROWS LISTED
"""
import json
import sys

import gi

gi.require_version("Gtk", "3.0")
from gi.repository import GLib, Gtk  # noqa: E402

SECRET_ROWS = (3000, 0)


def main():
    journal = open(sys.argv[2], "a", buffering=1)
    rows, listed = (int(count) for count in sys.argv[3:5])

    def note(control, event):
        journal.write(json.dumps({"control": control, "event": event, "value": ""}) + "\n")

    window = Gtk.Window(title="Vast")
    window.set_default_size(500, 600)
    box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    window.add(box)
    button = Gtk.Button(label="Press me")
    button.connect("clicked", lambda *_: note("press", "clicked"))
    box.pack_start(button, False, False, 0)
    box.pack_start(Gtk.Entry(visibility=False, text="secret"), False, False, 0)

    store = Gtk.ListStore(str, str, str)
    for index in range(rows):
        store.append(["row %d" % index, "b", "c"])
    table = Gtk.TreeView(model=store)
    for index, name in enumerate("ABC"):
        table.append_column(Gtk.TreeViewColumn(name, Gtk.CellRendererText(), text=index))
    scrolled = Gtk.ScrolledWindow()
    scrolled.add(table)
    box.pack_start(scrolled, True, True, 0)

    items = Gtk.ListBox()
    for index in range(listed):
        secret = index in SECRET_ROWS
        items.add(Gtk.Entry(visibility=False, text="hidden") if secret else Gtk.Label(label="item %d" % index))
    below = Gtk.ScrolledWindow()
    below.add(items)
    if listed > 0:
        box.pack_start(below, True, True, 0)
    window.connect("destroy", Gtk.main_quit)
    window.show_all()

    def scroll(*_):
        row = items.get_row_at_index(SECRET_ROWS[0])
        below.get_vadjustment().set_value(row.get_allocation().y - 60)
        GLib.timeout_add(200, note, "list", "scrolled")
        return False

    if listed > SECRET_ROWS[0]:
        GLib.timeout_add(300, scroll)
    Gtk.main()


if __name__ == "__main__":
    sys.exit(main())
