import { expect, it } from "vitest";
import { untilReady } from "./asking";

const answers = (...states: string[]) => async () => ({ state: states.shift() ?? "ready" });

it("asks again while the answer is being made, and tells how far it is", async () => {
  const seen: string[] = [];
  const answer = await untilReady(answers("preparing", "preparing", "ready"), ({ state }) => void seen.push(state), new AbortController().signal, 1);
  expect(answer.state).toBe("ready");
  expect(seen).toEqual(["preparing", "preparing"]);
});

it("what cannot be had is an answer too", async () => {
  expect((await untilReady(answers("unavailable"), () => undefined, new AbortController().signal, 1)).state).toBe("unavailable");
});

it("stops when the answer is no longer wanted", async () => {
  const gone = new AbortController();
  await expect(untilReady(answers("preparing", "preparing"), () => gone.abort(), gone.signal, 1)).rejects.toThrow();
});
