#!/usr/bin/python3
"""A GTK 3 window with a line and an area. For each line it reads (`empty line`, `empty area`, `line`, `area`) it answers with what
that field holds, as JSON; an emptied field has the focus. After `later MS` the line shows a number so long after the next click."""
import json
import sys

import gi

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, GLib, Gtk  # noqa: E402

window = Gtk.Window(title="Fields", default_width=420, default_height=380)
line, area = Gtk.Entry(), Gtk.TextView(wrap_mode=Gtk.WrapMode.WORD_CHAR)
scroller = Gtk.ScrolledWindow(expand=True)
scroller.add(area)
box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
box.add(line)
box.add(scroller)
window.add(box)
buffers = {"line": line.get_buffer(), "area": area.get_buffer()}


state = {"later": None, "shown": 0}


def clicked(*_):
    later, state["later"] = state["later"], None
    if later is not None:
        GLib.timeout_add(later, show)
    return False


def show():
    state["shown"] += 1
    line.set_text(str(state["shown"]))
    return False


def held(name):
    if name == "line":
        return line.get_text()
    return buffers["area"].get_property("text")


def asked(source, _):
    words = source.readline().split()
    if not words:
        Gtk.main_quit()
        return False
    if words[0] == "empty":
        buffers[words[1]].set_text("", 0)
        {"line": line, "area": area}[words[1]].grab_focus()
    if words[0] == "later":
        state["later"] = int(words[1])
        print(flush=True)
        return True
    print(json.dumps(held(words[-1])), flush=True)
    return True


GLib.io_add_watch(sys.stdin, GLib.PRIORITY_DEFAULT, GLib.IOCondition.IN | GLib.IOCondition.HUP, asked)
window.connect("event", lambda _, event: clicked() if event.get_event_type() == Gdk.EventType.BUTTON_PRESS else False)
area.connect("button-press-event", clicked)
window.show_all()
Gtk.main()
