#!/usr/bin/python3
"""A GTK 3 window with a popover that has a field in it.

usage: gtk-popover.py --journal FILE
Each journal line is a JSON object {"control", "event", "value"}.
"""
import json
import sys

import gi

gi.require_version("Gtk", "3.0")
from gi.repository import Gtk  # noqa: E402

journal = open(sys.argv[sys.argv.index("--journal") + 1], "a", buffering=1, encoding="utf-8")


def changed(entry):
    journal.write(json.dumps({"control": "nickname", "event": "changed", "value": entry.get_text()}) + "\n")


field = Gtk.Entry(visible=True)
field.get_accessible().set_name("Nickname")
field.connect("changed", changed)
button = Gtk.MenuButton(label="Rename", halign=Gtk.Align.START, valign=Gtk.Align.START)
popover = Gtk.Popover(relative_to=button)
popover.add(field)
button.set_popover(popover)
window = Gtk.Window(title="Popover", default_width=400, default_height=300)
window.add(button)
window.show_all()
Gtk.main()
