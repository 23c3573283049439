#!/usr/bin/python3
"""A GTK 3 window whose password field, drawn in magenta, comes and goes.

Each line on stdin is a step: add, move, remove, tab, back. When the step has been drawn, it is printed.
"""
import sys

import gi

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, GLib, Gtk  # noqa: E402

STYLE = b"entry { background: #ff00ff; color: #ff00ff; border: none; border-radius: 0; box-shadow: none; }"
provider = Gtk.CssProvider()
provider.load_from_data(STYLE)
Gtk.StyleContext.add_provider_for_screen(Gdk.Screen.get_default(), provider, Gtk.STYLE_PROVIDER_PRIORITY_USER)


def password():
    entry = Gtk.Entry(text="magenta")
    entry.set_visibility(False)
    entry.set_can_focus(False)
    entry.show()
    return entry


window = Gtk.Window(title="Password steps")
book = Gtk.Notebook()
plain = Gtk.Fixed()
grid = Gtk.Grid()
grid.attach(password(), 0, 0, 1, 1)
book.append_page(plain, Gtk.Label(label="Plain"))
book.append_page(grid, Gtk.Label(label="Secret"))
window.add(book)
window.set_default_size(500, 300)
window.connect("destroy", Gtk.main_quit)
added = []

STEPS = {
    "add": lambda: (added.append(password()), plain.put(added[0], 20, 20)),
    "move": lambda: plain.move(added[0], 220, 160),
    "remove": lambda: added.pop().destroy(),
    "tab": lambda: book.set_current_page(1),
    "back": lambda: book.set_current_page(0),
}


def drawn(step):
    clock = window.get_frame_clock()

    def painted(_):
        clock.disconnect(handler)
        window.get_display().sync()
        print(step, flush=True)

    handler = clock.connect("after-paint", painted)
    window.queue_draw()


def read(*_):
    step = sys.stdin.readline().strip()
    if step == "":
        Gtk.main_quit()
        return False
    STEPS[step]()
    drawn(step)
    return True


window.show_all()
GLib.io_add_watch(sys.stdin.fileno(), GLib.IO_IN, read)
Gtk.main()
