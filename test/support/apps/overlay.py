#!/usr/bin/python3
"""A window without a frame, laid over others. Writes down each press that reaches it.

usage: overlay.py --journal FILE --place X,Y --size W,H [--unmanaged] [--click-through]
--unmanaged: no window manager handles it (override-redirect). --click-through: it shows, but takes no input.
"""
import argparse
import json
import os
import sys

from PyQt5.QtCore import Qt
from PyQt5.QtWidgets import QApplication, QWidget


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--journal", required=True)
    parser.add_argument("--place", required=True)
    parser.add_argument("--size", required=True)
    parser.add_argument("--unmanaged", action="store_true")
    parser.add_argument("--click-through", action="store_true")
    return parser.parse_args()


class Overlay(QWidget):
    def __init__(self, options):
        through = Qt.WindowTransparentForInput if options.click_through else Qt.Widget
        unmanaged = Qt.X11BypassWindowManagerHint if options.unmanaged else Qt.Widget
        super().__init__(None, Qt.Window | Qt.FramelessWindowHint | unmanaged | through)
        self.file = os.open(options.journal, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        self.setGeometry(*map(int, options.place.split(",")), *map(int, options.size.split(",")))
        self.setStyleSheet("background: #cc2020")

    def mousePressEvent(self, _):
        os.write(self.file, (json.dumps({"control": "overlay", "event": "pressed", "value": ""}) + "\n").encode())


def main():
    application = QApplication(["overlay"])
    overlay = Overlay(arguments())
    overlay.show()
    return application.exec_()


if __name__ == "__main__":
    sys.exit(main())
