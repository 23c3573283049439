#!/usr/bin/python3
"""A GTK 3 application that writes each interaction to a journal: the judge of what reached it.

usage: gtk-fixture.py --journal FILE [--title TITLE] [--rows N] [--place X,Y] [--second] [--secret TEXT] [--story FILE]
Each journal line is a JSON object {"control", "event", "value"}. SIGUSR1 puts a row before the others.
"""
import argparse
import json
import os
import signal
import sys

import gi

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, GLib, Gtk  # noqa: E402

BUTTONS = {1: "left", 2: "middle", 3: "right"}


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--journal", required=True)
    parser.add_argument("--title", default="Contract fixture")
    parser.add_argument("--rows", type=int, default=0)
    parser.add_argument("--place", default="")
    parser.add_argument("--second", action="store_true")
    parser.add_argument("--secret", default="")
    parser.add_argument("--story", default="")
    return parser.parse_args()


class Journal:
    def __init__(self, path):
        self.file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

    def write(self, control, event, value=""):
        line = json.dumps({"control": control, "event": event, "value": value}) + "\n"
        os.write(self.file, line.encode())


def named(widget, name):
    widget.get_accessible().set_name(name)
    return widget


def button(journal, control, label, act=None):
    made = Gtk.Button(label=label)

    def clicked(_):
        journal.write(control, "pressed")
        if act is not None:
            act()

    made.connect("clicked", clicked)
    return made


def pointed(journal, widget, control):
    def pressed(_, event):
        if event.type == Gdk.EventType.BUTTON_PRESS:
            journal.write(control, "pointer", BUTTONS.get(event.button, str(event.button)))
        return False

    widget.add_events(Gdk.EventMask.BUTTON_PRESS_MASK)
    widget.connect("button-press-event", pressed)


def text_field(journal, control, name, text, secret=False):
    entry = named(Gtk.Entry(), name)
    entry.set_visibility(not secret)
    if secret:
        entry.set_input_purpose(Gtk.InputPurpose.PASSWORD)
    entry.set_text(text)
    entry.connect("changed", lambda one: journal.write(control, "changed", one.get_text()))
    entry.connect("activate", lambda one: journal.write(control, "activated", one.get_text()))
    return entry


def story(journal, text):
    view = named(Gtk.TextView(), "Story")
    view.set_wrap_mode(Gtk.WrapMode.WORD_CHAR)
    view.set_accepts_tab(True)
    buffer = view.get_buffer()
    buffer.set_text(text)
    buffer.place_cursor(buffer.get_start_iter())

    def changed(one):
        journal.write("area", "changed", one.get_text(one.get_start_iter(), one.get_end_iter(), True))

    buffer.connect("changed", changed)
    scroller = Gtk.ScrolledWindow()
    scroller.set_size_request(360, 130)
    scroller.add(view)
    scroller.get_vadjustment().connect(
        "value-changed", lambda one: journal.write("area", "scrolled", f"{one.get_value():g}")
    )
    return scroller


def ask_to_save(journal, parent):
    dialog = Gtk.Dialog(title="Save changes?", transient_for=parent, modal=True)
    dialog.add_button("Cancel", Gtk.ResponseType.CANCEL)
    dialog.add_button("Save", Gtk.ResponseType.ACCEPT)
    dialog.get_content_area().add(Gtk.Label(label="There are unsaved changes."))

    def answered(one, response):
        journal.write("dialog", "pressed", "Save" if response == Gtk.ResponseType.ACCEPT else "Cancel")
        one.destroy()

    dialog.connect("response", answered)
    dialog.show_all()


def rows(journal, count):
    box = named(Gtk.ListBox(), "Rows")
    for index in range(count):
        row = Gtk.ListBoxRow()
        row.add(Gtk.Label(label=f"Row {index + 1}", xalign=0))
        box.add(row)

    def insert():
        row = Gtk.ListBoxRow()
        row.add(Gtk.Label(label="Row 0", xalign=0))
        box.insert(row, 0)
        row.show_all()
        journal.write("rows", "inserted", "Row 0")
        return True

    GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, signal.SIGUSR1, insert)
    box.connect("row-activated", lambda _, row: journal.write("rows", "pressed", str(row.get_index() + 1)))
    scroller = Gtk.ScrolledWindow()
    scroller.set_size_request(360, 120)
    scroller.add(box)
    return scroller


def main_window(journal, options):
    window = Gtk.Window(title=options.title)
    box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=6, margin=10)
    entry = text_field(journal, "entry", "Name", "")
    toggle = Gtk.CheckButton(label="Remind me")
    toggle.connect("toggled", lambda one: journal.write("toggle", "toggled", str(one.get_active()).lower()))
    send = button(journal, "send", "Send")
    pointed(journal, send, "send")
    locked = button(journal, "disabled", "Locked")
    locked.set_sensitive(False)
    temporary = button(journal, "removed", "Temporary", lambda: temporary.destroy())
    line = Gtk.Box(spacing=6)
    dialog = button(journal, "ask", "Ask", lambda: ask_to_save(journal, window))
    for one in (send, locked, temporary, dialog):
        line.pack_start(one, False, False, 0)
    text = open(options.story, encoding="utf-8").read() if options.story else ""
    secret = text_field(journal, "password", "Secret", options.secret, secret=True)
    GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, signal.SIGUSR2, lambda: secret.set_visibility(True) or True)
    for one in (entry, secret, toggle, line):
        box.pack_start(one, False, False, 0)
    box.pack_start(story(journal, text), True, True, 0)
    if options.rows > 0:
        box.pack_start(rows(journal, options.rows), True, True, 0)
    window.add(box)
    window.set_default_size(420, 380)
    return window, entry


def second_window(journal, options):
    window = Gtk.Window(title=options.title)
    box = Gtk.Box(margin=20)
    box.pack_start(button(journal, "other", "Other"), False, False, 0)
    window.add(box)
    window.set_default_size(260, 160)
    return window, None


def main():
    options = arguments()
    GLib.set_prgname("gtk-fixture")
    journal = Journal(options.journal)
    window, focus = (second_window if options.second else main_window)(journal, options)
    window.connect("destroy", Gtk.main_quit)
    if options.place:
        x, y = options.place.split(",")
        window.move(int(x), int(y))
    window.show_all()
    if focus is not None:
        focus.grab_focus()
    Gtk.main()


if __name__ == "__main__":
    sys.exit(main())
