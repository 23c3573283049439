#!/usr/bin/python3
"""A window that nobody sees and that takes the presses on it. Writes down when it is there, and each press.

usage: input-only.py --journal FILE --place X,Y --size W,H
"""
import argparse
import json
import os
import sys

import gi

gi.require_version("Gdk", "3.0")
from gi.repository import Gdk, GLib


def main():
    parser = argparse.ArgumentParser()
    for name in ("--journal", "--place", "--size"):
        parser.add_argument(name, required=True)
    options = parser.parse_args()
    file = os.open(options.journal, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

    def journal(event):
        os.write(file, (json.dumps({"control": "input-only", "event": event, "value": ""}) + "\n").encode())

    Gdk.init([])
    attributes = Gdk.WindowAttr()
    attributes.window_type = Gdk.WindowType.TEMP
    attributes.wclass = Gdk.WindowWindowClass.INPUT_ONLY
    attributes.x, attributes.y = map(int, options.place.split(","))
    attributes.width, attributes.height = map(int, options.size.split(","))
    attributes.event_mask = Gdk.EventMask.BUTTON_PRESS_MASK
    attributes.override_redirect = True
    wanted = Gdk.WindowAttributesType.X | Gdk.WindowAttributesType.Y | Gdk.WindowAttributesType.NOREDIR
    window = Gdk.Window.new(None, attributes, wanted)
    Gdk.event_handler_set(lambda event: journal("pressed") if event.type == Gdk.EventType.BUTTON_PRESS else None)
    window.show()
    window.raise_()
    Gdk.Display.get_default().sync()
    journal("shown")
    GLib.MainLoop().run()


if __name__ == "__main__":
    sys.exit(main())
