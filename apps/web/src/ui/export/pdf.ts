// A plot as a PDF page with vector lines and real text. Plots here are lines, bars, dots and words; a general SVG
// converter would be ten times the size of everything else and wants inline styles, which the page's policy forbids.

import { GROUND, HEAD, inLight } from "./svg";

export type Shape =
  | { kind: "path"; points: [number, number][]; closed: boolean; fill: Colour | null; stroke: Colour | null; width: number; dash: number[] }
  | { kind: "text"; x: number; y: number; size: number; bold: boolean; text: string; fill: Colour };

/** Red, green and blue, each 0 to 1. */
export type Colour = [number, number, number];

const n = (value: number): string => String(Number(value.toFixed(2)));

/** WinAnsi, which every reader has; what it lacks becomes a question mark. */
function literal(text: string): string {
  const known: Record<string, string> = { "–": "\x96", "—": "\x97", "≥": ">=", "≤": "<=", "…": "\x85", "’": "\x92", "∞": "inf" };
  let out = "";
  for (const letter of text) {
    const mapped = known[letter] ?? (letter.charCodeAt(0) < 256 ? letter : "?");
    for (const c of mapped) {
      const code = c.charCodeAt(0);
      out += "()\\".includes(c) ? `\\${c}` : code < 32 || code > 126 ? `\\${code.toString(8).padStart(3, "0")}` : c;
    }
  }
  return out;
}

function draw(shape: Shape, height: number): string {
  if (shape.kind === "text") {
    const font = shape.bold ? "F2" : "F1";
    return `${shape.fill.map(n).join(" ")} rg BT /${font} ${n(shape.size)} Tf ${n(shape.x)} ${n(height - shape.y)} Td (${literal(shape.text)}) Tj ET`;
  }
  const path = shape.points.map(([x, y], i) => `${n(x)} ${n(height - y)} ${i === 0 ? "m" : "l"}`).join(" ");
  const paint = shape.fill && shape.stroke ? "B" : shape.fill ? "f" : "S";
  const pen = shape.stroke ? `${shape.stroke.map(n).join(" ")} RG ${n(shape.width)} w [${shape.dash.map(n).join(" ")}] 0 d ` : "";
  const ink = shape.fill ? `${shape.fill.map(n).join(" ")} rg ` : "";
  return `${pen}${ink}${path}${shape.closed ? " h" : ""} ${paint}`;
}

/** A PDF file of one page. All characters are below 128, so positions in the text are positions in the file. */
export function pdf(width: number, height: number, shapes: Shape[]): string {
  const content = shapes.map((shape) => draw(shape, height)).join("\n");
  const font = (name: string) => `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`;
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${n(width)} ${n(height)}] /Contents 4 0 R /Resources << /Font << /F1 5 0 R /F2 6 0 R >> >> >>`,
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    font("Helvetica"),
    font("Helvetica-Bold"),
  ];
  let file = "%PDF-1.4\n";
  const offsets = objects.map((object, i) => {
    const at = file.length;
    file += `${i + 1} 0 obj\n${object}\nendobj\n`;
    return at;
  });
  const start = file.length;
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`;
  file += offsets.map((at) => `${String(at).padStart(10, "0")} 00000 n \n`).join("");
  return `${file}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
}

/** Browsers report colours in several notations; a canvas turns them all into three bytes. */
function colourReader(): (css: string, over: Colour) => Colour | null {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 1;
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  return (css, over) => {
    if (!pen || css === "none" || css === "") return null;
    pen.clearRect(0, 0, 1, 1);
    pen.fillStyle = css;
    pen.fillRect(0, 0, 1, 1);
    const [r = 0, g = 0, b = 0, a = 0] = pen.getImageData(0, 0, 1, 1).data;
    if (a === 0) return null;
    return mix([r / 255, g / 255, b / 255], over, a / 255);
  };
}

const mix = (top: Colour, under: Colour, share: number): Colour => [0, 1, 2].map((i) => (top[i] ?? 0) * share + (under[i] ?? 0) * (1 - share)) as Colour;

/** Points of a path made of M, L, H, V and Z, one list for each part. */
export function pathPoints(d: string): { points: [number, number][]; closed: boolean }[] {
  const parts: { points: [number, number][]; closed: boolean }[] = [];
  let at: [number, number] = [0, 0];
  for (const [, command = "", rest = ""] of d.matchAll(/([MLHVZ])([^MLHVZ]*)/g)) {
    const numbers = (rest.match(/-?\d*\.?\d+(e-?\d+)?/g) ?? []).map(Number);
    let part = parts.at(-1);
    if (command === "Z") {
      if (part) part.closed = true;
      continue;
    }
    if (command === "M" || !part) parts.push((part = { points: [], closed: false }));
    const width = command === "H" || command === "V" ? 1 : 2;
    for (let i = 0; i + width <= numbers.length; i += width) {
      const [a = 0, b = 0] = numbers.slice(i, i + width);
      at = command === "H" ? [a, at[1]] : command === "V" ? [at[0], a] : [a, b];
      part.points.push(at);
    }
  }
  return parts;
}

function outline(element: SVGGraphicsElement): { points: [number, number][]; closed: boolean }[] {
  const get = (name: string) => Number(element.getAttribute(name) ?? 0);
  switch (element.tagName) {
    case "line":
      return [{ points: [[get("x1"), get("y1")], [get("x2"), get("y2")]], closed: false }];
    case "rect": {
      const { x, y, width, height } = element.getBBox();
      return [{ points: [[x, y], [x + width, y], [x + width, y + height], [x, y + height]], closed: true }];
    }
    case "circle": {
      const corners = Array.from({ length: 24 }, (_, i): [number, number] => {
        const turn = (i / 24) * 2 * Math.PI;
        return [get("cx") + get("r") * Math.cos(turn), get("cy") + get("r") * Math.sin(turn)];
      });
      return [{ points: corners, closed: true }];
    }
    case "path":
      return pathPoints(element.getAttribute("d") ?? "");
    default:
      return [];
  }
}

interface Drawing {
  width: number;
  height: number;
  shapes: Shape[];
}

/** What is drawn in an SVG element of ours, as a light page shows it. */
export const shapesOf = (svg: SVGSVGElement, title: string): Drawing => inLight(svg, () => walked(svg, title));

function walked(svg: SVGSVGElement, title: string): Drawing {
  const { width, height: drawn } = svg.getBoundingClientRect();
  const height = drawn + HEAD;
  const read = colourReader();
  const ground = read(GROUND, [1, 1, 1]) ?? [1, 1, 1];
  const shapes: Shape[] = [
    { kind: "path", points: [[0, 0], [width, 0], [width, height], [0, height]], closed: true, fill: ground, stroke: null, width: 0, dash: [] },
    { kind: "text", x: 2, y: 18, size: 15, bold: true, text: title, fill: [0.09, 0.13, 0.17] },
  ];
  for (const element of svg.querySelectorAll<SVGGraphicsElement>("line, rect, circle, path, text")) {
    if (element.closest("[data-live]")) continue;
    const matrix = element.getCTM();
    if (!matrix) continue;
    const move = ([x, y]: [number, number]): [number, number] => [x * matrix.a + y * matrix.c + matrix.e, x * matrix.b + y * matrix.d + matrix.f + HEAD];
    const style = getComputedStyle(element);
    if (element.tagName === "text") {
      const box = element.getBBox();
      const size = Number.parseFloat(style.fontSize);
      const [x, y] = move([box.x, box.y + box.height - size * 0.25]);
      shapes.push({ kind: "text", x, y, size, bold: Number(style.fontWeight) >= 600, text: element.textContent ?? "", fill: read(style.fill, ground) ?? [0, 0, 0] });
      continue;
    }
    const plain = read(style.fill, ground);
    const fill = plain && mix(plain, ground, Number(style.fillOpacity) * Number(style.opacity));
    const stroke = read(style.stroke, ground);
    const dash = style.strokeDasharray === "none" ? [] : style.strokeDasharray.split(/[ ,]+/).map(Number.parseFloat);
    for (const { points, closed } of outline(element)) {
      if (points.length === 0 || (!fill && !stroke)) continue;
      shapes.push({ kind: "path", points: points.map(move), closed, fill: element.tagName === "line" ? null : fill, stroke, width: Number.parseFloat(style.strokeWidth) || 1, dash });
    }
  }
  return { width, height, shapes };
}
