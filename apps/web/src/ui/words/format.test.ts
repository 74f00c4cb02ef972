import { describe, expect, it } from "vitest";
import { between, duration, exactPercent, percent } from "./format";

describe("numbers as people say them", () => {
  it("a range is not said twice", () => {
    expect(between(0.1, 0.4)).toBe("under a second");
    expect(between(0.1, 12)).toBe("up to 12 s");
    expect(between(3.3, 17)).toBe("3.3 s to 17 s");
    expect(duration(5400)).toBe("1.5 h");
  });
  it("a rare case is never shown as nothing", () => {
    expect([0, 0.0001, 0.0002, 0.125].map(exactPercent)).toEqual(["0%", "0.01%", "0.02%", "12.5%"]);
    expect([0, 0.0001, 0.5, 0.9999, 1].map(percent)).toEqual(["0%", "< 0.1%", "50%", "> 99.9%", "100%"]);
  });
});
