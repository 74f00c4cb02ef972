// Which pages a pager offers.

/** The first, the last and those around the present one; null stands for pages left out. */
export function pagesAround(here: number, last: number): (number | null)[] {
  const wanted = new Set([1, last, here - 1, here, here + 1].filter((page) => page >= 1 && page <= last));
  const pages = [...wanted].sort((a, b) => a - b);
  return pages.flatMap((page, i) => {
    const gap = page - (pages[i - 1] ?? 0);
    // Where one page would be left out, it is shown instead of a gap.
    return gap === 2 ? [page - 1, page] : gap > 2 ? [null, page] : [page];
  });
}
