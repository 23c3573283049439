#!/usr/bin/python3
"""A GTK 3 window with a letter and a bill, that writes what was done to a journal.

usage: gtk-mail.py --journal FILE
Each journal line is a JSON object {"control", "event", "value"}. SIGUSR1 changes the recipient, SIGUSR2 the amount.
"""
import json
import signal
import sys

import gi

gi.require_version("Gtk", "3.0")
from gi.repository import GLib, Gtk  # noqa: E402

journal = open(sys.argv[sys.argv.index("--journal") + 1], "a", buffering=1, encoding="utf-8")


def write(control, value=""):
    journal.write(json.dumps({"control": control, "event": "pressed", "value": value}) + "\n")


def named(widget, name):
    widget.get_accessible().set_name(name)
    return widget


def button(label, control, value):
    made = Gtk.Button(label=label)
    made.connect("clicked", lambda _: write(control, value()))
    return made


def changed(work):
    work()
    return True


GLib.set_prgname("gtk-mail")
window = Gtk.Window(title="Letter")
recipient = named(Gtk.Entry(text="bob@example.org"), "To")
recipient.connect("activate", lambda one: write("send", one.get_text()))
message = named(Gtk.TextView(), "Message")
message.get_buffer().set_text("Hello Bob")
message.set_size_request(300, 80)
total = Gtk.Label(label="Total: 49.90 €")
icon = named(Gtk.Button(), "Delete letter")
icon.set_image(Gtk.Image.new_from_icon_name("edit-delete", Gtk.IconSize.BUTTON))
icon.connect("clicked", lambda _: write("delete"))
box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=6, margin=10)
for one in (
    recipient,
    message,
    button("Send", "send", recipient.get_text),
    total,
    button("Pay", "pay", total.get_text),
    button("Later", "later", lambda: ""),
    icon,
):
    box.pack_start(one, False, False, 0)
window.add(box)
window.connect("destroy", Gtk.main_quit)
window.move(60, 60)
GLib.unix_signal_add(
    GLib.PRIORITY_DEFAULT, signal.SIGUSR1, lambda: changed(lambda: recipient.set_text("eve@example.org"))
)
GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, signal.SIGUSR2, lambda: changed(lambda: total.set_text("Total: 499.00 €")))
window.show_all()
Gtk.main()
