import { request } from 'node:http';
import { functionFiles } from '../../../infra/build/function-files.ts';
import { handlerOf } from '../../../infra/invoke.ts';
import type { Endpoint } from '../../../shared/http/endpoint.ts';
import {
  ceilingOf,
  formInputs,
  headInputs,
  type Input,
  isForStrangers,
  jsonInputs,
  multipartInputs,
  TYPES,
  wellFormed,
} from '../../functions/strangers/inputs.ts';
import { cleanUp, startEngineProcess } from '../../infra/local/engine/engine-process.ts';
import { type Figure, median } from '../measure/figures.ts';

const PROMISED_MS = 200;
const TRIES = 3;
// Verified files have bounds of their own.
const VERIFICATION = 'documents/verify-file';

type Sample = { readonly name: string; readonly waitedMs: number };

/** How long another caller waits while an operation without a key reads the largest input that it takes. */
export async function figures(): Promise<Figure[]> {
  const given = process.env.BENCH_URL;
  const engine = given === undefined ? await startEngineProcess() : undefined;
  try {
    await engine?.ready();
    const url = given ?? engine?.url ?? '';
    const quiet: Sample[] = [];
    for (let n = 0; n < 100; n++)
      quiet.push({ name: 'alone', waitedMs: await timeOf(`${url}/session/healthz`) });
    const loaded = await probeAll(url);
    const [slowest] = loaded.toSorted((a, b) => b.waitedMs - a.waitedMs);
    if (!slowest) throw new Error('There are no operations without a key.');
    const of = (samples: readonly Sample[]) => median(samples.map(({ waitedMs }) => waitedMs)).toFixed(1);
    return [
      {
        name: `the longest wait of another caller beside ${loaded.length} largest inputs of strangers, of ${PROMISED_MS} ms`,
        ratio: slowest.waitedMs / PROMISED_MS,
        promised: { atMost: 1 },
        detail: `${slowest.name}: ${slowest.waitedMs.toFixed(0)} ms; the median ${of(loaded)} ms, alone ${of(quiet)} ms`,
      },
    ];
  } finally {
    await cleanUp();
  }
}

async function probeAll(url: string): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (const { path, service, name } of functionFiles()) {
    if (!path.includes('/endpoints/') || service === 'sandbox') continue;
    const endpoint = (await handlerOf(`${service}/${name}`)) as unknown as Endpoint;
    if (!isForStrangers(endpoint.declaration) || `${service}/${name}` === VERIFICATION) continue;
    for (const input of inputsOf(endpoint)) {
      let waitedMs = Number.POSITIVE_INFINITY;
      // Whatever else the machine does falls on one try; what the input costs falls on all.
      for (let attempt = 0; attempt < TRIES && waitedMs > PROMISED_MS; attempt++)
        waitedMs = Math.min(waitedMs, await probe(url, service, endpoint, input));
      samples.push({ name: `${service}/${name}, ${input.name}`, waitedMs });
    }
  }
  return samples;
}

function inputsOf(endpoint: Endpoint): Input[] {
  const [json = 0, form = 0, multipart = 0] = TYPES.map((type) => ceilingOf(endpoint, type));
  return [
    ...headInputs(),
    ...(json > 0 ? jsonInputs(json) : []),
    ...(form > 0 ? formInputs(form) : []),
    ...(multipart > 0 ? multipartInputs(multipart) : []),
  ];
}

//   stranger  |--sends its input ------------------ answered--|
//   caller    |--asks again and again; its longest wait counts--|
async function probe(url: string, service: string, { declaration }: Endpoint, { request }: Input) {
  const { method = 'GET', params = {} } = { ...wellFormed(declaration), ...request };
  const route = declaration.route.slice(declaration.route.indexOf(' ') + 1);
  const path = route.replace(/\{(\w+)\+?\}/g, (_, name: string) => params[name] ?? '');
  const query = new URLSearchParams(
    Object.entries(request.query ?? {}).flatMap(([name, values]) =>
      [values].flat().map((value): [string, string] => [name, value]),
    ),
  );
  let isOver = false;
  const sent = send(`${url}/${service}${path}?${query}`, method, request).finally(() => {
    isOver = true;
  });
  let longest = 0;
  do longest = Math.max(longest, await timeOf(`${url}/session/healthz`));
  while (!isOver);
  await sent;
  return longest;
}

async function timeOf(url: string): Promise<number> {
  const from = performance.now();
  await send(url, 'GET', {});
  return performance.now() - from;
}

/** Not fetch: it takes no header twice, and mends addresses. A refusal before the end of a body is an answer too. */
function send(url: string, method: string, { headers, body }: Input['request']): Promise<void> {
  return new Promise((resolve) => {
    const done = () => resolve();
    const call = request(url, { method, headers: { ...headers }, agent: false }, (response) =>
      response.resume().on('close', done),
    );
    call.on('error', done);
    call.end(body);
  });
}
