import autocannon from 'autocannon';
import { SANDBOX_KEY } from '../../../functions/sandbox/sandbox-data.ts';
import { seedSandbox } from '../../../infra/local/seed/seed.ts';
import { tableName } from '../../../shared/settings/names.ts';
import { type Figure, median } from '../measure/figures.ts';
import { HANDLERS_URL, serveHandlers } from '../measure/served-handlers.ts';
import { startStores } from '../measure/stores.ts';

const SECONDS = 6;
const ROUNDS = 3;
const CONNECTIONS = 10;

/** Requests a second of an endpoint of ours against a bare handler with the same write, under the same server. */
export async function figures(): Promise<Figure[]> {
  const { stop } = await startStores();
  process.env.BENCH_TABLE = tableName('pki');
  await seedSandbox();
  const server = await serveHandlers(['bare', 'house']);
  try {
    await Promise.all([load('bare', 2), load('house', 2)]);
    const rounds = [];
    // Turn by turn, so that whatever else the machine does falls on both alike.
    for (let n = 0; n < ROUNDS; n++)
      rounds.push({ bare: await load('bare', SECONDS), house: await load('house', SECONDS) });
    const bare = median(rounds.map((round) => round.bare));
    const house = median(rounds.map((round) => round.house));
    return [
      {
        name: 'endpoint() against a bare handler, one conditional write each',
        ratio: median(rounds.map((round) => round.house / round.bare)),
        promised: { atLeast: 0.5 },
        detail: `${Math.round(house)} and ${Math.round(bare)} requests/s`,
      },
    ];
  } finally {
    server.kill('SIGKILL');
    await stop();
  }
}

async function load(route: 'bare' | 'house', seconds: number): Promise<number> {
  const result = await autocannon({
    url: `${HANDLERS_URL}/${route}`,
    method: 'POST',
    duration: seconds,
    connections: CONNECTIONS,
    headers: { 'content-type': 'application/json', 'x-api-key': SANDBOX_KEY },
    body: JSON.stringify({ id: route }),
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${route}: not every answer was 2xx: ${JSON.stringify(result.statusCodeStats)}.`);
  return result.requests.average;
}
