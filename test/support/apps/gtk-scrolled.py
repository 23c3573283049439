#!/usr/bin/python3
"""A GTK 3 application whose buttons lie below the visible part of what scrolls, between fields that a wheel would change.

usage: gtk-scrolled.py --journal FILE
Each journal line is a JSON object {"control", "event", "value"}. `Renamed` gets another name as soon as it is scrolled to.
"""
import argparse
import json
import os

import gi

gi.require_version("Gtk", "3.0")
from gi.repository import GLib, Gtk  # noqa: E402


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--journal", required=True)
    file = os.open(parser.parse_args().journal, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

    def write(control, event, value=""):
        os.write(file, (json.dumps({"control": control, "event": event, "value": value}) + "\n").encode())

    def button(label):
        made = Gtk.Button(label=label)
        made.connect("clicked", lambda one: write(label, "pressed", one.get_label()))
        return made

    def watched(widget, control):
        widget.connect("value-changed", lambda one: write(control, "changed", f"{one.get_value():g}"))
        return widget

    content = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=8, margin=10)
    # Wide fields cover the middle of the container: the wheel must find a place beside them.
    for index in range(4):
        content.pack_start(watched(Gtk.SpinButton.new_with_range(0, 100, 1), f"spin {index}"), False, False, 0)
        content.pack_start(watched(Gtk.Scale.new_with_range(Gtk.Orientation.HORIZONTAL, 0, 100, 1), f"scale {index}"), False, False, 0)  # noqa: E501
    for label in ["First", *(f"Item {index}" for index in range(5)), "Last"]:
        content.pack_start(button(label), False, False, 0)
    renamed = button("Renamed")
    content.pack_start(renamed, False, False, 0)
    content.pack_start(button("Delete"), False, False, 0)
    entry = Gtk.Entry()
    entry.get_accessible().set_name("Far field")
    entry.connect("changed", lambda one: write("far field", "changed", one.get_text()))
    content.pack_start(entry, False, False, 0)

    scroller = Gtk.ScrolledWindow()
    scroller.add(content)

    def scrolled(adjustment):
        write("scroller", "scrolled", f"{adjustment.get_value():g}")
        renamed.set_label("Another")

    scroller.get_vadjustment().connect("value-changed", scrolled)
    book = Gtk.Notebook()
    book.append_page(scroller, Gtk.Label(label="Shown"))
    book.append_page(button("On another page"), Gtk.Label(label="Hidden"))
    window = Gtk.Window(title="Scrolled")
    window.set_default_size(420, 360)
    window.add(book)
    window.connect("destroy", Gtk.main_quit)
    window.show_all()
    GLib.timeout_add_seconds(600, Gtk.main_quit)
    Gtk.main()


if __name__ == "__main__":
    main()
