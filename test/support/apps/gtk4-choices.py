#!/usr/bin/python3
"""A GTK 4 window with a drop-down, whose options are made when it opens, and a combo box in which any text can be written.

usage: gtk4-choices.py --journal FILE
Each journal line is a JSON object {"control", "event", "value"}.
"""
import json
import sys

import gi

gi.require_version("Gtk", "4.0")
from gi.repository import Gio, Gtk  # noqa: E402

journal = open(sys.argv[sys.argv.index("--journal") + 1], "a", buffering=1, encoding="utf-8")


def write(control, value):
    journal.write(json.dumps({"control": control, "event": "changed", "value": value}) + "\n")


def named(widget, name):
    widget.update_property([Gtk.AccessibleProperty.LABEL], [name])
    return widget


def start(app):
    letters = named(Gtk.DropDown.new_from_strings(["Alpha", "Beta", "Gamma"]), "Letter")
    letters.connect("notify::selected", lambda one, _: write("letter", str(one.get_selected())))
    flavours = named(Gtk.ComboBoxText.new_with_entry(), "Flavour")
    for flavour in ("Lemon", "Mint"):
        flavours.append_text(flavour)
    flavours.connect("changed", lambda one: write("flavour", one.get_child().get_text()))
    box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=8, halign=Gtk.Align.START)
    for part in (letters, flavours):
        box.append(part)
    window = Gtk.ApplicationWindow(application=app, title="Choices", default_width=400, default_height=300, child=box)
    window.present()


application = Gtk.Application(application_id="dev.example.Choices", flags=Gio.ApplicationFlags.NON_UNIQUE)
application.connect("activate", start)
application.run([])
