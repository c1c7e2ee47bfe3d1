"""Films of a packing or a mechanism as GIF (Pillow) or MP4 (ffmpeg), and pictures of one moment. render/ draws them."""
import contextlib
import errno
import subprocess

import numpy as np

from . import moments
from .picture_options import scene_of

SECONDS = 10.0  # of a film of many snapshots
SNAPSHOTS_PER_SECOND = 2.0  # at least: a film of few is shorter
RATE = {"gif": 10.0, "mp4": 25.0}
CREATOR = "beadwave report"  # the program replaces only films with this comment


def frames_of(run, form, options):
    """The snapshot of each frame, and the frames per second. A frame shows the snapshot that is nearest in time."""
    rate = options.fps or RATE[form]
    seconds = options.seconds or min(SECONDS, max(1.0 / rate, len(run.snapshot_time) / SNAPSHOTS_PER_SECOND))
    time = np.linspace(run.snapshot_time[0], run.snapshot_time[-1], max(1, round(seconds * rate)))
    after = np.clip(np.searchsorted(run.snapshot_time, time), 1, max(1, len(run.snapshot_time) - 1))
    before = run.snapshot_time[after - 1]
    nearer = time - before <= run.snapshot_time[np.minimum(after, len(run.snapshot_time) - 1)] - time
    return np.minimum(after - nearer, len(run.snapshot_time) - 1), rate


def _images(scene, rows):
    """An image per frame; the same snapshot is drawn once."""
    last, image = None, None
    for row in rows:
        if row != last:
            last, image = row, scene.image(row)
        yield image


def write(run, path, form, options):
    """`form`: "gif" or "mp4"."""
    rows, rate = frames_of(run, form, options)
    scene = scene_of(run, np.unique(rows), options)
    {"gif": _write_gif, "mp4": _write_mp4}[form](_images(scene, rows), scene.size, rate, path)


def write_picture(run, path, options):
    """The picture of one moment as PNG: that of --at, otherwise the last."""
    from PIL.PngImagePlugin import PngInfo
    row = moments.at(run, options.at)[0][0] if options.at else len(run.snapshot_time) - 1
    rows = np.unique([*[row for row, _ in moments.chosen(run)], row])  # one colour bar for all moments of a run
    notes = PngInfo()
    notes.add_text("Software", CREATOR)
    scene_of(run, rows, options).image(row).save(path, format="PNG", pnginfo=notes)


def _write_gif(images, _size, rate, path):
    """Times of a GIF are hundredths of a second, so the length of a frame varies. All frames have the colours of the first,
    the middle and the last."""
    images = list(images)
    ends = np.round(100.0 * np.arange(1, len(images) + 1) / rate).astype(int)
    shown, lengths = [], []
    for image, length in zip(images, 10 * np.diff(np.append(0, ends))):
        if shown and shown[-1] is image:
            lengths[-1] += int(length)
        else:
            shown.append(image)
            lengths.append(int(length))
    palette = _palette([shown[0], shown[len(shown) // 2], shown[-1]])
    frames = [image.quantize(palette=palette, dither=0) for image in shown]
    frames[0].save(path, format="GIF", save_all=True, append_images=frames[1:], comment=CREATOR.encode(), duration=lengths, loop=0, optimize=False)


def _palette(images):
    from PIL import Image
    width, height = images[0].size
    both = Image.new("RGB", (width, height * len(images)))
    for k, image in enumerate(images):
        both.paste(image, (0, k * height))
    palette = both.quantize(255)
    palette.putpalette([*palette.getpalette()[:3 * 255], 255, 255, 255])  # white stays white
    return palette


def _write_mp4(images, size, rate, path):
    # bitexact: no date and no version inside, so that the same history gives the same file.
    command = ["ffmpeg", "-y", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{size[0]}x{size[1]}", "-r", f"{rate:g}", "-i", "-",
               "-vf", "scale=out_color_matrix=bt709", "-vcodec", "h264", "-crf", "17", "-pix_fmt", "yuv420p", "-colorspace", "bt709", "-threads", "1",
               "-metadata", f"comment={CREATOR}", "-f", "mp4", "-fflags", "+bitexact", "-flags", "+bitexact", str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as ffmpeg:
        try:
            for image in images:
                ffmpeg.stdin.write(image.tobytes())
            ffmpeg.stdin.close()
        except BrokenPipeError:  # it has ended; why, it has said
            with contextlib.suppress(BrokenPipeError):
                ffmpeg.stdin.close()
        except BaseException:
            ffmpeg.kill()
            raise
        said = ffmpeg.stderr.read().decode("utf-8", "replace").strip()
    if ffmpeg.returncode:
        raise OSError(errno.EIO, f"ffmpeg: {said.splitlines()[-1] if said else 'ended without a word'}", str(path))
