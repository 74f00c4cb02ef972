// Tables as CSV that a spreadsheet opens without running anything.

/** A cell that starts like a formula would be run by a spreadsheet; a leading apostrophe keeps it text. */
function harmless(cell: string): string {
  return /^[=+\-@\t\r]/.test(cell) && Number.isNaN(Number(cell)) ? `'${cell}` : cell;
}

function field(cell: string): string {
  const text = harmless(cell);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function csv(columns: string[], rows: (string | number | null)[][]): string {
  return [columns, ...rows].map((row) => row.map((cell) => field(cell === null ? "" : String(cell))).join(",")).join("\n") + "\n";
}
