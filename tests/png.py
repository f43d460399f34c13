"""PNG files of 8 bits a channel, without any package: what tests read and write."""
import struct
import zlib

SIGNATURE = b"\x89PNG\r\n\x1a\n"


def chunks(data):
    at = len(SIGNATURE)
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        yield kind, data[at + 8:at + 8 + size]
        at += 12 + size


def undo_filter(kind, line, above, step):
    """One row; `above` is the row over it, as it came out."""
    if kind == 1:
        for i in range(step, len(line)):
            line[i] = (line[i] + line[i - step]) & 255
    elif kind == 2:
        for i, up in enumerate(above):
            line[i] = (line[i] + up) & 255
    elif kind == 3:
        for i, up in enumerate(above):
            line[i] = (line[i] + ((line[i - step] if i >= step else 0) + up) // 2) & 255
    elif kind == 4:
        for i, up in enumerate(above):
            left, corner = (line[i - step], above[i - step]) if i >= step else (0, 0)
            guess = left + up - corner
            a, b, c = abs(guess - left), abs(guess - up), abs(guess - corner)
            line[i] = (line[i] + (left if a <= b and a <= c else up if b <= c else corner)) & 255


def read(path):
    """(width, height, channels, bytes): 3 or 4 channels, rows from the top."""
    with open(path, "rb") as file:
        data = file.read()
    if not data.startswith(SIGNATURE):
        raise ValueError(f"{path}: no PNG")
    packed = b""
    ended = False
    for kind, body in chunks(data):
        if kind == b"IHDR":
            width, height, depth, colour, _, _, interlaced = struct.unpack(">IIBBBBB", body)
            if depth != 8 or colour not in (2, 6) or interlaced:
                raise ValueError(f"{path}: neither RGB nor RGBA of 8 bits, or interlaced")
        packed += body if kind == b"IDAT" else b""
        ended = ended or kind == b"IEND"
    if not ended:
        raise ValueError(f"{path}: cut off")
    channels = 4 if colour == 6 else 3
    raw, row = zlib.decompress(packed), width * channels
    above, out = bytearray(row), bytearray()
    for y in range(height):
        at = y * (row + 1)
        line = bytearray(raw[at + 1:at + 1 + row])
        undo_filter(raw[at], line, above, channels)
        out += line
        above = line
    return width, height, channels, bytes(out)


def write(path, width, height, pixels):
    """RGB, rows from the top."""
    raw = b"".join(b"\0" + pixels[3 * width * y:3 * width * (y + 1)] for y in range(height))

    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    with open(path, "wb") as file:
        file.write(SIGNATURE + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) +
                   chunk(b"IDAT", zlib.compress(raw, 9)) + chunk(b"IEND", b""))
