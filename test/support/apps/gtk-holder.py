#!/usr/bin/python3
"""A GTK 3 window with a button of its own and a socket, into which another process can plug itself.

usage: gtk-holder.py --journal FILE --socket FILE
The id of the socket is written to FILE. Each journal line is a JSON object {"control", "event", "value"}.
"""
import argparse
import json
import os

import gi

gi.require_version("Gtk", "3.0")
from gi.repository import Gtk  # noqa: E402

parser = argparse.ArgumentParser()
parser.add_argument("--journal", required=True)
parser.add_argument("--socket", required=True)
options = parser.parse_args()
journal = os.open(options.journal, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)


def pressed(control):
    os.write(journal, (json.dumps({"control": control, "event": "pressed", "value": ""}) + "\n").encode())


window = Gtk.Window(title="Holder")
box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
button = Gtk.Button(label="Own")
button.connect("clicked", lambda _: pressed("own"))
box.pack_start(button, False, False, 0)
socket = Gtk.Socket()
socket.set_size_request(360, 220)
socket.connect("plug-removed", lambda _: True)
box.pack_start(socket, True, True, 0)
window.add(box)
window.set_default_size(360, 300)
window.show_all()
with open(options.socket + ".part", "w") as file:
    file.write(str(socket.get_id()))
os.rename(options.socket + ".part", options.socket)
Gtk.main()
