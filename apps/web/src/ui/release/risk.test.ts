import { expect, it } from "vitest";
import type { RiskCurve } from "../api/types";
import { sentence } from "./risk";

it("what an attacker finds is a sentence, with times where they are known", () => {
  const share = (value: number) => ({ count: 0, share: value });
  const curve: RiskCurve = { people: 1500, targets: 1000, sampled: true, below: 5, points: [{ known: 1, singled_out: share(0), below: share(0) }, { known: 4, singled_out: share(0.217), below: share(0.5) }] };
  expect(sentence(curve)).toBe("An attacker who knows 4 events of a person's life finds exactly that person in 21.7% of cases; one known event is enough for none. Estimated from 1,000 of 1,500 people.");
  expect(sentence({ ...curve, sampled: false, points: [{ known: 2, singled_out: share(0), below: share(0) }] }, true)).toBe("An attacker who knows 2 events of a person's life and when they happened finds exactly that person in no case.");
  expect(sentence({ ...curve, points: [] })).toBe("Nothing could be computed.");
});
