#!/usr/bin/python3
"""A GTK 3 window with a long list, changed by commands.

usage: gtk-list.py [--title TITLE] [--rows N]
Each line on stdin is a JSON object {"do", "at", "text"}; a line on stdout follows when it is done.
"""
import argparse
import json
import sys

import gi

gi.require_version("Atk", "1.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Atk, GLib, Gtk  # noqa: E402


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--title", default="Long list")
    parser.add_argument("--rows", type=int, default=100)
    return parser.parse_args()


def row_of(text):
    row = Gtk.ListBoxRow()
    row.add(Gtk.Label(label=text, xalign=0))
    row.show_all()
    return row


class Changes:
    """What can happen to a list. `at` counts from 0, around where it is too large."""

    def __init__(self, box, scroller, field, window):
        self.box, self.scroller, self.field, self.window = box, scroller, field, window
        self.others = []

    def row(self, at):
        rows = self.box.get_children()
        return rows[at % len(rows)] if rows else None

    def label(self, at):
        child = self.row(at).get_child()
        return child if isinstance(child, Gtk.Label) else child.get_children()[0]

    def insert(self, at, text):
        self.box.insert(row_of(text), at)

    def add(self, at, text):
        self.box.add(row_of(text))

    def remove(self, at, text):
        self.box.remove(self.row(at))

    def replace(self, at, text):
        self.box.remove(self.row(at))
        self.box.insert(row_of(text), at)

    def rename(self, at, text):
        self.label(at).set_text(text)

    def markup(self, at, text):
        self.label(at).set_markup(f"<b>{GLib.markup_escape_text(text)}</b>")

    def name(self, at, text):
        self.label(at).get_accessible().set_name(text)

    def name_row(self, at, text):
        self.row(at).get_accessible().set_name(text)

    def describe(self, at, text):
        self.label(at).get_accessible().set_description(text)

    def role(self, at, text):
        self.label(at).get_accessible().set_role(Atk.Role.HEADING)

    def label_anew(self, at, text):
        row = self.row(at)
        row.remove(row.get_child())
        row.add(Gtk.Label(label=text))
        row.show_all()

    def wrap(self, at, text):
        row = self.row(at)
        row.remove(row.get_child())
        line = Gtk.Box()
        line.pack_start(Gtk.Label(label=text), False, False, 0)
        row.add(line)
        row.show_all()

    def grow(self, at, text):
        child = self.row(at).get_child()
        if isinstance(child, Gtk.Box):
            child.pack_start(Gtk.Label(label=text, visible=True), False, False, 0)
            child.reorder_child(child.get_children()[-1], 0)

    def sort(self, at, text):
        turn = 1 if at % 2 == 0 else -1
        key = lambda row: GLib.compute_checksum_for_string(GLib.ChecksumType.MD5, f"{at}{id(row)}", -1)  # noqa: E731
        self.box.set_sort_func(lambda a, b: turn * (key(a) > key(b)) - turn * (key(a) < key(b)))
        self.box.invalidate_sort()
        self.box.set_sort_func(None)

    def filter(self, at, text):
        self.box.set_filter_func(None if at % 3 == 0 else lambda row: (row.get_index() + at) % 3 != 0)

    def hide(self, at, text):
        self.row(at).hide()

    def show(self, at, text):
        self.box.show_all()

    def lock(self, at, text):
        row = self.row(at)
        row.set_sensitive(not row.get_sensitive())

    def select(self, at, text):
        self.box.select_row(self.row(at))

    def scroll(self, at, text):
        self.scroller.get_vadjustment().set_value(at * 7)

    def type(self, at, text):
        self.field.set_text(text)

    def veil(self, at, text):
        self.field.set_visibility(not self.field.get_visibility())

    def retitle(self, at, text):
        self.window.set_title(text)

    def move(self, at, text):
        self.window.move(at % 300, at % 200)

    def resize(self, at, text):
        self.window.resize(380 + at % 200, 300 + at % 200)

    def open(self, at, text):
        other = Gtk.Window(title=text)
        other.add(Gtk.Label(label=text))
        other.show_all()
        self.others.append(other)

    def close(self, at, text):
        if self.others:
            self.others.pop().destroy()


def main():
    options = arguments()
    GLib.set_prgname("gtk-list")
    window = Gtk.Window(title=options.title)
    column = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=6, margin=10)
    field = Gtk.Entry()
    box = Gtk.ListBox()
    for index in range(options.rows):
        box.add(row_of(f"Row {index + 1}"))
    scroller = Gtk.ScrolledWindow()
    scroller.add(box)
    column.pack_start(field, False, False, 0)
    column.pack_start(scroller, True, True, 0)
    window.add(column)
    window.set_default_size(380, 300)
    window.connect("destroy", Gtk.main_quit)
    window.show_all()
    changes = Changes(box, scroller, field, window)

    def told(channel, _):
        line = channel.readline()
        if not line:
            Gtk.main_quit()
            return False
        change = json.loads(line)
        getattr(changes, change["do"])(change.get("at", 0), change.get("text", ""))
        print("done", flush=True)
        return True

    GLib.io_add_watch(sys.stdin, GLib.PRIORITY_DEFAULT, GLib.IO_IN | GLib.IO_HUP, told)
    Gtk.main()


if __name__ == "__main__":
    main()
