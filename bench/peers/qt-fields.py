#!/usr/bin/python3
"""The Qt 5 twin of gtk3-fields.py."""
import json
import sys

from PyQt5.QtCore import QEvent, QObject, QSocketNotifier, QTimer
from PyQt5.QtWidgets import QApplication, QLineEdit, QPlainTextEdit, QVBoxLayout, QWidget

app = QApplication(sys.argv)
window = QWidget()
window.setWindowTitle("Fields")
window.resize(420, 380)
fields = {"line": QLineEdit(), "area": QPlainTextEdit()}
box = QVBoxLayout(window)
for field in fields.values():
    box.addWidget(field)


state = {"later": None, "shown": 0}


class Clicks(QObject):
    def eventFilter(self, _, event):
        if event.type() == QEvent.MouseButtonPress and state["later"] is not None:
            later, state["later"] = state["later"], None
            QTimer.singleShot(later, show)
        return False


def show():
    state["shown"] += 1
    fields["line"].setText(str(state["shown"]))


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
    if words[0] == "later":
        state["later"] = int(words[1])
        print(flush=True)
        return
    print(json.dumps(held(words[-1])), flush=True)


notifier = QSocketNotifier(sys.stdin.fileno(), QSocketNotifier.Read)
notifier.activated.connect(asked)
clicks = Clicks()
app.installEventFilter(clicks)
window.show()
app.exec_()
