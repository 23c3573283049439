#!/usr/bin/python3
"""A Qt window with lists of which only a part shows, or with dates and fields in popups.

usage: qt-fields.py --journal FILE (--lists | LOCALE)
Each journal line is a JSON object {"control", "event", "value"}.
"""
import json
import sys

from PyQt5.QtCore import QDate, QLocale, QTime, Qt
from PyQt5.QtWidgets import (
    QApplication,
    QDateEdit,
    QLineEdit,
    QListWidget,
    QMenu,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QTimeEdit,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
    QWidgetAction,
)

journal = open(sys.argv[sys.argv.index("--journal") + 1], "a", buffering=1, encoding="utf-8")


def write(control, event, value=""):
    journal.write(json.dumps({"control": control, "event": event, "value": value}) + "\n")


def named(widget, name):
    widget.setAccessibleName(name)
    return widget


def rows():
    made = named(QListWidget(), "Rows")
    made.addItems([f"Line {number}" for number in range(1, 101)])
    made.itemClicked.connect(lambda item: write("rows", "clicked", item.text()))
    return made


def table():
    made = named(QTableWidget(100, 20), "Cells")
    for row in range(100):
        for column in range(20):
            made.setItem(row, column, QTableWidgetItem(f"Cell {row + 1} {chr(65 + column)}"))
    made.cellClicked.connect(lambda row, column: write("cells", "clicked", made.item(row, column).text()))
    return made


def tree():
    made = named(QTreeWidget(), "Kinds")
    for number in range(1, 61):
        made.addTopLevelItem(QTreeWidgetItem([f"Kind {number}"]))
    made.itemClicked.connect(lambda item, _: write("kinds", "clicked", item.text(0)))
    return made


def dates(locale):
    day, clock = named(QDateEdit(QDate(2020, 1, 31)), "Day"), named(QTimeEdit(QTime(1, 2)), "Clock")
    day.setDisplayFormat("dd.MM.yyyy")
    clock.setLocale(locale)
    clock.setDisplayFormat("hh:mm AP")
    day.dateChanged.connect(lambda value: write("day", "changed", value.toString("yyyy-MM-dd")))
    clock.timeChanged.connect(lambda value: write("clock", "changed", value.toString("HH:mm")))
    return day, clock


def field_in_menu():
    button, menu = QPushButton("Rename"), QMenu()
    field = named(QLineEdit(), "Nickname")
    action = QWidgetAction(menu)
    action.setDefaultWidget(field)
    menu.addAction(action)
    field.textChanged.connect(lambda text: write("nickname", "changed", text))
    button.setMenu(menu)
    return button, menu


def field_in_popup(window):
    button, popup = QPushButton("Label"), QWidget(window, Qt.Popup)
    field = named(QLineEdit(), "Caption")
    QVBoxLayout(popup).addWidget(field)
    field.textChanged.connect(lambda text: write("caption", "changed", text))

    def show():
        popup.move(button.mapToGlobal(button.rect().bottomLeft()))
        popup.show()
        field.setFocus()

    button.clicked.connect(show)
    return button


def main():
    application = QApplication(["qt-fields"])
    window = QWidget()
    box = QVBoxLayout(window)
    if "--lists" in sys.argv:
        for part in (rows(), table(), tree()):
            part.setFixedHeight(120)
            box.addWidget(part)
    else:
        rename, menu = field_in_menu()
        for part in (*dates(QLocale(sys.argv[-1])), rename, field_in_popup(window)):
            box.addWidget(part)
    window.setWindowTitle("Fields")
    window.resize(420, 400)
    window.show()
    return application.exec_()


if __name__ == "__main__":
    sys.exit(main())
