#!/usr/bin/python3
"""A GTK 3 window that only takes sizes in steps, as terminals do.

usage: gtk-steps.py TITLE
"""
import sys

import gi

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, Gtk  # noqa: E402

STEP = (11, 23)
BASE = (30, 40)


def main():
    window = Gtk.Window(title=sys.argv[1])
    window.add(Gtk.Label(label="steps"))
    hints = Gdk.Geometry()
    hints.base_width, hints.base_height = BASE
    hints.min_width, hints.min_height = BASE[0] + 5 * STEP[0], BASE[1] + 3 * STEP[1]
    hints.width_inc, hints.height_inc = STEP
    wanted = Gdk.WindowHints.BASE_SIZE | Gdk.WindowHints.MIN_SIZE | Gdk.WindowHints.RESIZE_INC
    window.set_geometry_hints(None, hints, wanted)
    window.set_default_size(BASE[0] + 20 * STEP[0], BASE[1] + 8 * STEP[1])
    window.connect("destroy", Gtk.main_quit)
    window.show_all()
    Gtk.main()


if __name__ == "__main__":
    sys.exit(main())
