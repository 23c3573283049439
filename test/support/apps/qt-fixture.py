#!/usr/bin/python3
"""The Qt 5 twin of gtk-fixture.py: same controls, same journal, same arguments."""
import argparse
import json
import os
import signal
import sys

from PyQt5.QtCore import QEvent, QObject, Qt, QTimer
from PyQt5.QtWidgets import (
    QApplication,
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

BUTTONS = {Qt.LeftButton: "left", Qt.MiddleButton: "middle", Qt.RightButton: "right"}


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--journal", required=True)
    parser.add_argument("--title", default="Contract fixture")
    parser.add_argument("--rows", type=int, default=0)
    parser.add_argument("--place", default="")
    parser.add_argument("--second", action="store_true")
    parser.add_argument("--secret", default="")
    parser.add_argument("--story", default="")
    return parser.parse_args()


class Journal:
    def __init__(self, path):
        self.file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

    def write(self, control, event, value=""):
        line = json.dumps({"control": control, "event": event, "value": value}) + "\n"
        os.write(self.file, line.encode())


class PointerWatch(QObject):
    def __init__(self, journal, control, parent):
        super().__init__(parent)
        self.journal, self.control = journal, control

    def eventFilter(self, _, event):
        if event.type() in (QEvent.MouseButtonPress, QEvent.MouseButtonDblClick):
            self.journal.write(self.control, "pointer", BUTTONS.get(event.button(), str(event.button())))
        return False


def button(journal, control, label, act=None):
    made = QPushButton(label)
    made.setAutoDefault(False)

    def clicked():
        journal.write(control, "pressed")
        if act is not None:
            act()

    made.clicked.connect(clicked)
    return made


def text_field(journal, control, name, text, secret=False):
    edit = QLineEdit(text)
    edit.setAccessibleName(name)
    if secret:
        edit.setEchoMode(QLineEdit.Password)
    edit.textChanged.connect(lambda value: journal.write(control, "changed", value))
    edit.returnPressed.connect(lambda: journal.write(control, "activated", edit.text()))
    return edit


def story(journal, text):
    edit = QPlainTextEdit(text)
    edit.setAccessibleName("Story")
    edit.textChanged.connect(lambda: journal.write("area", "changed", edit.toPlainText()))
    edit.verticalScrollBar().valueChanged.connect(lambda value: journal.write("area", "scrolled", str(value)))
    return edit


def ask_to_save(journal, parent):
    dialog = QDialog(parent)
    dialog.setWindowTitle("Save changes?")
    box = QVBoxLayout(dialog)
    box.addWidget(QLabel("There are unsaved changes."))
    buttons = QDialogButtonBox(QDialogButtonBox.Save | QDialogButtonBox.Cancel)
    buttons.accepted.connect(dialog.accept)
    buttons.rejected.connect(dialog.reject)
    box.addWidget(buttons)
    # exec_ answers the press that opened it only after the dialog is closed.
    journal.write("dialog", "pressed", "Save" if dialog.exec_() == QDialog.Accepted else "Cancel")


def rows(journal, count):
    made = QListWidget()
    made.setAccessibleName("Rows")
    for index in range(count):
        made.addItem(f"Row {index + 1}")

    def insert(*_):
        made.insertItem(0, "Row 0")
        journal.write("rows", "inserted", "Row 0")

    signal.signal(signal.SIGUSR1, insert)
    # Python handles a signal when it next runs.
    made.breath = QTimer()
    made.breath.timeout.connect(lambda: None)
    made.breath.start(50)
    made.itemClicked.connect(lambda item: journal.write("rows", "pressed", item.text().split()[1]))
    return made


def main_window(journal, options):
    window = QWidget()
    box = QVBoxLayout(window)
    entry = text_field(journal, "entry", "Name", "")
    toggle = QCheckBox("Remind me")
    toggle.toggled.connect(lambda on: journal.write("toggle", "toggled", str(on).lower()))
    send = button(journal, "send", "Send")
    send.installEventFilter(PointerWatch(journal, "send", send))
    locked = button(journal, "disabled", "Locked")
    locked.setEnabled(False)
    temporary = button(journal, "removed", "Temporary", lambda: temporary.deleteLater())
    line = QHBoxLayout()
    for one in (send, locked, temporary, button(journal, "ask", "Ask", lambda: ask_to_save(journal, window))):
        line.addWidget(one)
    text = open(options.story, encoding="utf-8").read() if options.story else ""
    for one in (entry, text_field(journal, "password", "Secret", options.secret, secret=True), toggle):
        box.addWidget(one)
    box.addLayout(line)
    box.addWidget(story(journal, text))
    if options.rows > 0:
        box.addWidget(rows(journal, options.rows))
    window.resize(420, 380)
    entry.setFocus()
    return window


def second_window(journal, options):
    window = QWidget()
    box = QVBoxLayout(window)
    box.addWidget(button(journal, "other", "Other"))
    window.resize(260, 160)
    return window


def main():
    options = arguments()
    application = QApplication(["qt-fixture"])
    application.setApplicationName("qt-fixture")
    window = (second_window if options.second else main_window)(Journal(options.journal), options)
    window.setWindowTitle(options.title)
    if options.place:
        x, y = options.place.split(",")
        window.move(int(x), int(y))
    window.show()
    return application.exec_()


if __name__ == "__main__":
    sys.exit(main())
