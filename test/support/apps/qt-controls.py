#!/usr/bin/python3
"""The Qt 5 twin of gtk-controls.py: same controls, same journal, same arguments."""
import argparse
import json
import os
import sys

from PyQt5.QtCore import QDateTime, Qt, QTimer
from PyQt5.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QDateTimeEdit,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QPushButton,
    QSlider,
    QSpinBox,
    QTabWidget,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)


class Journal:
    def __init__(self, path):
        self.file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

    def write(self, control, event, value=""):
        os.write(self.file, (json.dumps({"control": control, "event": event, "value": value}) + "\n").encode())


def named(widget, name):
    widget.setAccessibleName(name)
    return widget


def button(journal, label, act=None):
    made = QPushButton(label)

    def clicked():
        journal.write(label.lower(), "pressed")
        if act is not None:
            act()

    made.clicked.connect(clicked)
    return made


def fruits(journal):
    made = named(QListWidget(), "Fruits")
    made.addItems(["Apple", "Banana", "Cherry"])
    made.setMaximumHeight(90)
    made.itemSelectionChanged.connect(
        lambda: journal.write("fruits", "selected", "".join(item.text() for item in made.selectedItems()))
    )
    return made


def animals(journal):
    made = named(QTreeWidget(), "Kinds")
    made.setHeaderLabels(["Kind"])
    made.setMaximumHeight(90)
    top = QTreeWidgetItem(["Animals"])
    top.addChildren([QTreeWidgetItem(["Cat"]), QTreeWidgetItem(["Dog"])])
    made.addTopLevelItem(top)
    made.itemClicked.connect(lambda item, _: journal.write("animals", "clicked", item.text(0)))
    made.itemExpanded.connect(lambda _: journal.write("animals", "expanded", "true"))
    made.itemCollapsed.connect(lambda _: journal.write("animals", "expanded", "false"))
    return made


def colours(journal):
    combo = named(QComboBox(), "Colour")
    combo.addItems(["Red", "Green", "Blue"])
    combo.currentTextChanged.connect(lambda text: journal.write("colour", "changed", text))
    return combo


def numbers(journal):
    volume, count = named(QSlider(Qt.Horizontal), "Volume"), named(QSpinBox(), "Count")
    volume.setRange(0, 100)
    count.setRange(0, 10)
    volume.valueChanged.connect(lambda value: journal.write("volume", "changed", str(value)))
    count.valueChanged.connect(lambda value: journal.write("count", "changed", str(value)))
    return volume, count


def dates(journal):
    def made(name, form, told):
        edit = named(QDateTimeEdit(QDateTime(2020, 1, 31, 1, 2)), name)
        edit.setDisplayFormat(form)
        edit.setMinimumDateTime(QDateTime(2000, 1, 1, 0, 0))
        edit.dateTimeChanged.connect(lambda value: journal.write(name.lower(), "changed", value.toString(told)))
        return edit

    return (
        made("Day", "d MMM yyyy", "yyyy-MM-dd"),
        made("Clock", "hh:mm AP", "HH:mm"),
        made("Start", "dd.MM.yyyy HH:mm:ss", "yyyy-MM-ddTHH:mm:ss"),
    )


def rebuilt(journal):
    box = QWidget()
    line = QHBoxLayout(box)

    def build():
        while line.count() > 0:
            line.takeAt(0).widget().deleteLater()
        for label in ("Alpha", "Beta"):
            line.addWidget(button(journal, label))

    build()
    return box, build


def status(journal):
    label, late = QLabel("Status 0"), QLabel("Ready at last")
    late.hide()
    go = button(journal, "Go")
    go.setEnabled(False)
    times = {"count": 0}

    def up():
        times["count"] += 1
        label.setText(f"Status {times['count']}")

    def ready():
        late.show()
        go.setEnabled(True)
        up()

    return label, go, late, button(journal, "Up", up), button(journal, "Later", lambda: QTimer.singleShot(300, ready))


def toggles(journal):
    agree, name = QCheckBox("Agree"), named(QLineEdit(), "Name")
    agree.toggled.connect(lambda on: journal.write("agree", "toggled", str(on).lower()))
    name.textChanged.connect(lambda text: journal.write("name", "changed", text))
    return agree, name


def tabs(journal):
    book = QTabWidget()
    for title in ("First", "Second"):
        book.addTab(QLabel(f"{title} page"), title)
    book.currentChanged.connect(lambda number: journal.write("tabs", "selected", str(number)))
    return book


def lines(window, *parts):
    box = QVBoxLayout(window)
    for part in parts:
        line = QHBoxLayout()
        for widget in part if isinstance(part, tuple) else (part,):
            line.addWidget(widget)
        box.addLayout(line)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--journal", required=True)
    parser.add_argument("--title", default="Controls")
    options = parser.parse_args()
    application = QApplication(["qt-controls"])
    journal = Journal(options.journal)
    window, other = QWidget(), QWidget()
    label, go, late, up, later = status(journal)
    box, build = rebuilt(journal)
    lines(window, toggles(journal), colours(journal), numbers(journal), dates(journal), (up, later, go), (label, late),
          (box, button(journal, "Rebuild", build)), (fruits(journal), animals(journal)), tabs(journal))  # fmt: skip
    lines(other, button(journal, "Elsewhere"))
    for one, title, x in ((window, options.title, 40), (other, f"{options.title} 2", 700)):
        one.setWindowTitle(title)
        one.move(x, 40)
        one.show()
    return application.exec_()


if __name__ == "__main__":
    sys.exit(main())
