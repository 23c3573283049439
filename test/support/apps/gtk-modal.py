#!/usr/bin/python3
"""A GTK 3 window whose handlers run a dialog before they return. Each dialog can open another one.

usage: gtk-modal.py --journal FILE
"""
import json
import sys

import gi

gi.require_version("Gtk", "3.0")
from gi.repository import Gtk  # noqa: E402


def main():
    journal = open(sys.argv[2], "a", buffering=1)

    def note(control, event, value=""):
        journal.write(json.dumps({"control": control, "event": event, "value": value}) + "\n")

    window = Gtk.Window(title="Modal")
    box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    window.add(box)

    def ask(level, parent):
        dialog = Gtk.Dialog(title="Ask %d" % level, transient_for=parent, modal=True)
        dialog.add_button("Close %d" % level, Gtk.ResponseType.CLOSE)
        more = Gtk.Button(label="Ask %d" % (level + 1))
        more.connect("clicked", lambda *_: ask(level + 1, dialog))
        field = Gtk.Entry()
        field.connect("changed", lambda entry: note("field %d" % level, "changed", entry.get_text()))
        for one in (more, field):
            dialog.get_content_area().add(one)
        dialog.show_all()
        note("dialog %d" % level, "opened")
        dialog.run()
        note("dialog %d" % level, "closed")
        dialog.destroy()

    button = Gtk.Button(label="Ask 1")
    button.connect("clicked", lambda *_: ask(1, window))
    choice = Gtk.ComboBoxText()
    for name in ("none", "asks"):
        choice.append_text(name)
    choice.set_active(0)
    choice.connect("changed", lambda combo: combo.get_active() == 1 and ask(1, window))
    for one in (button, choice):
        box.add(one)
    window.connect("destroy", Gtk.main_quit)
    window.show_all()
    Gtk.main()


if __name__ == "__main__":
    sys.exit(main())
