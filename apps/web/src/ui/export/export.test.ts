import { describe, expect, it } from "vitest";
import { csv } from "./csv";
import { pathPoints, pdf } from "./pdf";

describe("exports", () => {
  it("a cell that looks like a formula stays text, a negative number stays a number", () => {
    expect(csv(["a", "b"], [["=HYPERLINK(1)", -3], ['say "hi", you', null]])).toBe(`a,b\n'=HYPERLINK(1),-3\n"say ""hi"", you",\n`);
  });
  it("a PDF's table of objects points at its objects", () => {
    const file = pdf(100, 50, [{ kind: "text", x: 1, y: 2, size: 12, bold: false, text: "50% (of k) – ≥", fill: [0, 0, 0] }]);
    const start = Number(/startxref\n(\d+)/.exec(file)![1]);
    expect(file.slice(start, start + 4)).toBe("xref");
    const offsets = [...file.slice(start).matchAll(/^(\d{10}) 00000 n/gm)].map((match) => Number(match[1]));
    offsets.forEach((at, i) => expect(file.slice(at, at + 7)).toBe(`${i + 1} 0 obj`));
    const length = Number(/Length (\d+)/.exec(file)![1]);
    expect(file.split("stream\n")[1]!.slice(0, length + 1).endsWith("\n")).toBe(true);
    expect([...file].every((letter) => letter.charCodeAt(0) < 128)).toBe(true);
    expect(file).toContain("(50% \\(of k\\) \\226 >=)");
  });
  it("a path's parts become lists of points", () => {
    expect(pathPoints("M0,1L2,3Z M5,5H6V7")).toEqual([
      { points: [[0, 1], [2, 3]], closed: true },
      { points: [[5, 5], [6, 5], [6, 7]], closed: false },
    ]);
  });
});
