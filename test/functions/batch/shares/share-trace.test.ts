import { expect, test } from 'vitest';
import { putShare } from '../../../../functions/batch/storage/domain/change-share.ts';
import { inputFiles } from '../../../../functions/batch/storage/domain/stores.ts';
import { runInTrace, startTrace } from '../../../../shared/trace/trace.ts';
import { startServer } from '../../../shared/net/a-server.ts';

test('a transfer to or from a share carries the id of the work that makes it, and signs no header of it', async () => {
  const seen: (string | undefined)[][] = [];
  const server = await startServer((request, response) => {
    const { 'x-correlation-id': id, traceparent, authorization } = request.headers;
    seen.push([`${id}`, `${traceparent}`.slice(0, 3), /SignedHeaders=([^,]*)/.exec(`${authorization}`)?.[1]]);
    response.writeHead(404).end();
  });
  const share = {
    endpoint: server.url,
    bucket: 'entrada',
    prefix: '',
    region: 'us-east-1',
    authority: undefined,
  };
  await putShare({ name: 'traced', ...share, accessKeyId: 'AK', secretAccessKey: 'secret' });
  const files = await inputFiles('traced');
  await runInTrace(startTrace({ correlationId: 'order-42' }), () => files.head('contract.pdf'));
  await files.head('contract.pdf');
  expect(seen.map(([id, version]) => [id, version])).toEqual([
    ['order-42', '00-'],
    ['undefined', 'und'],
  ]);
  for (const [, , signed] of seen) expect(signed).not.toMatch(/correlation|traceparent/);
  await server.stop();
});
