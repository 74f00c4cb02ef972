// Some answers take the server longer than a request should: it answers that they are being computed, and is asked again.

const PAUSE = 400;

/** Asks until the answer is there. `meanwhile` gets each answer before that, with its progress. */
export async function untilReady<A extends { state: string }>(ask: () => Promise<A>, meanwhile: (answer: A) => void, signal: AbortSignal, pause = PAUSE): Promise<A> {
  for (;;) {
    const answer = await ask();
    if (answer.state !== "preparing") return answer;
    signal.throwIfAborted();
    meanwhile(answer);
    await new Promise((done) => setTimeout(done, pause));
    signal.throwIfAborted();
  }
}
