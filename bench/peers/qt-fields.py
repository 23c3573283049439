#!/usr/bin/python3
"""The Qt 5 twin of gtk3-fields.py."""
import json
import sys

from PyQt5.QtCore import QSocketNotifier
from PyQt5.QtWidgets import QApplication, QLineEdit, QPlainTextEdit, QVBoxLayout, QWidget

app = QApplication(sys.argv)
window = QWidget()
window.setWindowTitle("Fields")
window.resize(420, 380)
fields = {"line": QLineEdit(), "area": QPlainTextEdit()}
box = QVBoxLayout(window)
for field in fields.values():
    box.addWidget(field)


def held(name):
    return fields["line"].text() if name == "line" else fields["area"].toPlainText()


def asked():
    words = sys.stdin.readline().split()
    if not words:
        app.quit()
        return
    if words[0] == "empty":
        fields[words[1]].clear()
        fields[words[1]].setFocus()
    print(json.dumps(held(words[-1])), flush=True)


notifier = QSocketNotifier(sys.stdin.fileno(), QSocketNotifier.Read)
notifier.activated.connect(asked)
window.show()
app.exec_()
