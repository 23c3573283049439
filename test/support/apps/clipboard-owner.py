"""Owns the clipboard with the targets of a JSON file {target: text}, until it is ended."""

import json
import sys

from PyQt5.QtCore import QMimeData
from PyQt5.QtWidgets import QApplication

app = QApplication(sys.argv)
data = QMimeData()
with open(sys.argv[1], encoding='utf-8') as file:
    for target, text in json.load(file).items():
        if target == 'UTF8_STRING':
            data.setText(text)
        else:
            data.setData(target, text.encode())
app.clipboard().setMimeData(data)
app.exec_()
