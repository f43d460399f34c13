"""Drops files onto a window, by libX11 alone: the source's side of XDND, version 5
(https://www.freedesktop.org/wiki/Specifications/XDND/).

usage: xdnd.py WINDOW FILE...       DISPLAY is the environment's. Exit code 0: the window has taken them.
"""
import ctypes
import ctypes.util
import pathlib
import sys
import time

LONG = ctypes.c_long
CLIENT_MESSAGE, SELECTION_REQUEST, SELECTION_NOTIFY = 33, 30, 31  # X.h
PATIENCE = 60  # s


class Message(ctypes.Structure):
    """XClientMessageEvent."""
    _fields_ = [("type", ctypes.c_int), ("serial", ctypes.c_ulong), ("send_event", ctypes.c_int),
                ("display", ctypes.c_void_p), ("window", ctypes.c_ulong), ("message_type", ctypes.c_ulong),
                ("format", ctypes.c_int), ("data", LONG * 5)]


class Request(ctypes.Structure):
    """XSelectionRequestEvent."""
    _fields_ = [("type", ctypes.c_int), ("serial", ctypes.c_ulong), ("send_event", ctypes.c_int),
                ("display", ctypes.c_void_p), ("owner", ctypes.c_ulong), ("requestor", ctypes.c_ulong),
                ("selection", ctypes.c_ulong), ("target", ctypes.c_ulong), ("property", ctypes.c_ulong),
                ("time", ctypes.c_ulong)]


class Notify(ctypes.Structure):
    """XSelectionEvent."""
    _fields_ = [("type", ctypes.c_int), ("serial", ctypes.c_ulong), ("send_event", ctypes.c_int),
                ("display", ctypes.c_void_p), ("requestor", ctypes.c_ulong), ("selection", ctypes.c_ulong),
                ("target", ctypes.c_ulong), ("property", ctypes.c_ulong), ("time", ctypes.c_ulong)]


class Event(ctypes.Union):
    _fields_ = [("type", ctypes.c_int), ("message", Message), ("request", Request), ("notify", Notify),
                ("pad", LONG * 24)]


def load():
    x = ctypes.CDLL(ctypes.util.find_library("X11"))
    pointer, word = ctypes.c_void_p, ctypes.c_ulong
    x.XOpenDisplay.restype, x.XOpenDisplay.argtypes = pointer, [ctypes.c_char_p]
    x.XDefaultRootWindow.restype, x.XDefaultRootWindow.argtypes = word, [pointer]
    x.XInternAtom.restype, x.XInternAtom.argtypes = word, [pointer, ctypes.c_char_p, ctypes.c_int]
    x.XCreateSimpleWindow.restype = word
    x.XCreateSimpleWindow.argtypes = [pointer, word] + [ctypes.c_int] * 2 + [ctypes.c_uint] * 3 + [word] * 2
    x.XSetSelectionOwner.argtypes = [pointer, word, word, word]
    x.XSendEvent.argtypes = [pointer, word, ctypes.c_int, LONG, ctypes.POINTER(Event)]
    x.XChangeProperty.argtypes = [pointer, word, word, word, ctypes.c_int, ctypes.c_int, ctypes.c_char_p, ctypes.c_int]
    x.XPending.argtypes = x.XFlush.argtypes = x.XCloseDisplay.argtypes = [pointer]
    x.XNextEvent.argtypes = [pointer, ctypes.POINTER(Event)]
    return x


class Source:
    def __init__(self, target, text):
        self.x, self.target, self.text = load(), target, text
        self.display = self.x.XOpenDisplay(None)
        root = self.x.XDefaultRootWindow(self.display)
        self.window = self.x.XCreateSimpleWindow(self.display, root, 0, 0, 1, 1, 0, 0, 0)

    def atom(self, name):
        return self.x.XInternAtom(self.display, name.encode(), 0)

    def tell(self, name, *data):
        message = Message(CLIENT_MESSAGE, 0, 1, self.display, self.target, self.atom(name), 32,
                          (LONG * 5)(self.window, *data))
        self.x.XSendEvent(self.display, self.target, 0, 0, ctypes.byref(Event(message=message)))
        self.x.XFlush(self.display)

    def hand_over(self, request):
        """The files' names, to whoever asks for them."""
        self.x.XChangeProperty(self.display, request.requestor, request.property, request.target, 8, 0, self.text,
                               len(self.text))
        notify = Notify(SELECTION_NOTIFY, 0, 1, self.display, request.requestor, request.selection, request.target,
                        request.property, request.time)
        self.x.XSendEvent(self.display, request.requestor, 0, 0, ctypes.byref(Event(notify=notify)))
        self.x.XFlush(self.display)

    def wait(self, name):
        """For a message of the target; data[1] tells whether it takes them."""
        end = time.monotonic() + PATIENCE
        event, wanted = Event(), self.atom(name)
        while time.monotonic() < end:
            if not self.x.XPending(self.display):
                time.sleep(0.01)
                continue
            self.x.XNextEvent(self.display, ctypes.byref(event))
            if event.type == SELECTION_REQUEST:
                self.hand_over(event.request)
            elif event.type == CLIENT_MESSAGE and event.message.message_type == wanted:
                return event.message.data[1] != 0  # XdndFinished of GLFW: bytes taken
        return False

    def drop(self):
        self.x.XSetSelectionOwner(self.display, self.atom("XdndSelection"), self.window, 0)
        self.tell("XdndEnter", 5 << 24, self.atom("text/uri-list"), 0, 0)
        self.tell("XdndPosition", 0, 0, 0, self.atom("XdndActionCopy"))
        if not self.wait("XdndStatus"):
            return False
        self.tell("XdndDrop", 0, 0, 0, 0)
        return self.wait("XdndFinished")


if __name__ == "__main__":
    files = "".join(pathlib.Path(name).resolve().as_uri() + "\r\n" for name in sys.argv[2:])
    source = Source(int(sys.argv[1]), files.encode())
    taken = source.drop()
    source.x.XCloseDisplay(source.display)
    sys.exit(0 if taken else 1)
