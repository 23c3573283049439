#!/usr/bin/python3
"""A Qt 5 window that takes a window of another process into itself, as QWindow.fromWinId offers.

usage: qt-holder.py --window ID
"""
import argparse

from PyQt5.QtGui import QWindow
from PyQt5.QtWidgets import QApplication, QLabel, QVBoxLayout, QWidget

parser = argparse.ArgumentParser()
parser.add_argument("--window", type=lambda given: int(given, 0), required=True)
options = parser.parse_args()
app = QApplication([])
holder = QWidget()
holder.setWindowTitle("Holder")
layout = QVBoxLayout(holder)
layout.addWidget(QLabel("Own"))
container = QWidget.createWindowContainer(QWindow.fromWinId(options.window), holder)
container.setMinimumSize(360, 220)
layout.addWidget(container)
holder.show()
app.exec_()
