/* The commands of the protocol, and the position that they apply to; as `tengen.protocol.commands`. */

#ifndef TENGEN_COMMANDS_H
#define TENGEN_COMMANDS_H

#include <stdbool.h>

/* Return whether a line ends a search, or may be executed while a search is under way. */
bool is_stop(const char *line);
bool is_prompt(const char *line);

/* Execute a command, or take a line of a list; `at` is the time of its arrival. */
void obey(const char *line, double at);

#endif
