import { join } from 'node:path';

const REPOSITORY = join(import.meta.dirname, '../../../..');

/** A service whose one function answers streams as its query asks, and one that tells what became of them. */
export const STREAMING_SAMPLE = {
  'functions/sandbox/functions.yml': `
sandboxFlow:
  handler: dist/sandbox/flow.handler
  events: [{ http: { path: sandbox/flow, method: get, response: { transferMode: STREAM } } }]
sandboxGetSeen:
  handler: dist/sandbox/get-seen.handler
  events: [{ http: { path: sandbox/seen, method: get } }]
sandboxRefuseUnknownRoute:
  handler: dist/sandbox/refuse-unknown-route.handler
  events: [{ http: { path: 'sandbox/{proxy+}', method: any } }]
`,
  'functions/sandbox/service.ts': `export { sample } from '${REPOSITORY}/test/shared/http/sample.ts';\n`,
  'functions/sandbox/domain/seen.ts': `
    type Seen = { open: number; sent: number; peakBytes: number };
    const place = globalThis as { seen?: Seen };
    export const seen = (place.seen ??= { open: 0, sent: 0, peakBytes: 0 });
    const CHUNK = 64 * 1024;
    /** So many bytes, of which it sends some before it fails. */
    export async function* flow(bytes: number, failAt: number) {
      seen.open++;
      try {
        for (let sent = 0; ; sent += CHUNK) {
          if (sent >= failAt) throw new Error('the store hung up');
          if (sent >= bytes) return;
          seen.peakBytes = Math.max(seen.peakBytes, process.memoryUsage.rss());
          const chunk = Buffer.alloc(Math.min(CHUNK, bytes - sent), 'x');
          seen.sent += chunk.length;
          yield chunk;
        }
      } finally {
        seen.open--;
      }
    }\n`,
  'functions/sandbox/endpoints/flow.ts': `
    import { Readable } from 'node:stream';
    import { file } from '../../../shared/http/response/answer.ts';
    import { EMPTY, fileOf } from '../../../shared/http/declaration.ts';
    import { flow, seen } from '../domain/seen.ts';
    import { sample } from '../service.ts';
    const cookies = [{ name: 'first', value: '1' }, { name: 'second', value: '2' }];
    const answers = { 200: fileOf('*/*'), 204: EMPTY, 304: EMPTY };
    export const handler = sample().endpoint(
      { route: 'GET /flow', summary: 'Flow', answers, access: 'public', streams: true },
      async ({ query }) => {
        Object.assign(seen, { sent: 0, peakBytes: 0 });
        const bytes = Number(query.bytes);
        const source = Readable.from(flow(bytes, Number(query.failAt ?? Infinity)), { objectMode: query.objects === '1' });
        // The store's own answers are streams with headers, which are none of the caller's.
        Object.assign(source, { headers: { 'x-amz-request-id': 'secret' }, statusCode: 206 });
        if (query.closeAt) source.on('data', () => { if (seen.sent >= Number(query.closeAt)) source.destroy(); }).pause();
        if (query.early) source.destroy(new Error('the store never answered'));
        return file(source, String(query.type ?? 'application/pdf'), {
          name: 'a.pdf',
          status: Number(query.status ?? 200),
          ...(query.length && { length: bytes }),
          ...(query.cookies && { cookies }),
        });
      },
    );\n`,
  'functions/sandbox/endpoints/get-seen.ts': `
    import { seen } from '../domain/seen.ts';
    export const handler = async () => ({
      statusCode: 200,
      headers: { 'x-correlation-id': 'x' },
      body: JSON.stringify(seen),
    });\n`,
  'functions/sandbox/endpoints/refuse-unknown-route.ts': `
    import { sample } from '../service.ts';
    export const handler = sample().refuseUnknownRoute();\n`,
  'functions/session/functions.yml': '{}\n',
};
