#!/usr/bin/python3
"""A GTK 4 form, as an ordinary application has one; what is saved is written to a file.

usage: form.py FILE
"""
import sys

import gi

gi.require_version("Gtk", "4.0")
from gi.repository import Gtk  # noqa: E402


def start(app):
    grid = Gtk.Grid(row_spacing=8, column_spacing=8, margin_top=16, margin_bottom=16, margin_start=16, margin_end=16)
    entries = {}
    for row, name in enumerate(("Name", "Street", "Town")):
        label = Gtk.Label(label=name, xalign=1)
        entries[name] = Gtk.Entry(hexpand=True)
        label.set_mnemonic_widget(entries[name])
        grid.attach(label, 0, row, 1, 1)
        grid.attach(entries[name], 1, row, 1, 1)
    gift = Gtk.CheckButton(label="Gift wrap")
    grid.attach(gift, 1, 3, 1, 1)
    notes = Gtk.TextView(height_request=90, vexpand=True)
    notes.update_property([Gtk.AccessibleProperty.LABEL], ["Notes"])
    grid.attach(Gtk.ScrolledWindow(child=notes), 1, 4, 1, 1)
    save = Gtk.Button(label="Save")
    grid.attach(save, 1, 5, 1, 1)
    status = Gtk.Label(label="Not saved")
    grid.attach(status, 1, 6, 1, 1)

    def write(_button):
        lines = [f"{name}={entry.get_text()}" for name, entry in entries.items()]
        with open(sys.argv[1], "w", encoding="utf-8") as file:
            file.write("\n".join([*lines, f"gift={gift.get_active()}", notes.get_buffer().props.text]))
        status.set_label("Saved")

    save.connect("clicked", write)
    window = Gtk.ApplicationWindow(application=app, title="Address", default_width=420, default_height=420)
    window.set_child(grid)
    window.present()


app = Gtk.Application(application_id="dev.chaperone.form")
app.connect("activate", start)
app.run([])
