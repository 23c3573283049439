#!/usr/bin/python3
"""A window whose accessible objects are made up: beside a button it names any object of the bus as a child of its own.

usage: gtk-claims.py --title TITLE --child BUS/PATH
Without --child it is a button of a process that it starts itself.
"""
import os
import subprocess
import sys

os.environ["NO_AT_BRIDGE"] = "1"
import gi  # noqa: E402

gi.require_version("Gtk", "3.0")
from gi.repository import Gio, GLib, Gtk  # noqa: E402


def option(name):
    return sys.argv[sys.argv.index(name) + 1]


PART = "--part" in sys.argv
TITLE = "" if PART else option("--title")
NULL = ("", "/org/a11y/atspi/null")
BASE = "/org/a11y/atspi/accessible/"
APPLICATION, FRAME, COMBO, BUTTON = 75, 23, 11, 43
SHOWN = sum(1 << state for state in (8, 24, 25, 30))
XML = """<node>
<interface name="org.a11y.atspi.Accessible">
<method name="GetRole"><arg direction="out" type="u"/></method>
<method name="GetState"><arg direction="out" type="au"/></method>
<method name="GetInterfaces"><arg direction="out" type="as"/></method>
<method name="GetChildren"><arg direction="out" type="a(so)"/></method>
<method name="GetIndexInParent"><arg direction="out" type="i"/></method>
<method name="GetAttributes"><arg direction="out" type="a{ss}"/></method>
<method name="GetRelationSet"><arg direction="out" type="a(ua(so))"/></method>
<property name="Name" type="s" access="read"/><property name="Description" type="s" access="read"/>
<property name="Parent" type="(so)" access="read"/><property name="ChildCount" type="i" access="read"/>
<property name="AccessibleId" type="s" access="read"/>
</interface>
<interface name="org.a11y.atspi.Component">
<method name="GetExtents"><arg direction="in" type="u"/><arg direction="out" type="(iiii)"/></method>
</interface>
<interface name="org.a11y.atspi.Application">
<property name="ToolkitName" type="s" access="read"/><property name="Version" type="s" access="read"/>
<property name="Id" type="i" access="readwrite"/>
</interface>
</node>"""

session = Gio.bus_get_sync(Gio.BusType.SESSION)
reply = session.call_sync("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress", None, None, 0, -1, None)
flags = Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION
bus = Gio.DBusConnection.new_for_address_sync(reply.unpack()[0], flags, None, None)
me = bus.get_unique_name()


def own(name):
    return (me, BASE + name)


def claimed():
    if "--child" in sys.argv:
        name, slash, rest = option("--child").partition("/")
        return (name, slash + rest)
    part = subprocess.Popen([sys.executable, sys.argv[0], "--part"], stdout=subprocess.PIPE, text=True)
    return (part.stdout.readline().strip(), BASE + "button")


# Name, role, parent, children.
CHILD = NULL if PART else claimed()
OBJECTS = {
    "root": (TITLE, APPLICATION, NULL, [own("window")]),
    "window": (TITLE, FRAME, own("root"), [own("button"), own("combo"), CHILD]),
    "button": ("Of the part" if PART else "Harmless", BUTTON, own("window"), []),
    "combo": ("Choice", COMBO, own("window"), [CHILD]),
}


def place():
    if PART:
        return (0, 0, 100, 30)
    x, y = window.get_window().get_origin()[1:]
    return (x, y, *window.get_size())


def answer(_bus, _sender, path, _interface, method, _given, invocation):
    _name, role, _parent, children = OBJECTS[path.removeprefix(BASE)]
    replies = {
        "GetRole": ("(u)", lambda: role),
        "GetState": ("(au)", lambda: [SHOWN, 0]),
        "GetInterfaces": ("(as)", lambda: ["org.a11y.atspi.Accessible", "org.a11y.atspi.Component"]),
        "GetChildren": ("(a(so))", lambda: children),
        "GetIndexInParent": ("(i)", lambda: {"combo": 1}.get(path.removeprefix(BASE), 0)),
        "GetAttributes": ("(a{ss})", lambda: {}),
        "GetRelationSet": ("(a(ua(so)))", lambda: []),
        "GetExtents": ("((iiii))", place),
    }
    signature, value = replies[method]
    invocation.return_value(GLib.Variant(signature, (value(),)))


def read(_bus, _sender, path, _interface, name):
    title, _role, parent, children = OBJECTS[path.removeprefix(BASE)]
    values = {
        "Name": ("s", title),
        "Parent": ("(so)", parent),
        "ChildCount": ("i", len(children)),
        "ToolkitName": ("s", "made up"),
        "Version": ("s", "1.0"),
        "Id": ("i", 0),
    }
    return GLib.Variant(*values.get(name, ("s", "")))


for name in OBJECTS:
    for interface in Gio.DBusNodeInfo.new_for_xml(XML).interfaces:
        bus.register_object(BASE + name, interface, answer, read, lambda *_: True)
if PART:
    print(me, flush=True)
    GLib.MainLoop().run()
window = Gtk.Window(title=TITLE)
window.set_default_size(300, 200)
embed = ("org.a11y.atspi.Registry", BASE + "root", "org.a11y.atspi.Socket", "Embed")
window.connect("destroy", Gtk.main_quit)
window.show_all()
bus.call(*embed, GLib.Variant("((so))", (own("root"),)), None, 0, -1, None, None)
Gtk.main()
