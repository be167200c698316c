#include "commands.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output.h"
#include "text.h"
#include "thinking.h"

enum { MOST_LISTED = 4096 }; /* more lines than there are points: before that comes a line that is wrong */

static Board board;
static bool has_board;
static int listed;         /* the number of its moves that came as a list */
static int64_t told_rule;  /* the rule number about which a remark has been sent */

static struct {
    char command[WORD]; /* empty: no list is being received */
    int count;
    char *lines[MOST_LISTED];
    bool was_broken; /* the remaining lines of a list that was broken off are ignored */
} list;

/* -- errors: what fails sends one, and returns false */

static bool refuse(const char *sentence) {
    answer_error(sentence);
    return false;
}

static const char *number_text(int64_t number, char out[WORD]) {
    snprintf(out, WORD, "%" PRId64, number);
    return out;
}

/* Return whether a point is on the board; else write why the text is none. */
static bool is_point(const char *text, bool has_form, long x, long y, int size, char error[SENTENCE]) {
    if (has_form && x >= 0 && x < size && y >= 0 && y < size) {
        return true;
    }
    char pair[2 * WORD], shown[SENTENCE], most[WORD];
    snprintf(pair, sizeof pair, "%ld,%ld", x, y);
    shorten(has_form ? pair : text, NOTATION_SHOWN, shown);
    fill(error, TEXT_ERROR_GOMOCUP_POINT, "text", shown, "most", number_text(size - 1, most), NULL);
    return false;
}

static bool read_point(const char *text, int *point) {
    char error[SENTENCE];
    long x, y;
    bool has_form = parse_pair(text, &x, &y);
    if (!is_point(text, has_form, x, y, board.size, error)) {
        return refuse(error);
    }
    *point = (int)((board.size - 1 - y) * board.size + x);
    return true;
}

static bool refuse_point(const char *template, int point, int size) {
    char error[SENTENCE], name[16];
    point_text(point, size, name);
    fill(error, template, "point", name, NULL);
    return refuse(error);
}

static bool check_open(const Board *position) {
    return position->ending == ONGOING || refuse(TEXT_ERROR_GOMOCUP_OVER);
}

/* -- the position */

/* Return the place of the rules to play; INFO lines that could not be applied are reported. */
static int rules_to_play(void) {
    char remark[SENTENCE];
    for (int key = 0; key < KEYS; key++) {
        if (settings.complaints[key][0] != '\0') {
            note(settings.complaints[key]);
            settings.complaints[key][0] = '\0';
        }
    }
    if (settings.rule != told_rule && settings_rule_remark(&settings, remark)) {
        note(remark);
    }
    told_rule = settings.rule;
    return settings_rule(&settings);
}

/* Bring the board under the rules to play. */
static bool game(void) {
    if (!has_board) {
        return refuse(TEXT_ERROR_GOMOCUP_NO_BOARD);
    }
    board_under(&board, rules_to_play());
    return true;
}

static bool can_put(const Board *position, int point) {
    if (!check_open(position)) {
        return false;
    }
    return position->cells[point] == EMPTY ||
           refuse_point(TEXT_ERROR_GOMOCUP_OCCUPIED, point, position->size);
}

static int asked_listed; /* `listed` of the position that is searched */

/* Play Tengen's own move and send it. */
static void moved(const Board *position, const Ranking *ranking, double asked) {
    int point = ranking->results[0].point;
    board = *position;
    board_put(&board, point);
    listed = asked_listed;
    charge_move(asked);
    answer_points(&point, 1, board.size);
}

/* Search for a move on a board, and play it; the board becomes the position. */
static void move(const Board *position, double asked, int listed_moves) {
    if (check_open(position)) {
        asked_listed = listed_moves;
        think(position, asked, 1, true, moved);
    }
}

static void begin_game(int rule, int size) {
    board_clear(&board, rule, size);
    has_board = true;
    listed = 0;
    new_game();
    answer("OK");
}

/* -- games */

static void start_sized(const char *rest, bool needs_both) {
    long width = 0, height = 0;
    char error[SENTENCE], shown[SENTENCE], number[WORD], least[WORD], most[WORD];
    bool has_size = parse_size(rest, needs_both, &width, &height);
    shorten(rest, NOTATION_SHOWN, shown);
    if ((has_size && width != height) || (!has_size && needs_both)) {
        fill(error, TEXT_ERROR_GOMOCUP_RECTANGLE, "text", shown, NULL);
        answer_error(error);
        return;
    }
    if (!has_size || width < PLAYABLE_SMALLEST || width > PLAYABLE_LARGEST) {
        fill(error, TEXT_ERROR_GOMOCUP_START, "text", has_size ? number_text(width, number) : shown, "least",
             number_text(PLAYABLE_SMALLEST, least), "most", number_text(PLAYABLE_LARGEST, most), NULL);
        answer_error(error);
        return;
    }
    int rule = rules_to_play();
    engine_prepare(rule, (int)width);
    begin_game(rule, (int)width);
}

static void start(const char *rest, double at) {
    (void)at;
    start_sized(rest, false);
}

static void rectstart(const char *rest, double at) {
    (void)at;
    start_sized(rest, true);
}

static void restart(const char *rest, double at) {
    (void)rest;
    (void)at;
    if (game()) {
        begin_game(board.rule, board.size);
    }
}

/* -- moves */

static void begin(const char *rest, double at) {
    (void)rest;
    if (!game()) {
        return;
    }
    if (count_of(&board, EMPTY) < board.size * board.size) {
        answer_error(TEXT_ERROR_GOMOCUP_BEGUN);
        return;
    }
    Board empty;
    board_clear(&empty, board.rule, board.size);
    move(&empty, at, 0);
}

static void turn(const char *rest, double at) {
    int point;
    if (game() && read_point(rest, &point) && can_put(&board, point)) {
        Board after = board;
        board_put(&after, point);
        if (after.ending != ONGOING) {
            board = after;
        }
        move(&after, at, listed);
    }
}

static void play(const char *rest, double at) {
    (void)at;
    int point;
    if (game() && read_point(rest, &point) && can_put(&board, point)) {
        board_put(&board, point);
        answer_points(&point, 1, board.size);
    }
}

static void take_back(const char *rest, double at) {
    (void)at;
    int point;
    if (!game() || !read_point(rest, &point)) {
        return;
    }
    int colour = board.cells[point];
    if (colour == EMPTY) {
        refuse_point(TEXT_ERROR_GOMOCUP_TAKE_BACK_NONE, point, board.size);
        return;
    }
    int last = board.ply > 0 ? board.moves[board.ply - 1] : -1;
    if (last == point) {
        board_pop(&board);
    } else if (board.ply > listed) {
        char error[SENTENCE], name[16], last_name[16];
        point_text(point, board.size, name);
        point_text(last, board.size, last_name);
        fill(error, TEXT_ERROR_GOMOCUP_TAKE_BACK, "point", name, "last", last_name, NULL);
        answer_error(error);
        return;
    } else {
        board.cells[point] = EMPTY;
        board_set_up(&board, board.rule, board.size, board.cells, colour);
    }
    answer("OK");
}

/* -- lists of stones */

static void forget_list(void) {
    for (int place = 0; place < list.count; place++) {
        free(list.lines[place]);
    }
    list.count = 0;
    list.command[0] = '\0';
}

static bool list_is(const char *command) { return strcmp(list.command, command) == 0; }

/* Parse a line of the list; write why it is no stone. */
static bool parse_listed(const char *text, int *point, bool *own, char error[SENTENCE]) {
    enum { OWN = 1, OTHER = 2, FINISHED = 3 };
    long x = 0, y = 0, field = OTHER;
    bool has_form = list_is("SWAP2BOARD") ? parse_pair(text, &x, &y) : parse_stone(text, &x, &y, &field);
    if (!list_is("SWAP2BOARD") && (!has_form || (field != OWN && field != OTHER))) {
        char shown[SENTENCE];
        shorten(text, NOTATION_SHOWN, shown);
        const char *template =
            has_form && field == FINISHED ? TEXT_ERROR_GOMOCUP_CONTINUOUS : TEXT_ERROR_GOMOCUP_STONE;
        fill(error, template, "text", shown, NULL);
        return false;
    }
    if (!is_point(text, has_form, x, y, board.size, error)) {
        return false;
    }
    *point = (int)((board.size - 1 - y) * board.size + x);
    *own = field == OWN;
    return true;
}

/* Read the stones of the list; those of SWAP2BOARD name no owner, and all count as the opponent's. */
static bool read_list(Stones *stones) {
    bool seen[MOST_POINTS] = {false};
    stones->count = 0;
    for (int place = 0; place < list.count; place++) {
        const char *text = list.lines[place];
        if (list_is("YXBOARD") && is_pass(text)) {
            continue; /* the side to move follows from the counts */
        }
        int point = 0;
        bool own = false;
        char reason[SENTENCE], error[SENTENCE], number[WORD], name[16];
        bool is_stone = parse_listed(text, &point, &own, reason);
        if (is_stone && seen[point]) {
            point_text(point, board.size, name);
            fill(reason, TEXT_ERROR_GOMOCUP_OCCUPIED, "point", name, NULL);
        }
        if (!is_stone || seen[point]) {
            fill(error, TEXT_ERROR_GOMOCUP_LINE, "command", list.command, "number",
                 number_text(place + 1, number), "reason", reason, NULL);
            return refuse(error);
        }
        seen[point] = true;
        stones->points[stones->count] = point;
        stones->own[stones->count++] = own;
    }
    return true;
}

static void opened(const Board *empty, const int *points) {
    board_after(&board, empty->rule, empty->size, points, SWAP2_STONES);
    listed = 0;
    answer_points(points, SWAP2_STONES, board.size);
}

static void chosen(const Board *position, const Ranking *ranking, double asked) {
    if (ranking->results[0].score < 0) { /* for White, who is to move */
        board = *position;
        listed = 0;
        answer("SWAP");
    } else {
        moved(position, ranking, asked);
    }
}

static void swap2(const Stones *stones, double at) {
    char error[SENTENCE], count[WORD];
    int placed = stones->count;
    if (placed != 0 && placed != SWAP2_STONES && placed != SWAP2_STONES + 2) {
        fill(error, placed == 1 ? TEXT_ERROR_GOMOCUP_SWAP2_ONE : TEXT_ERROR_GOMOCUP_SWAP2, "count",
             number_text(placed, count), NULL);
        answer_error(error);
        return;
    }
    Board after;
    board_after(&after, board.rule, board.size, stones->points, placed);
    if (!check_open(&after)) {
        return;
    }
    if (placed == 0) {
        open_swap2(&after, at, opened);
    } else {
        asked_listed = 0;
        think(&after, at, 1, true, chosen);
    }
}

static void end_list(double at) {
    static Stones stones;
    if (!game() || !read_list(&stones)) {
        return;
    }
    if (list_is("SWAP2BOARD")) {
        swap2(&stones, at);
        return;
    }
    Board after;
    board_of_stones(&after, board.rule, board.size, &stones);
    if (list_is("BOARD")) {
        move(&after, at, after.ply);
    } else {
        board = after;
        listed = board.ply;
    }
}

static void done(const char *rest, double at) {
    (void)rest;
    (void)at;
    answer_error(TEXT_ERROR_GOMOCUP_DONE);
}

/* -- other commands */

static void about(const char *rest, double at) {
    (void)rest;
    (void)at;
    answer(TEXT_ABOUT);
}

static void info(const char *rest, double at) {
    (void)at;
    int change = settings_update(&settings, rest);
    if (change & TIME_LEFT_TOLD) {
        time_left_told();
    }
    if (change & LIMIT_CHANGED) {
        relimit();
    }
    if ((change & RULE_CHANGED) && has_board && !is_busy()) {
        engine_prepare(settings_rule(&settings), board.size); /* before a move's clock runs */
    }
}

static void show_fouls(const char *rest, double at) {
    (void)rest;
    (void)at;
    if (!game()) {
        return;
    }
    char text[16 + 4 * MOST_POINTS] = "FORBID ";
    int points[MOST_POINTS], count = fouls_of(&board, points);
    size_t length = strlen(text);
    for (int place = 0; place < count; place++) {
        int x = points[place] % board.size, y = board.size - 1 - points[place] / board.size;
        length += (size_t)snprintf(text + length, sizeof text - length, "%02d%02d", x, y);
    }
    strcpy(text + length, ".");
    answer(text);
}

static void name_best(const Board *position, const Ranking *ranking, double asked) {
    (void)asked;
    answer_points(&ranking->results[0].point, 1, position->size);
}

static void best_lines(const char *rest, double at) {
    if (!game()) {
        return;
    }
    int64_t count;
    if (!parse_whole(rest, &count) || count < 1 || count > MOST_LINES) {
        char error[SENTENCE], shown[SENTENCE], most[WORD];
        shorten(rest, NOTATION_SHOWN, shown);
        fill(error, TEXT_ERROR_GOMOCUP_LINES, "text", shown, "most", number_text(MOST_LINES, most), NULL);
        answer_error(error);
    } else if (check_open(&board)) {
        think(&board, at, (int)count, false, name_best);
    }
}

static void forget(const char *rest, double at) {
    (void)rest;
    (void)at;
    engine_forget();
}

static void stop(const char *rest, double at) {
    (void)rest;
    (void)at;
    stop_thinking(false);
}

static const struct {
    const char *name;
    void (*execute)(const char *rest, double at); /* NULL: a list follows */
} COMMANDS[] = {
    {"ABOUT", about},
    {"BEGIN", begin},
    {"BOARD", NULL},
    {"DONE", done},
    {"INFO", info},
    {"PLAY", play},
    {"RECTSTART", rectstart},
    {"RESTART", restart},
    {"START", start},
    {"STOP", stop},
    {"SWAP2BOARD", NULL},
    {"TAKEBACK", take_back},
    {"TURN", turn},
    {"YXBOARD", NULL},
    {"YXHASHCLEAR", forget},
    {"YXNBEST", best_lines},
    {"YXSHOWFORBID", show_fouls},
    {"YXSTOP", stop},
};

static int command_of(const char *word) {
    for (int place = 0; place < (int)(sizeof COMMANDS / sizeof COMMANDS[0]); place++) {
        if (strcmp(COMMANDS[place].name, word) == 0) {
            return place;
        }
    }
    return -1;
}

bool is_stop(const char *line) {
    char word[WORD];
    split_word(line, word);
    return strcmp(word, "STOP") == 0 || strcmp(word, "YXSTOP") == 0;
}

bool is_prompt(const char *line) {
    char word[WORD];
    split_word(line, word);
    return strcmp(word, "INFO") == 0 || is_stop(line);
}

static void keep_listed(const char *line) {
    if (list.count < MOST_LISTED) {
        char *copy = malloc(strlen(line) + 1);
        if (copy != NULL) {
            list.lines[list.count++] = strcpy(copy, line);
        }
    }
}

/* Take a line while a list is received; return whether there is nothing else to do. */
static bool take_listed(const char *line, const char *word, double at) {
    if (strcmp(word, "DONE") == 0) {
        end_list(at);
        forget_list();
        return true;
    }
    if (command_of(word) < 0) {
        keep_listed(line);
        return true;
    }
    if (is_prompt(line)) {
        return false;
    }
    char error[SENTENCE];
    fill(error, TEXT_ERROR_GOMOCUP_BROKEN, "command", list.command, "other", word, NULL);
    list.was_broken = true;
    forget_list();
    answer_error(error);
    return false;
}

void obey(const char *line, double at) {
    char word[WORD];
    const char *rest = split_word(line, word);
    if (list.command[0] != '\0') {
        if (take_listed(line, word, at)) {
            return;
        }
    } else if (list.was_broken) {
        list.was_broken = like_a_stone(line);
        if (list.was_broken || strcmp(word, "DONE") == 0) {
            return;
        }
    }
    int command = command_of(word);
    if (command < 0) {
        answer_unknown(line);
    } else if (COMMANDS[command].execute == NULL) {
        strcpy(list.command, word);
    } else {
        COMMANDS[command].execute(rest, at);
    }
}
