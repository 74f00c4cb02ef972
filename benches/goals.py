"""What a case is to reach: in words for the table, and as a question to its result.

A goal is a pair of words and a function of the result and of all results so far, by name; the function answers True, False,
or None where the answer needs a result that is not there.
"""


def ratio(most, bytes_each=None):
    """The whole command takes at most so many times as long as reading, and so many bytes an event or row."""
    words = f"{most}x" if bytes_each is None else f"{most}x, {bytes_each} B each"

    def reached(result, _):
        small = bytes_each is None or result["peak"] <= bytes_each * result["size"]
        return result["ratio"] <= most and small

    return words, reached


def read_speed(least):
    """Reading goes at so many megabytes a second."""
    return f"read at {least} MB/s", lambda result, _: result["speed"] >= least


def slower_than(other, times):
    """A variant without an optimisation is at least so many times slower than the case with it."""

    def reached(result, results):
        return result["seconds"] >= times * results[other]["seconds"] if other in results else None

    return f"{times}x slower than with it", reached
