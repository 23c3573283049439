#!/usr/bin/python3
"""A window that does nothing but write down every event that reaches it: the judge of what was really sent.

usage: raw-events.py --journal FILE [--title TITLE] [--place X,Y] [--size W,H] [--drops]
Each journal line is a JSON object with "event" and what belongs to it: x and y (global), button, modifiers, key, text,
direction, uris. `double` and `triple` come after the press that makes them so.
"""
import argparse
import json
import os
import sys

import gi

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, GLib, Gtk  # noqa: E402

M = Gdk.ModifierType
MODIFIERS = [("shift", M.SHIFT_MASK), ("ctrl", M.CONTROL_MASK), ("alt", M.MOD1_MASK), ("cmd", M.MOD4_MASK)]
BUTTONS = [(1, M.BUTTON1_MASK), (2, M.BUTTON2_MASK), (3, M.BUTTON3_MASK)]
PRESSES = {
    Gdk.EventType.BUTTON_PRESS: "press",
    Gdk.EventType._2BUTTON_PRESS: "double",
    Gdk.EventType._3BUTTON_PRESS: "triple",
}


class Journal:
    def __init__(self, path):
        self.file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        self.came = lambda: None

    def write(self, event, **more):
        if event not in ("motion", "focus", "blur"):
            self.came()
        os.write(self.file, (json.dumps({"event": event, **more}) + "\n").encode())


def where(event):
    return {"x": round(event.x_root), "y": round(event.y_root)}


def modifiers(event):
    return {"modifiers": [name for name, mask in MODIFIERS if event.state & mask]}


def show_count(area):
    """Another colour after each event but motion, so that a picture tells as well that something came."""
    colours = [Gdk.RGBA(0.9, 0.9, 0.9, 1), Gdk.RGBA(0.6, 0.8, 0.9, 1), Gdk.RGBA(0.9, 0.7, 0.5, 1), Gdk.RGBA(0.6, 0.9, 0.6, 1)]
    told = {"count": 0}

    def came():
        told["count"] += 1
        area.override_background_color(Gtk.StateFlags.NORMAL, colours[told["count"] % len(colours)])

    return came


def watch_pointer(journal, area):
    def pressed(_, event):
        journal.write(PRESSES.get(event.type, "press"), button=event.button, **where(event), **modifiers(event))
        return True

    def released(_, event):
        journal.write("release", button=event.button, **where(event), **modifiers(event))
        return True

    def moved(_, event):
        held = [number for number, mask in BUTTONS if event.state & mask]
        journal.write("motion", held=held, **where(event), **modifiers(event))
        return True

    def scrolled(_, event):
        journal.write("scroll", direction=event.direction.value_nick, **where(event), **modifiers(event))
        return True

    kinds = Gdk.EventMask
    area.add_events(
        kinds.BUTTON_PRESS_MASK | kinds.BUTTON_RELEASE_MASK | kinds.POINTER_MOTION_MASK | kinds.SCROLL_MASK
    )
    area.connect("button-press-event", pressed)
    area.connect("button-release-event", released)
    area.connect("motion-notify-event", moved)
    area.connect("scroll-event", scrolled)


def watch_keys(journal, window):
    def key(kind):
        def told(_, event):
            code = Gdk.keyval_to_unicode(event.keyval)
            text = chr(code) if code else ""
            journal.write(kind, key=Gdk.keyval_name(event.keyval), text=text, **modifiers(event))
            return True

        return told

    window.connect("key-press-event", key("keydown"))
    window.connect("key-release-event", key("keyup"))
    window.connect("focus-in-event", lambda *_: journal.write("focus"))
    window.connect("focus-out-event", lambda *_: journal.write("blur"))


def watch_drops(journal, area):
    area.drag_dest_set(Gtk.DestDefaults.ALL, [], Gdk.DragAction.COPY)
    area.drag_dest_add_uri_targets()

    def received(_area, _context, x, y, data, _info, _time):
        journal.write("drop", uris=list(data.get_uris()), x=x, y=y)

    area.connect("drag-data-received", received)
    area.connect("drag-leave", lambda *_: journal.write("dragleave"))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--journal", required=True)
    parser.add_argument("--title", default="Raw events")
    parser.add_argument("--place", default="60,60")
    parser.add_argument("--size", default="400,300")
    parser.add_argument("--drops", action="store_true")
    options = parser.parse_args()
    GLib.set_prgname("raw-events")
    journal = Journal(options.journal)
    window = Gtk.Window(title=options.title)
    area = Gtk.EventBox()
    area.get_accessible().set_name("Area")
    width, height = options.size.split(",")
    area.set_size_request(int(width), int(height))
    x, y = options.place.split(",")
    window.move(int(x), int(y))
    journal.came = show_count(area)
    watch_pointer(journal, area)
    watch_keys(journal, window)
    if options.drops:
        watch_drops(journal, area)
    window.add(area)
    window.connect("destroy", Gtk.main_quit)
    window.show_all()
    # Every move is an event of its own: this application is a witness.
    for one in (window, area):
        one.get_window().set_event_compression(False)
    Gtk.main()


if __name__ == "__main__":
    sys.exit(main())
