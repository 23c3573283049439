#!/usr/bin/python3
"""A window that looks at keys and buttons 35 times a second and at no events, as games do; each change it sees is one line of a file.

usage: polled.py FILE
"""
import ctypes
import sys
import time

x = ctypes.CDLL("libX11.so.6")
for name, kind in [("XOpenDisplay", ctypes.c_void_p), ("XDefaultRootWindow", ctypes.c_ulong), ("XCreateSimpleWindow", ctypes.c_ulong)]:
    getattr(x, name).restype = kind
display = ctypes.c_void_p(x.XOpenDisplay(None))
root = ctypes.c_ulong(x.XDefaultRootWindow(display))
window = ctypes.c_ulong(x.XCreateSimpleWindow(display, root, 300, 100, 400, 300, 0, 0, 0xFFFFFF))
x.XStoreName(display, window, b"Polled")
x.XSelectInput(display, window, 1 | 2 | 4 | 8)
x.XMapWindow(display, window)
keymap = (ctypes.c_char * 32)()
longs = [ctypes.c_ulong() for _ in range(2)]
ints = [ctypes.c_int() for _ in range(4)]
mask = ctypes.c_uint()
event = (ctypes.c_long * 24)()
seen = None
with open(sys.argv[1], "a", buffering=1) as file:
    while True:
        x.XQueryKeymap(display, keymap)
        x.XQueryPointer(display, window, *map(ctypes.byref, longs), *map(ctypes.byref, ints), ctypes.byref(mask))
        now = (sum(bin(byte).count("1") for byte in keymap.raw), bin(mask.value >> 8 & 31).count("1"))
        if now != seen:
            print(*now, file=file)
        seen = now
        while x.XPending(display):
            x.XNextEvent(display, event)
        time.sleep(1 / 35)
