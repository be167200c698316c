/* Lines of the protocol: words, numbers and points in them, and sentences made of templates.

   The forms are those of the Python package: `tengen.gomocup.protocol_lines`, `coordinates` and `stones`. */

#ifndef TENGEN_TEXT_H
#define TENGEN_TEXT_H

#include <stdbool.h>
#include <stdint.h>

enum { SENTENCE = 1024, WORD = 32 };

/* Write the command of a line, in upper case, and return the arguments after it. */
const char *split_word(const char *line, char word[WORD]);

/* Make every line break LF, and every blank a space, and take out characters that nobody sees; as
   `tengen.plaintext.characters`. Bytes that are no UTF-8 become question marks. */
void clean(char *text);

/* Remove blanks at both ends; return the beginning. */
char *trimmed(char *line);

/* Copy a text, cut to so many characters and dots. */
void shorten(const char *text, int most, char out[SENTENCE]);

/* Fill a sentence: each {name} of the template with the value that follows the name, up to NULL. */
void fill(char out[SENTENCE], const char *template, ...);

/* Parse `x,y` or `x y`, and words after it. Return whether the text has that form. */
bool parse_pair(const char *text, long *x, long *y);

/* Parse the size of START: one number, or two as `15,15`, `15 15` or `15x15`; one is written twice. */
bool parse_size(const char *text, bool needs_both, long *width, long *height);

/* Parse a stone of a list, `x,y,field`. */
bool parse_stone(const char *text, long *x, long *y, long *field);

/* Return whether a line of YXBOARD is a pass, `-1,-1,1`. */
bool is_pass(const char *text);

/* Return whether a line looks like a stone: a number and a separator. */
bool like_a_stone(const char *text);

/* Parse a whole number of at most 18 digits, with nothing after it. */
bool parse_whole(const char *text, int64_t *out);

/* Parse a value of INFO: any decimal number, and words after it. A fraction is cut off, though what is above 0 is
   1 at least; numbers are at most 10^18. `exact` receives whether nothing was cut off. */
bool parse_value(const char *text, int64_t *out, bool *exact);

#endif
