#!/usr/bin/python3
"""The GTK 4 twin of password-steps-gtk.py, without PyGObject's GTK 4."""
import ctypes
import sys

gtk = ctypes.CDLL("libgtk-4.so.1")
gobject = ctypes.CDLL("libgobject-2.0.so.0")
glib = ctypes.CDLL("libglib-2.0.so.0")
POINTER = ctypes.c_void_p
STYLE = b".password { background: #ff00ff; color: #ff00ff; border: none; border-radius: 0; box-shadow: none; outline: none; padding: 0; }"
WATCH = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.c_int, POINTER)
HANDLER = ctypes.CFUNCTYPE(None, POINTER, POINTER)
PRIORITY_USER = 800


def call(name, *given, result=None, library=gtk):
    function = getattr(library, name)
    function.restype = result
    return function(*given)


def new(name, *given):
    return POINTER(call(name, *given, result=POINTER))


def password():
    entry = new("gtk_password_entry_new")
    call("gtk_editable_set_text", entry, b"magenta")
    call("gtk_widget_set_can_focus", entry, 0)
    call("gtk_widget_set_size_request", entry, 160, 30)
    return entry


call("gtk_init")
provider = new("gtk_css_provider_new")
call("gtk_css_provider_load_from_data", provider, STYLE, ctypes.c_ssize_t(-1))
call("gtk_style_context_add_provider_for_display", new("gdk_display_get_default"), provider, PRIORITY_USER)
window = new("gtk_window_new")
call("gtk_window_set_title", window, b"Password steps")
call("gtk_window_set_default_size", window, 500, 300)
book = new("gtk_notebook_new")
plain = new("gtk_fixed_new")
secret = new("gtk_fixed_new")
call("gtk_fixed_put", secret, password(), ctypes.c_double(40), ctypes.c_double(80))
call("gtk_notebook_append_page", book, plain, new("gtk_label_new", b"Plain"))
call("gtk_notebook_append_page", book, secret, new("gtk_label_new", b"Secret"))
call("gtk_window_set_child", window, book)
added = []


def add():
    added.append(password())
    call("gtk_fixed_put", plain, added[0], ctypes.c_double(20), ctypes.c_double(20))


STEPS = {
    "add": add,
    "move": lambda: call("gtk_fixed_move", plain, added[0], ctypes.c_double(220), ctypes.c_double(160)),
    "remove": lambda: call("gtk_fixed_remove", plain, added.pop()),
    "tab": lambda: call("gtk_notebook_set_current_page", book, 1),
    "back": lambda: call("gtk_notebook_set_current_page", book, 0),
}
waiting = []


@HANDLER
def painted(clock, _):
    if waiting:
        call("gdk_display_sync", new("gdk_display_get_default"))
        print(waiting.pop(), flush=True)


@WATCH
def read(*_):
    step = sys.stdin.readline().strip()
    if step == "":
        sys.exit(0)
    STEPS[step]()
    waiting.append(step)
    call("gtk_widget_queue_draw", window)
    return 1


call("gtk_window_present", window)
surface = new("gtk_native_get_surface", window)
clock = new("gdk_surface_get_frame_clock", surface)
call("g_signal_connect_data", clock, b"after-paint", painted, None, None, 0, library=gobject)
call("g_unix_fd_add", sys.stdin.fileno(), 1, read, None, library=glib)
loop = POINTER(call("g_main_loop_new", None, 0, result=POINTER, library=glib))
call("g_main_loop_run", loop, library=glib)
