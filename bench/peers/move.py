#!/usr/bin/python3
"""Moves a window with wmctrl to each `X Y` it reads, and prints the milliseconds until the X server has it there. argv: the title."""
import ctypes
import subprocess
import sys
import time

POLL_S = 0.0005
REST_S = 0.3

title = sys.argv[1]
x11 = ctypes.CDLL("libX11.so.6")
x11.XOpenDisplay.restype = ctypes.c_void_p
x11.XDefaultRootWindow.restype = ctypes.c_ulong
display = ctypes.c_void_p(x11.XOpenDisplay(None))
root = ctypes.c_ulong(x11.XDefaultRootWindow(display))
listed = subprocess.run(["wmctrl", "-l"], capture_output=True, text=True, check=True).stdout.splitlines()
window = ctypes.c_ulong(next(int(line.split()[0], 16) for line in listed if line.endswith(" " + title)))


def place():
    x, y, child = ctypes.c_int(), ctypes.c_int(), ctypes.c_ulong()
    x11.XTranslateCoordinates(display, window, root, 0, 0, ctypes.byref(x), ctypes.byref(y), ctypes.byref(child))
    return x.value, y.value


def send(x, y):
    subprocess.run(["wmctrl", "-i", "-r", hex(window.value), "-e", f"0,{x},{y},-1,-1"], check=True)


send(60, 60)
time.sleep(REST_S)
borders = place()[0] - 60, place()[1] - 60
print("ready", flush=True)
for line in sys.stdin:
    x, y = (int(part) for part in line.split())
    since = time.monotonic()
    send(x, y)
    while place() != (x + borders[0], y + borders[1]):
        time.sleep(POLL_S)
    print((time.monotonic() - since) * 1000, flush=True)
