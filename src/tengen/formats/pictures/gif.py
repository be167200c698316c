"""An animation as a GIF file."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from tengen.extras import importing
from tengen.formats.pictures.animation import Animation, Patch
from tengen.formats.pictures.raster import to_png

if TYPE_CHECKING:
    from PIL.Image import Image


def to_gif(animation: Animation) -> bytes:
    """Return an animation as a GIF file that plays for ever.

    All frames have one palette, the best for the first frame, the last and the one before it together.

    Raises:
        MissingPackage: resvg or Pillow is not installed.
    """
    drawn = [[_pixels(patch) for patch in frame.patches] for frame in animation.frames]
    (first,), (last,) = drawn[0], drawn[-1]
    before = first.copy()
    for frame, images in zip(animation.frames[:-1], drawn, strict=False):
        _paste(before, frame.patches, images)
    palette = _palette((first, before, last), animation.accents)
    canvas = _reduced(first, palette)
    frames = [canvas]
    for frame, images in zip(animation.frames[1:], drawn[1:], strict=True):
        canvas = canvas.copy()
        _paste(canvas, frame.patches, [_reduced(image, palette) for image in images])
        frames.append(canvas)
    times = [frame.milliseconds for frame in animation.frames]
    data = io.BytesIO()
    canvas, *others = frames
    canvas.save(data, "GIF", save_all=True, append_images=others, duration=times, loop=0)
    return data.getvalue()


def _pixels(patch: Patch) -> Image:
    with importing():
        from PIL import Image

    return Image.open(io.BytesIO(to_png(patch.svg, patch.width, patch.height))).convert("RGB")


def _paste(canvas: Image, patches: Iterable[Patch], images: Iterable[Image]) -> None:
    for patch, image in zip(patches, images, strict=True):
        canvas.paste(image, (patch.left, patch.top))


def _palette(images: Sequence[Image], accents: Iterable[str]) -> Image:
    """Return an image of one pixel with the best common palette of these images, accents included."""
    from PIL import Image, ImageColor

    width, height = images[0].size
    strip = Image.new("RGB", (width * len(images), height))
    for place, image in enumerate(images):
        strip.paste(image, (place * width, 0))
    # An accent is in too few pixels to be chosen by their number.
    rare = [ImageColor.getrgb(colour) for colour in accents]
    common = strip.quantize(256 - len(rare), Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    palette = Image.new("P", (1, 1))
    palette.putpalette([*(common.getpalette() or ()), *(part for colour in rare for part in colour)])
    return palette


def _reduced(image: Image, palette: Image) -> Image:
    from PIL import Image

    return image.quantize(palette=palette, dither=Image.Dither.NONE)
