import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { handler as addMarks } from '../../../../../functions/pki/pdf/endpoints/add-pdf-marks.ts';
import { forFile } from '../../../../runner/for-file.ts';
import { pngOf } from '../../../../shared/signing/pades/appearance/png.ts';
import { plainPdf } from '../../../../shared/signing/pades/documents.ts';
import { ask, authenticationStage } from '../../authentication/stage.ts';

await forFile(authenticationStage());
const file = { content: (await plainPdf('table')).toString('base64') };
const picture = pngOf({ kind: 2, bits: 8 }, 2, Array(2).fill(Array(6).fill(0x99)));

const asked = new Map<string, number>();
// A file of 2 MB that begins as an image.
const large = Buffer.concat([picture, Buffer.alloc(2_000_000)]);
const server = createServer(({ url = '' }, response) => {
  asked.set(url, (asked.get(url) ?? 0) + 1);
  response.end(url.startsWith('/large') ? large : picture);
});
beforeAll(async () => {
  vi.stubEnv('Network__AllowPrivateAddresses', 'true');
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => void server.close());

const at = (path: string) => ({
  elementType: 'Image',
  image: { resource: { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}` } },
});
const marking = (...marks: (readonly string[])[]) =>
  ask(addMarks, { file, marks: marks.map((paths) => ({ elements: paths.map(at) })) });

describe('the images of marks that have addresses', () => {
  test('are asked for once, whatever marks have them', async () => {
    expect((await marking(Array(20).fill('/logo'), ['/logo'])).status).toBe(200);
    expect(asked.get('/logo')).toBe(1);
  });

  test('are refused before they take more memory than a file may have', async () => {
    const refused = await marking(Array.from({ length: 40 }, (_, n) => `/large/${n}`));
    expect(refused).toMatchObject({ status: 422, code: 'CannotApplyPdfMarks' });
    expect([...asked.keys()].filter((path) => path.startsWith('/large'))).toHaveLength(6);
  });

  test('are at fifty addresses at most', async () => {
    const paths = Array.from({ length: 50 }, (_, n) => `/small/${n}`);
    expect((await marking(paths)).status).toBe(200);
    expect(await marking(paths, ['/small/50'])).toMatchObject({ status: 422, code: 'CannotApplyPdfMarks' });
    expect(asked.has('/small/50')).toBe(false);
  });
});
