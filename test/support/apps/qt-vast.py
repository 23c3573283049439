#!/usr/bin/python3
"""A Qt window with a table of 1,048,576 rows and 1,024 columns, and plain fields.

usage: qt-vast.py --journal FILE
"""
import json
import sys

from PyQt5 import QtCore, QtWidgets


class Sheet(QtCore.QAbstractTableModel):
    def rowCount(self, parent=QtCore.QModelIndex()):
        return 1048576

    def columnCount(self, parent=QtCore.QModelIndex()):
        return 1024

    def data(self, index, role=QtCore.Qt.DisplayRole):
        return "r%dc%d" % (index.row(), index.column()) if role == QtCore.Qt.DisplayRole else None


def main():
    journal = open(sys.argv[2], "a", buffering=1)
    app = QtWidgets.QApplication(sys.argv)
    window = QtWidgets.QWidget()
    window.setWindowTitle("Vast")
    window.resize(500, 400)
    layout = QtWidgets.QVBoxLayout(window)
    button = QtWidgets.QPushButton("Press me")
    line = json.dumps({"control": "press", "event": "clicked", "value": ""}) + "\n"
    button.clicked.connect(lambda: journal.write(line))
    layout.addWidget(button)
    field = QtWidgets.QLineEdit("secret")
    field.setEchoMode(QtWidgets.QLineEdit.Password)
    layout.addWidget(field)
    table = QtWidgets.QTableView()
    table.setModel(Sheet())
    layout.addWidget(table)
    window.show()
    return app.exec()


if __name__ == "__main__":
    sys.exit(main())
