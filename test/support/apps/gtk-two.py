#!/usr/bin/python3
"""A GTK 3 application with two windows and a popup that no window manager handles. It starts slowly when asked to.

usage: gtk-two.py --journal FILE [--sleep SECONDS]
Each journal line is a JSON object {"control", "event", "value"}. The seconds pass once before and once after the toolkit is loaded.
"""
import argparse
import json
import os
import time

parser = argparse.ArgumentParser()
parser.add_argument("--journal", required=True)
parser.add_argument("--sleep", type=float, default=0)
options = parser.parse_args()
file = os.open(options.journal, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
time.sleep(options.sleep)

import gi  # noqa: E402

gi.require_version("Gtk", "3.0")
from gi.repository import GLib, Gtk  # noqa: E402

time.sleep(options.sleep)


def button(label):
    made = Gtk.Button(label=label)
    line = json.dumps({"control": label, "event": "pressed", "value": ""}) + "\n"
    made.connect("clicked", lambda _: os.write(file, line.encode()))
    return made


def window(title, labels, place, kind=Gtk.WindowType.TOPLEVEL):
    made = Gtk.Window(type=kind, title=title)
    box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=30, margin=30)
    for label in labels:
        box.pack_start(button(label), False, False, 0)
    made.add(box)
    made.set_default_size(320, 200)
    made.move(*place)
    made.connect("destroy", Gtk.main_quit)
    made.show_all()


GLib.set_prgname("gtk-two")
window("Lower", ["Orchard", "Sunset"], (60, 60))
window("Upper", ["Harvest"], (600, 60))
window("Popup", ["Snooze"], (1000, 420), Gtk.WindowType.POPUP)
GLib.timeout_add_seconds(600, Gtk.main_quit)
Gtk.main()
