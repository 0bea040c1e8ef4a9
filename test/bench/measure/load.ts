import autocannon from 'autocannon';
import { median } from './figures.ts';

const SECONDS = 5;
const ROUNDS = 3;
const CONNECTIONS = 10;

/** Answers a second under a steady load. Anything but a 2xx is an error: it would be fast for the wrong reason. */
export async function perSecond(request: autocannon.Request & { url: string }): Promise<number> {
  const result = await autocannon({
    ...request,
    duration: SECONDS,
    connections: CONNECTIONS,
  } as autocannon.Options);
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${request.url}: ${result.non2xx} answers were not 2xx, ${result.errors} failed.`);
  return result.requests.average;
}

/** How often a second something can be done, one after another. */
export async function timesPerSecond(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  let done = 0;
  for (; performance.now() < start + SECONDS * 1000; done++) await work();
  return (done * 1000) / (performance.now() - start);
}

type Measure = () => Promise<number>;

/** One against the other in turns, so that what else the machine does falls on both. Their middles are told too. */
export async function inTurns(ours: Measure, theirs: Measure) {
  const rounds: { ours: number; theirs: number }[] = [];
  for (let n = 0; n < ROUNDS; n++) rounds.push({ theirs: await theirs(), ours: await ours() });
  const middle = (name: 'ours' | 'theirs') => median(rounds.map((round) => round[name])).toFixed(0);
  return {
    ratio: median(rounds.map((round) => round.ours / round.theirs)),
    ours: middle('ours'),
    theirs: middle('theirs'),
  };
}
