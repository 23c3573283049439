#!/usr/bin/python3
"""Appends every byte that its terminal sends to a file.

usage: typed-terminal.py FILE
"""
import os
import sys
import tty

tty.setraw(0)
with open(sys.argv[1], "ab", buffering=0) as file:
    while data := os.read(0, 1000):
        file.write(data)
