#!/usr/bin/python3
"""The Qt 5 twin of gtk-menus.py.

usage: qt-menus.py --journal FILE
"""
import json
import signal
import sys

from PyQt5.QtCore import QTimer
from PyQt5.QtWidgets import QApplication, QMenu, QPushButton, QVBoxLayout, QWidget

journal = open(sys.argv[sys.argv.index("--journal") + 1], "a", buffering=1, encoding="utf-8")


def write(control, event, value):
    journal.write(json.dumps({"control": control, "event": event, "value": value}) + "\n")


def menu_of(name, labels):
    menu = QMenu(window)
    for label in labels:
        menu.addAction(label).triggered.connect(lambda _, label=label: write(name, "chosen", label))
    menu.aboutToShow.connect(lambda: write(name, "shown", ""))
    return menu


app = QApplication(sys.argv[:1])
window = QWidget()
window.setWindowTitle("Menus")
window.resize(400, 300)
ITEMS = ("Keep a copy", "Delete note", "Send to Bob")
first = menu_of("first", ITEMS)
other = menu_of("other", ("Send to all of them", "Keep a copy", "Delete note"))
twin = menu_of("twin", ITEMS)
button = QPushButton("More")
box = QVBoxLayout(window)
box.addWidget(button)
box.addStretch()


def show(menu):
    menu.popup(button.mapToGlobal(button.rect().bottomLeft()))


def replace(menu):
    first.hide()
    show(menu)


button.clicked.connect(lambda: show(first))
signal.signal(signal.SIGUSR1, lambda *_: replace(other))
signal.signal(signal.SIGUSR2, lambda *_: replace(twin))
# Python handles a signal when it next runs.
breath = QTimer()
breath.timeout.connect(lambda: None)
breath.start(50)
window.show()
app.exec_()
