import { describe, expect, it } from "vitest";
import { sentence } from "../src/lib/risk";
import type { RiskCurve } from "../src/lib/types";
import { between, duration, exactPercent, percent } from "../src/lib/format";

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

it("what an attacker finds is a sentence, with times where they are known", () => {
  const share = (value: number) => ({ count: 0, share: value });
  const curve: RiskCurve = { people: 1500, targets: 1000, sampled: true, below: 5, points: [{ known: 1, singled_out: share(0), below: share(0) }, { known: 4, singled_out: share(0.217), below: share(0.5) }] };
  expect(sentence(curve)).toBe("Somebody who knows 4 events of a person's life finds exactly that person in 21.7% of cases; one known event is enough for nobody. Estimated from 1,000 of 1,500 people.");
  expect(sentence({ ...curve, sampled: false, points: [{ known: 2, singled_out: share(0), below: share(0) }] }, true)).toBe("Somebody who knows 2 events of a person's life and when they happened finds exactly that person in no case.");
  expect(sentence({ ...curve, points: [] })).toBe("Nothing could be computed.");
});
