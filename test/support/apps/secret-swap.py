#!/usr/bin/python3
"""A login in GTK 3 or Qt 5 (first argument) with the password of the second. On SIGUSR2 a plain field takes the place of the password's."""
import os
import signal
import sys

kit, secret = sys.argv[1:3]
LABEL = "Password"

if kit == "gtk":
    import gi

    gi.require_version("Gtk", "3.0")
    from gi.repository import GLib, Gtk

    window = Gtk.Window(title="Swap")
    grid = Gtk.Grid(column_spacing=12, row_spacing=12, margin=24)
    user = Gtk.Entry(text="ada")
    grid.attach(Gtk.Label(label="User"), 0, 0, 1, 1)
    grid.attach(user, 1, 0, 1, 1)
    grid.attach(Gtk.Label(label=LABEL), 0, 1, 1, 1)
    field = Gtk.Entry(text=secret)
    field.set_visibility(False)
    field.get_accessible().set_name(LABEL)
    grid.attach(field, 1, 1, 1, 1)
    window.add(grid)
    window.set_default_size(420, 220)
    window.connect("destroy", Gtk.main_quit)
    window.show_all()

    def swap():
        global field
        field.destroy()
        field = Gtk.Entry(text=secret)
        field.get_accessible().set_name(LABEL)
        grid.attach(field, 1, 1, 1, 1)
        field.show()
        return True

    GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, signal.SIGUSR2, swap)
    Gtk.main()
else:
    from PyQt5.QtCore import QSocketNotifier
    from PyQt5.QtWidgets import QApplication, QFormLayout, QLineEdit, QWidget

    app = QApplication(sys.argv[:1])
    window = QWidget()
    window.setWindowTitle("Swap")
    form = QFormLayout(window)
    form.addRow("User", QLineEdit("ada"))
    field = QLineEdit(secret)
    field.setEchoMode(QLineEdit.Password)
    form.addRow(LABEL, field)
    window.resize(420, 220)
    window.show()
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    signal.signal(signal.SIGUSR2, lambda *_: None)
    signal.set_wakeup_fd(writer)

    def swap():
        os.read(reader, 1)
        form.removeRow(1)
        form.addRow(LABEL, QLineEdit(secret))

    notifier = QSocketNotifier(reader, QSocketNotifier.Read)
    notifier.activated.connect(swap)
    app.exec_()
