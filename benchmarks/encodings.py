"""Encodings that files do not name: how many names and short comments are read as what they are.

Each text stands in a game of SGF without ``CA``: a name alone, two of them, or a comment.
"""

from __future__ import annotations

import time
from itertools import pairwise

from benchmarks.command_line import parser
from tengen.formats.encodings import decode_text
from tengen.formats.sgf_syntax import structure_faults

NAMES: dict[tuple[str, ...], tuple[str, ...]] = {
    ("gb18030",): (
        "曹冬",
        "吴镝",
        "王小明",
        "李伟",
        "张颖",
        "陈靖",
        "祁观",
        "丁方",
        "赵锋",
        "黄立勤",
        "戴晓涵",
        "汪清",
    ),
    ("big5",): (
        "林書玄",
        "連珠",
        "陳科翰",
        "張益昌",
        "許功蓋",
        "黃建豪",
        "劉玉玲",
        "王美惠",
        "吳淑芬",
        "蔡志偉",
    ),
    ("cp932", "euc_jp"): (
        *(
            "中村",
            "岡部寛",
            "中村茂",
            "長谷川一人",
            "飯尾義弘",
            "石谷信一",
            "神谷俊介",
            "河村典彦",
            "奈良秀樹",
        ),
        *("なかむら", "ヤマダ", "田中健太", "佐藤さくら"),
    ),
    ("cp949",): (
        "오목",
        "김철수",
        "이창호",
        "박영희",
        "김창훈",
        "최민준",
        "정수빈",
        "강지훈",
        "윤서연",
        "한승우",
    ),
    ("cp1251", "koi8_r"): (
        *("Иванов", "Александр", "Сушков", "Белый", "Сидоров", "Михаил Кожин", "Епифанов Дмитрий"),
        *("Ирина", "Чингин К.", "Владимир", "Никонов"),
    ),
    ("cp1252",): (
        "Pääsuke",
        "Jörg Müller",
        "Göran Söderström",
        "François",
        "José Muñoz",
        "Märt Õunapuu",
        "Bjørn",
    ),
    ("cp1250",): (
        "Petr Laštovička",
        "Dvořák",
        "Štěpán Tesařík",
        "Jiří Nový",
        "Łukasz Majksner",
        "Gergő Tóth",
    ),
}

COMMENTS: dict[tuple[str, ...], tuple[str, ...]] = {
    ("gb18030",): ("黑棋必胜", "白2直指，花月开局", "此手失误，应走上面", "禁手"),
    ("big5",): ("黑棋必勝", "白棋無法防守", "這一手是敗著", "成功的四三"),
    ("cp932", "euc_jp"): ("黒の勝ち", "白は防げない", "花月", "この手が敗着", "三々禁"),
    ("cp949",): ("흑의 승리", "백은 막을 수 없다", "좋은 수", "금수"),
    ("cp1251", "koi8_r"): ("Белые выигрывают", "Ошибка чёрных", "Хороший ход", "Вилка"),
    ("cp1252",): (
        "Schwarz gewinnt über die Diagonale",
        "très fort, à suivre",
        "Göran's best game – très fort",
    ),
    ("cp1250",): ("Černý vyhrává", "białe nie mogą się bronić", "chyba, měl hrát výš"),
}


def games() -> list[tuple[str, str, str]]:
    """Kind, encoding and text of every game."""
    made = []
    for codecs, names in NAMES.items():
        for codec in codecs:
            made += [("one name", codec, f"(;GM[4]SZ[15]PB[{name}]PW[Ann];B[hh];W[ii])") for name in names]
            made += [
                ("two names", codec, f"(;GM[4]SZ[15]PB[{black}]PW[{white}];B[hh];W[ii])")
                for black, white in pairwise((*names, names[0]))
            ]
    for codecs, comments in COMMENTS.items():
        for codec in codecs:
            made += [
                ("a comment", codec, f"(;GM[4]SZ[15]PB[Ann];B[hh]C[{comment}];W[ii])")
                for comment in comments
            ]
    return made


def recognised(codec: str, text: str) -> bool:
    """Whether a game is read as what it is."""
    return decode_text(text.encode(codec), faults=structure_faults).text == text


def main() -> None:
    parser("benchmarks.encodings", __doc__).parse_args()
    found: dict[tuple[str, str], list[bool]] = {}
    start = time.perf_counter()
    for kind, codec, text in games():
        found.setdefault((codec, kind), []).append(recognised(codec, text))
    seconds = time.perf_counter() - start
    for (codec, kind), each in found.items():
        print(f"{codec:8} {kind:10} {sum(each):3} of {len(each):3}")
    count = sum(map(len, found.values()))
    right = sum(map(sum, found.values()))
    print(f"{right} of {count} recognised, {1000 * seconds / count:.1f} ms each")


if __name__ == "__main__":
    main()
