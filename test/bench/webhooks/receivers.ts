import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// Run by webhooks.ts in a process of its own: POST /?ms=20&fails=0.2 answers after so long, and fails so often. A
// GET answers what each name got: its requests, those that were answered 200, and the distinct webhook-ids of both.

type Count = { requests: number; confirmed: number; ids: Set<string>; confirmedIds: Set<string> };
const counts = new Map<string, Count>();

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://receiver');
  if (request.method === 'GET') return response.end(JSON.stringify(seen()));
  const count: Count = counts.get(pathname) ?? {
    requests: 0,
    confirmed: 0,
    ids: new Set(),
    confirmedIds: new Set(),
  };
  counts.set(pathname, count);
  const id = String(request.headers['webhook-id']);
  const status = Math.random() < Number(searchParams.get('fails') ?? 0) ? 500 : 200;
  request.resume().on('end', () => {
    setTimeout(
      () => {
        count.requests += 1;
        count.ids.add(id);
        if (status === 200) count.confirmedIds.add(id);
        if (status === 200) count.confirmed += 1;
        response.writeHead(status).end('ok');
      },
      Number(searchParams.get('ms') ?? 0),
    );
  });
});

const seen = () =>
  Object.fromEntries(
    [...counts].map(([name, { requests, confirmed, ids, confirmedIds }]) => [
      name,
      { requests, confirmed, ids: ids.size, confirmedIds: confirmedIds.size },
    ]),
  );

server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit(0));
