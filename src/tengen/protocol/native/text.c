#include "text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "generated.h"

static const int64_t MOST_VALUE = INT64_C(1000000000000000000);

enum { COORDINATE_DIGITS = 9, WHOLE_DIGITS = 18 };

/* The functions of <ctype.h> depend on the locale, and take no negative characters. */

static bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static char upper(char c) { return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c; }

static const char *after_blanks(const char *text) {
    while (is_blank(*text)) {
        text++;
    }
    return text;
}

const char *split_word(const char *line, char word[WORD]) {
    int length = 0;
    const char *at = line;
    for (; *at != '\0' && !is_blank(*at); at++) {
        if (length < WORD - 1) {
            word[length++] = upper(*at);
        }
    }
    /* A longer word is no command, and its beginning must not be taken for one. */
    word[at - line < WORD ? length : 0] = '\0';
    return after_blanks(at);
}

/* Decode the character at the beginning of a text; return its bytes, 0 if they are no UTF-8. */
static int decode(const unsigned char *text, uint32_t *character) {
    int bytes = *text < 0x80 ? 1 : *text < 0xc2 ? 0 : *text < 0xe0 ? 2 : *text < 0xf0 ? 3 : *text < 0xf5 ? 4 : 0;
    *character = bytes > 1 ? *text & (0x7fu >> bytes) : *text;
    for (int place = 1; place < bytes; place++) {
        if ((text[place] & 0xc0) != 0x80) { /* the zero at the end is none either */
            return 0;
        }
        *character = *character << 6 | (text[place] & 0x3fu);
    }
    return bytes;
}

void clean(char *text) {
    char *end = text;
    while (*text != '\0') {
        uint32_t character;
        int bytes = decode((const unsigned char *)text, &character);
        const char *kept = bytes == 0 ? "?" : text;
        int length = bytes == 0 ? 1 : bytes;
        text += length;
        for (size_t place = 0; place < sizeof CLEANED / sizeof CLEANED[0]; place++) {
            if (bytes > 0 && character >= CLEANED[place].first && character <= CLEANED[place].last) {
                kept = &CLEANED[place].replacement;
                length = *kept == '\0' ? 0 : 1;
            }
        }
        memmove(end, kept, (size_t)length);
        end += length;
    }
    *end = '\0';
}

char *trimmed(char *line) {
    char *end = line + strlen(line);
    while (end > line && is_blank(end[-1])) {
        end--;
    }
    *end = '\0';
    return (char *)after_blanks(line);
}

static bool begins_character(char c) { return ((unsigned char)c & 0xc0) != 0x80; }

void shorten(const char *text, int most, char out[SENTENCE]) {
    int length = 0, characters = 0;
    for (; *text != '\0' && length < SENTENCE - 8; text++) {
        characters += begins_character(*text);
        if (characters > most) {
            memcpy(out + length, "...", 3);
            length += 3;
            break;
        }
        out[length++] = (unsigned char)*text < ' ' ? '?' : *text;
    }
    out[length] = '\0';
}

static int append(char out[SENTENCE], int length, const char *text, size_t count) {
    size_t room = (size_t)(SENTENCE - 1 - length);
    count = count < room ? count : room;
    memcpy(out + length, text, count);
    return length + (int)count;
}

void fill(char out[SENTENCE], const char *template, ...) {
    int length = 0;
    while (*template != '\0') {
        const char *end = *template == '{' ? strchr(template, '}') : NULL;
        if (end == NULL) {
            length = append(out, length, template++, 1);
            continue;
        }
        va_list values;
        va_start(values, template);
        const char *name, *value;
        while ((name = va_arg(values, const char *)) != NULL) {
            value = va_arg(values, const char *);
            if (strlen(name) == (size_t)(end - template - 1) &&
                strncmp(name, template + 1, strlen(name)) == 0) {
                length = append(out, length, value, strlen(value));
            }
        }
        va_end(values);
        template = end + 1;
    }
    out[length] = '\0';
}

/* Parse a number of at most so many digits at `*at`, which moves behind it. */
static bool scan_number(const char **at, int most, bool may_have_sign, int64_t *out) {
    const char *text = *at;
    bool negative = *text == '-';
    if (may_have_sign && (*text == '-' || *text == '+')) {
        text++;
    }
    int64_t number = 0;
    int digits = 0;
    for (; is_digit(*text); text++) {
        if (++digits > most) {
            return false;
        }
        number = 10 * number + (*text - '0');
    }
    *out = negative ? -number : number;
    *at = text;
    return digits > 0;
}

/* Move behind a separator: a comma, with blanks or not, or blanks alone. */
static bool scan_separator(const char **at) {
    const char *text = after_blanks(*at);
    bool any = text > *at;
    if (*text == ',') {
        text = after_blanks(text + 1);
        any = true;
    }
    *at = text;
    return any;
}

static bool scan_coordinate(const char **at, bool may_have_sign, long *out) {
    int64_t number;
    if (!scan_number(at, COORDINATE_DIGITS, may_have_sign, &number)) {
        return false;
    }
    *out = (long)number;
    return true;
}

/* Return whether only words without digits follow, which some managers add as a unit or a remark. */
static bool is_remark(const char *text) {
    if (*text != '\0' && !is_blank(*text)) {
        return false;
    }
    for (; *text != '\0'; text++) {
        if (is_digit(*text)) {
            return false;
        }
    }
    return true;
}

bool parse_pair(const char *text, long *x, long *y) {
    return scan_coordinate(&text, true, x) && scan_separator(&text) && scan_coordinate(&text, true, y) &&
           is_remark(text);
}

bool parse_size(const char *text, bool needs_both, long *width, long *height) {
    if (!scan_coordinate(&text, true, width)) {
        return false;
    }
    *height = *width;
    const char *second = text;
    bool separated = scan_separator(&second);
    if (upper(*second) == 'X' || *second == '*') {
        second = after_blanks(second + 1);
        separated = true;
    }
    if (separated && scan_coordinate(&second, true, height)) {
        return is_remark(second);
    }
    return !needs_both && is_remark(text);
}

bool parse_stone(const char *text, long *x, long *y, long *field) {
    return scan_coordinate(&text, false, x) && scan_separator(&text) && scan_coordinate(&text, false, y) &&
           scan_separator(&text) && scan_coordinate(&text, false, field) && *text == '\0';
}

bool is_pass(const char *text) {
    long x, y, field;
    return scan_coordinate(&text, true, &x) && scan_separator(&text) && scan_coordinate(&text, true, &y) &&
           scan_separator(&text) && scan_coordinate(&text, false, &field) && *text == '\0' && x == -1 &&
           y == -1 && (field == 1 || field == 2);
}

bool like_a_stone(const char *text) {
    text += *text == '-' || *text == '+';
    const char *end = text;
    while (is_digit(*end)) {
        end++;
    }
    return end > text && scan_separator(&end);
}

bool parse_whole(const char *text, int64_t *out) {
    return scan_number(&text, WHOLE_DIGITS, true, out) && *text == '\0';
}

bool parse_value(const char *text, int64_t *out, bool *exact) {
    const char *at = text + (*text == '-' || *text == '+');
    const char *first = at;
    int digits = 0;
    bool is_whole = true;
    for (; is_digit(*at); at++) {
        digits++;
    }
    if (*at == '.') {
        is_whole = false;
        for (at++; is_digit(*at); at++) {
            digits++;
        }
    }
    if (digits == 0) {
        return false;
    }
    if (upper(*at) == 'E') {
        const char *exponent = at + 1;
        int64_t ignored;
        if (scan_number(&exponent, COORDINATE_DIGITS, true, &ignored)) {
            at = exponent;
            is_whole = false;
        }
    }
    if (!is_remark(at)) {
        return false;
    }
    int64_t number = 0;
    double amount = strtod(first, NULL);
    if (is_whole && digits <= WHOLE_DIGITS) {
        number = strtoll(first, NULL, 10);
    } else if (amount >= (double)MOST_VALUE) {
        number = MOST_VALUE;
    } else if (amount > 0) {
        number = amount < 1 ? 1 : (int64_t)amount;
    }
    *exact = (double)number == amount;
    *out = *text == '-' ? -number : number;
    return true;
}
