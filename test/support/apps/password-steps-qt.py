#!/usr/bin/python3
"""The Qt 5 twin of password-steps-gtk.py."""
import sys

from PyQt5.QtCore import QSocketNotifier, Qt
from PyQt5.QtWidgets import QApplication, QLineEdit, QTabWidget, QWidget


def password(parent, x, y):
    field = QLineEdit("magenta", parent)
    field.setEchoMode(QLineEdit.Password)
    field.setFocusPolicy(Qt.NoFocus)
    field.setStyleSheet("background: #ff00ff; color: #ff00ff; border: 0")
    field.setGeometry(x, y, 160, 30)
    field.show()
    return field


app = QApplication(sys.argv[:1])
book = QTabWidget()
book.setWindowTitle("Password steps")
plain, secret = QWidget(), QWidget()
password(secret, 40, 80)
book.addTab(plain, "Plain")
book.addTab(secret, "Secret")
book.resize(500, 300)
book.show()
added = []


def remove():
    field = added.pop()
    field.hide()
    field.setParent(None)
    field.deleteLater()


STEPS = {
    "add": lambda: added.append(password(plain, 20, 20)),
    "move": lambda: added[0].move(220, 160),
    "remove": remove,
    "tab": lambda: book.setCurrentIndex(1),
    "back": lambda: book.setCurrentIndex(0),
}


def read():
    step = sys.stdin.readline().strip()
    if step == "":
        app.quit()
        return
    STEPS[step]()
    book.repaint()
    app.processEvents()
    app.primaryScreen().grabWindow(book.winId(), 0, 0, 1, 1)
    print(step, flush=True)


notifier = QSocketNotifier(sys.stdin.fileno(), QSocketNotifier.Read)
notifier.activated.connect(read)
sys.exit(app.exec_())
