/* Characters of UTF-8, for formats that have another code. */
#ifndef CAB_BOARD_UTF8_H
#define CAB_BOARD_UTF8_H

/* The next character, and *text is moved behind it; 0 at the end. What is no UTF-8 is '?'. */
static inline unsigned cab_utf8_next(const char **text)
{
    const unsigned char *c = (const unsigned char *)*text;
    if (!*c) return 0;
    int more = *c < 0x80 ? 0 : *c >= 0xF0 ? 3 : *c >= 0xE0 ? 2 : *c >= 0xC0 ? 1 : -1;
    unsigned value = more <= 0 ? *c : *c & (0x3Fu >> more);
    int i = 1;
    while (i <= more && (c[i] & 0xC0) == 0x80) value = value << 6 | (c[i++] & 0x3Fu);
    *text += i;
    return more < 0 || i <= more || !value ? '?' : value;
}

#endif
