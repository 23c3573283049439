#!/usr/bin/python3
"""Prints when the X server told of raw input (a key, a button, a move), in nanoseconds of CLOCK_MONOTONIC, an event a line."""
import ctypes
import time

ALL_MASTER_DEVICES = 1
RAW_EVENTS = (13, 15, 17)


class EventMask(ctypes.Structure):
    _fields_ = [("device", ctypes.c_int), ("length", ctypes.c_int), ("mask", ctypes.POINTER(ctypes.c_ubyte))]


x11, xi = ctypes.CDLL("libX11.so.6"), ctypes.CDLL("libXi.so.6")
x11.XOpenDisplay.restype = ctypes.c_void_p
x11.XDefaultRootWindow.restype = ctypes.c_ulong
display = ctypes.c_void_p(x11.XOpenDisplay(None))
root = ctypes.c_ulong(x11.XDefaultRootWindow(display))
major, minor = ctypes.c_int(2), ctypes.c_int(2)
xi.XIQueryVersion(display, ctypes.byref(major), ctypes.byref(minor))
bits = (ctypes.c_ubyte * 3)()
for event in RAW_EVENTS:
    bits[event >> 3] |= 1 << (event & 7)
mask = EventMask(ALL_MASTER_DEVICES, len(bits), bits)
xi.XISelectEvents(display, root, ctypes.byref(mask), 1)
x11.XSync(display, 0)
print("listening", flush=True)
event = (ctypes.c_long * 24)()
while True:
    x11.XNextEvent(display, ctypes.byref(event))
    print(time.monotonic_ns(), flush=True)
