"""A window with one button. Every line of the log is written by the button's own signal, not by whoever presses it."""
import sys

import gi

gi.require_version("Gtk", "3.0")
from gi.repository import GLib

GLib.set_prgname("chaperone-demo")
GLib.set_application_name("Chaperone demo")
from gi.repository import Gtk


def note(what):
    with open(sys.argv[1], "a", encoding="utf-8") as log:
        log.write(what + "\n")


def greet(_button):
    label.set_text("Hello, and thank you for asking first.")
    button.set_label("Greet again")
    note("greeted")


window = Gtk.Window(title="Chaperone demo")
window.set_default_size(420, 160)
window.connect("destroy", Gtk.main_quit)
label = Gtk.Label(label="Nobody has pressed the button yet.")
button = Gtk.Button(label="Greet")
button.connect("clicked", greet)
box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=12, margin=24)
box.pack_start(label, True, True, 0)
box.pack_start(button, False, False, 0)
window.add(box)
window.connect("map-event", lambda *_: note("shown"))
window.show_all()
Gtk.main()
