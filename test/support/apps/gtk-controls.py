#!/usr/bin/python3
"""A GTK 3 application with every kind of control, in two windows. It writes what reached it to a journal.

usage: gtk-controls.py --journal FILE [--title TITLE]
"""
import argparse
import json
import os
import sys

import gi

gi.require_version("Gtk", "3.0")
from gi.repository import GLib, Gtk  # noqa: E402


class Journal:
    def __init__(self, path):
        self.file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

    def write(self, control, event, value=""):
        os.write(self.file, (json.dumps({"control": control, "event": event, "value": value}) + "\n").encode())


def named(widget, name):
    widget.get_accessible().set_name(name)
    return widget


def button(journal, label, act=None):
    made = Gtk.Button(label=label)

    def clicked(_):
        journal.write(label.lower(), "pressed")
        if act is not None:
            act()

    made.connect("clicked", clicked)
    return made


def fruits(journal):
    box = named(Gtk.ListBox(), "Fruits")
    for name in ("Apple", "Banana", "Cherry"):
        row = named(Gtk.ListBoxRow(), name)
        row.add(Gtk.Label(label=name, xalign=0))
        box.add(row)

    def selected(_, row):
        journal.write("fruits", "selected", "" if row is None else row.get_accessible().get_name())

    box.connect("row-selected", selected)
    return box


def animals(journal):
    store = Gtk.TreeStore(str)
    top = store.append(None, ["Animals"])
    for name in ("Cat", "Dog"):
        store.append(top, [name])
    view = named(Gtk.TreeView(model=store), "Kinds")
    view.append_column(Gtk.TreeViewColumn("Kind", Gtk.CellRendererText(), text=0))
    view.connect("row-activated", lambda *_: journal.write("animals", "opened"))
    view.connect("button-press-event", lambda *_: journal.write("animals", "clicked"))
    view.connect("row-expanded", lambda *_: journal.write("animals", "expanded", "true"))
    view.connect("row-collapsed", lambda *_: journal.write("animals", "expanded", "false"))
    return view


def more(journal):
    made = Gtk.Expander(label="More")
    made.add(Gtk.Label(label="Hidden words"))
    made.connect("notify::expanded", lambda one, _: journal.write("more", "expanded", str(one.get_expanded()).lower()))
    return made


def colours(journal):
    combo = named(Gtk.ComboBoxText(), "Colour")
    for name in ("Red", "Green", "Blue"):
        combo.append_text(name)
    combo.set_active(0)
    combo.connect("changed", lambda one: journal.write("colour", "changed", one.get_active_text()))
    return combo


def numbers(journal):
    volume = named(Gtk.Scale.new_with_range(Gtk.Orientation.HORIZONTAL, 0, 100, 1), "Volume")
    volume.set_draw_value(False)
    count = named(Gtk.SpinButton.new_with_range(0, 10, 1), "Count")
    volume.connect("value-changed", lambda one: journal.write("volume", "changed", f"{one.get_value():g}"))
    count.connect("value-changed", lambda one: journal.write("count", "changed", f"{one.get_value():g}"))
    return volume, count


def rebuilt(journal):
    box = Gtk.Box(spacing=6)

    def build():
        for child in box.get_children():
            child.destroy()
        for label in ("Alpha", "Beta"):
            box.pack_start(button(journal, label), False, False, 0)
        box.show_all()

    build()
    return box, build


def status(journal):
    label = Gtk.Label(label="Status 0", xalign=0)
    go = button(journal, "Go")
    go.set_sensitive(False)
    late = Gtk.Label(label="Ready at last")
    late.set_no_show_all(True)
    times = {"count": 0}

    def up():
        times["count"] += 1
        label.set_text(f"Status {times['count']}")

    def later():
        GLib.timeout_add(300, lambda: (late.show(), go.set_sensitive(True), up(), False)[-1])

    return label, go, late, button(journal, "Up", up), button(journal, "Later", later)


def toggles(journal):
    agree = Gtk.CheckButton(label="Agree")
    agree.connect("toggled", lambda one: journal.write("agree", "toggled", str(one.get_active()).lower()))
    name = named(Gtk.Entry(), "Name")
    name.connect("changed", lambda one: journal.write("name", "changed", one.get_text()))
    return agree, name


def tabs(journal):
    book = Gtk.Notebook()
    for title in ("First", "Second"):
        book.append_page(Gtk.Label(label=f"{title} page"), Gtk.Label(label=title))
    book.connect("switch-page", lambda _, page, number: journal.write("tabs", "selected", str(number)))
    return book


def lines(window, *parts):
    box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=4, margin=8)
    for part in parts:
        line = Gtk.Box(spacing=6)
        for widget in part if isinstance(part, tuple) else (part,):
            line.pack_start(widget, True, True, 0)
        box.pack_start(line, False, False, 0)
    window.add(box)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--journal", required=True)
    parser.add_argument("--title", default="Controls")
    options = parser.parse_args()
    GLib.set_prgname("gtk-controls")
    journal = Journal(options.journal)
    window = Gtk.Window(title=options.title)
    label, go, late, up, later = status(journal)
    box, build = rebuilt(journal)
    book = tabs(journal)
    lines(window, toggles(journal), colours(journal), numbers(journal), (up, later, go), (label, late),
          (box, button(journal, "Rebuild", build)), (fruits(journal), animals(journal)), more(journal), book)  # fmt: skip
    window.connect("destroy", Gtk.main_quit)
    window.move(40, 40)
    window.show_all()
    other = Gtk.Window(title=f"{options.title} 2")
    lines(other, button(journal, "Elsewhere"))
    other.move(700, 60)
    other.show_all()
    Gtk.main()


if __name__ == "__main__":
    sys.exit(main())
