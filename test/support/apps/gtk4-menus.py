#!/usr/bin/python3
"""The GTK 4 twin of gtk-menus.py: a popover menu of a menu button.

usage: gtk4-menus.py --journal FILE
"""
import json
import signal
import sys

import gi

gi.require_version("Gtk", "4.0")
from gi.repository import Gio, GLib, Gtk  # noqa: E402

journal = open(sys.argv[sys.argv.index("--journal") + 1], "a", buffering=1, encoding="utf-8")


def write(control, event, value):
    journal.write(json.dumps({"control": control, "event": event, "value": value}) + "\n")


ITEMS = ("Keep a copy", "Delete note", "Send to Bob")
MENUS = {"first": ITEMS, "other": ("Send to all of them", "Keep a copy", "Delete note"), "twin": ITEMS}


def start(app):
    window = Gtk.ApplicationWindow(application=app, title="Menus", default_width=400, default_height=300)
    button = Gtk.MenuButton(label="More", halign=Gtk.Align.START, valign=Gtk.Align.START)

    def popover_of(name):
        model = Gio.Menu()
        for index, label in enumerate(MENUS[name]):
            action = Gio.SimpleAction(name=f"{name}{index}")
            action.connect("activate", lambda *_, label=label: write(name, "chosen", label))
            app.add_action(action)
            model.append(label, f"app.{name}{index}")
        popover = Gtk.PopoverMenu.new_from_model(model)
        popover.connect("map", lambda _: write(name, "shown", ""))
        return popover

    def replace(popover):
        button.popdown()
        button.set_popover(popover)
        button.popup()
        return True

    button.set_popover(popover_of("first"))
    for number, name in ((signal.SIGUSR1, "other"), (signal.SIGUSR2, "twin")):
        GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, number, replace, popover_of(name))
    window.set_child(button)
    window.present()


application = Gtk.Application(application_id="dev.example.Menus", flags=Gio.ApplicationFlags.NON_UNIQUE)
application.connect("activate", start)
application.run([])
