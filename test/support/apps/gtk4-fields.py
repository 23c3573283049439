#!/usr/bin/python3
"""A GTK 4 window with lists of which only a part shows, an expander, and a popover with a field in it.

usage: gtk4-fields.py --journal FILE
Each journal line is a JSON object {"control", "event", "value"}.
"""
import json
import sys

import gi

gi.require_version("Gtk", "4.0")
from gi.repository import Gio, Gtk  # noqa: E402

journal = open(sys.argv[sys.argv.index("--journal") + 1], "a", buffering=1, encoding="utf-8")
ROWS = [f"Line {number}" for number in range(1, 101)]


def write(control, event, value=""):
    journal.write(json.dumps({"control": control, "event": event, "value": value}) + "\n")


def named(widget, name):
    widget.update_property([Gtk.AccessibleProperty.LABEL], [name])
    return widget


def scrolled(child, height):
    return Gtk.ScrolledWindow(child=child, height_request=height, propagate_natural_height=False, vexpand=False)


def boxes():
    """Labels that take a click, higher than what scrolls shows of them."""
    box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    for name in ("Over", "Under"):
        label = Gtk.Label(label=f"{name} the edge", height_request=90)
        click = Gtk.GestureClick()
        click.connect("pressed", lambda *_, name=name: write(name.lower(), "pressed", "clicked"))
        label.add_controller(click)
        box.append(label)
    return scrolled(box, 120)


def rows():
    """Rows made at once, as long as the list is."""
    made = Gtk.ListBox()
    for number in range(1, 41):
        made.append(Gtk.Label(label=f"Row {number}", xalign=0, height_request=34))
    made.connect("row-selected", lambda _, row: write("rows", "selected", row.get_child().get_text() if row else ""))
    return scrolled(made, 120)


def factory(kind="{}"):
    made = Gtk.SignalListItemFactory()
    made.connect("setup", lambda _, item: item.set_child(Gtk.Label(xalign=0)))
    made.connect("bind", lambda _, item: item.get_child().set_label(kind.format(item.get_item().get_string())))
    return made


def model(control):
    made = Gtk.SingleSelection(model=Gtk.StringList.new(ROWS), autoselect=False, can_unselect=True)
    made.connect("notify::selected-item", lambda one, _: write(control, "selected", one.get_selected_item().get_string() if one.get_selected_item() else ""))  # fmt: skip
    return made


def list_view():
    return scrolled(Gtk.ListView(model=model("list"), factory=factory()), 120)


def column_view():
    view = Gtk.ColumnView(model=model("columns"))
    for title in ("Name", "Size"):
        view.append_column(Gtk.ColumnViewColumn(title=title, factory=factory(f"{title} of {{}}")))
    return scrolled(view, 120)


def expander():
    made = Gtk.Expander(label="Details", child=Gtk.Label(label="What is inside"))
    made.connect("notify::expanded", lambda one, _: write("details", "expanded", str(one.get_expanded()).lower()))
    return made


def popover():
    field = named(Gtk.Entry(), "Nickname")
    field.connect("changed", lambda one: write("nickname", "changed", one.get_text()))
    return Gtk.MenuButton(label="Rename", popover=Gtk.Popover(child=field), halign=Gtk.Align.START)


def start(app):
    box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=8)
    for part in (expander(), popover(), boxes(), rows(), list_view(), column_view()):
        box.append(part)
    Gtk.ApplicationWindow(application=app, title="Fields", default_width=420, default_height=640, child=box).present()


application = Gtk.Application(application_id="dev.example.Fields", flags=Gio.ApplicationFlags.NON_UNIQUE)
application.connect("activate", start)
application.run([])
