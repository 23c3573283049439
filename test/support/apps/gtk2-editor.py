#!/usr/bin/python3
"""A GTK 2 window that opens and saves a text by its menus, as GIMP does its images.

usage: gtk2-editor.py FILE
Its title is the path of the file that it shows. The menu “File” holds “Open…”, “Save As…”, “Export…” and the menu “More” with “Clear”.
"""
import subprocess
import sys
import warnings

import gi

warnings.simplefilter("ignore")
gi.require_version("Gtk", "2.0")
from gi.repository import GLib, Gtk  # noqa: E402

window = Gtk.Window(title="")
text = Gtk.TextView()


def show(path):
    with open(path, encoding="utf-8") as file:
        text.get_buffer().set_text(file.read())
    window.set_title(path)


def save(path):
    buffer = text.get_buffer()
    with open(path, "w", encoding="utf-8") as file:
        file.write(buffer.get_text(buffer.get_start_iter(), buffer.get_end_iter(), False))
    window.set_title(path)


def ask(title, action, button, use):
    dialog = Gtk.FileChooserDialog(title=title, parent=window, action=action)
    dialog.add_button("Cancel", Gtk.ResponseType.CANCEL)
    dialog.add_button(button, Gtk.ResponseType.OK)
    dialog.set_default_response(Gtk.ResponseType.OK)
    if dialog.run() == Gtk.ResponseType.OK:
        path = dialog.get_filename()
        dialog.destroy()
        use(path)
    else:
        dialog.destroy()


def export(_):
    """Another process asks how while the file dialog stays open, as a plug-in of GIMP does."""
    dialog = Gtk.FileChooserDialog(title="Export File", parent=window, action=Gtk.FileChooserAction.SAVE)
    dialog.add_button("Cancel", Gtk.ResponseType.CANCEL)
    dialog.add_button("Export", Gtk.ResponseType.OK)
    dialog.set_default_response(Gtk.ResponseType.OK)
    dialog.connect("response", ask_how)
    dialog.show()


def ask_how(dialog, response):
    if response != Gtk.ResponseType.OK:
        return dialog.destroy()
    dialog.set_sensitive(False)
    plug_in = subprocess.Popen([sys.executable, __file__, "--options"])

    def answered(_, status):
        if status == 0:
            save(dialog.get_filename())
        dialog.destroy()

    GLib.child_watch_add(GLib.PRIORITY_DEFAULT, plug_in.pid, answered)


def options():
    dialog = Gtk.Dialog(title="Export as Text")
    dialog.add_button("Cancel", Gtk.ResponseType.CANCEL)
    dialog.add_button("Export", Gtk.ResponseType.OK)
    sys.exit(0 if dialog.run() == Gtk.ResponseType.OK else 1)


if sys.argv[1] == "--options":
    options()


def item(label, act):
    made = Gtk.MenuItem(label=label)
    made.connect("activate", act)
    return made


def menu(label, *items):
    made, inside = Gtk.MenuItem(label=label), Gtk.Menu()
    for one in items:
        inside.append(one)
    made.set_submenu(inside)
    return made


bar = Gtk.MenuBar()
bar.append(
    menu(
        "File",
        item("Open…", lambda _: ask("Open File", Gtk.FileChooserAction.OPEN, "Open", show)),
        item("Save As…", lambda _: ask("Save File", Gtk.FileChooserAction.SAVE, "Save", save)),
        item("Export…", export),
        menu("More", item("Clear", lambda _: text.get_buffer().set_text(""))),
    )
)
box = Gtk.VBox()
box.pack_start(bar, False, False, 0)
box.pack_start(text, True, True, 0)
window.add(box)
window.set_default_size(500, 300)
window.connect("destroy", Gtk.main_quit)
show(sys.argv[1])
window.show_all()
Gtk.main()
