import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import * as z from 'zod';
import {
  type FilePart,
  firstFile,
  type Multipart,
  multipartBody,
} from '../../../../shared/http/body/multipart.ts';
import { call } from '../../../requests/http-event.ts';
import { sample } from '../sample.ts';
import { BOUNDARY, FORM_TYPE, field, filePart, formData } from './form-data.ts';

const MAX_FILE_BYTES = 1_000_000;
const MAX_FILES = 2;

const receiving = (work: (form: Multipart) => Promise<unknown>) =>
  sample().endpoint(
    {
      route: 'POST /upload',
      summary: 'Upload',
      body: multipartBody({ maxFiles: () => MAX_FILES, maxFileBytes: () => MAX_FILE_BYTES, schema: {} }),
      answers: { 200: z.array(z.string()) },
      access: 'public',
    },
    async ({ body }) => (await work(body)) as string[],
  );

/** Reads everything, and tells the size of each part. */
const all = receiving(async ({ parts }) => {
  const sizes: string[] = [];
  for await (const part of parts) {
    const size = part.kind === 'field' ? part.value.length : (await buffer(part.content)).length;
    sizes.push(`${part.name} ${size}`);
  }
  return sizes;
});

/** A body that the host hands over as it arrives, and how much of it was taken. */
function arriving(chunks: Iterable<Uint8Array>) {
  const taken = { bytes: 0 };
  const source = Readable.from(
    (function* () {
      for (const chunk of chunks) {
        taken.bytes += chunk.length;
        yield chunk;
      }
    })(),
    { objectMode: false },
  );
  return { taken, source };
}

const send = (handler: typeof all, body: Uint8Array) => call(handler, { headers: FORM_TYPE, body });
const stream = (handler: typeof all, bodyStream: Readable, headers = {}) =>
  call(handler, { headers: { ...FORM_TYPE, ...headers }, bodyStream });

const unhandled = vi.fn();
beforeEach(() => {
  unhandled.mockReset();
  process.on('unhandledRejection', unhandled);
});
afterEach(async () => {
  await new Promise((resolve) => setTimeout(resolve, 5));
  process.off('unhandledRejection', unhandled);
  expect(unhandled).not.toHaveBeenCalled();
});

test('a file may have the largest size, and one byte more is a 413 that tells both', async () => {
  expect((await send(all, formData(filePart('x'.repeat(MAX_FILE_BYTES))))).json()).toEqual(['file 1000000']);
  const answered = await send(all, formData(field('a', 'b'), filePart('x'.repeat(MAX_FILE_BYTES + 1))));
  expect(answered.status).toBe(413);
  expect(answered.json()).toMatchObject({ details: { limitBytes: '1000000', actualBytes: '1000001' } });
});

test('of a file past its limit no more is read than the body may have', async () => {
  const endless = (function* () {
    yield formData(filePart('')).subarray(0, -(BOUNDARY.length + 8));
    for (;;) yield Buffer.alloc(10_000, 'x');
  })();
  const { source, taken } = arriving(endless);
  const answered = await stream(all, source);
  expect(answered.status).toBe(413);
  const ceiling = MAX_FILES * MAX_FILE_BYTES + 3 * 65_536;
  const { limitBytes, actualBytes } = (answered.json() as { details: Record<string, string> }).details;
  expect(Number(limitBytes)).toBe(ceiling);
  expect(Number(actualBytes)).toBeGreaterThan(ceiling);
  expect(taken.bytes).toBeLessThan(ceiling + 200_000);
  expect(source.destroyed).toBe(true);
}, 5_000);

test('a body whose announced length is over the limit is refused unread', async () => {
  const { source, taken } = arriving([formData(field('a', 'b'))]);
  const answered = await stream(all, source, { 'Content-Length': '999999999' });
  expect(answered.status).toBe(413);
  expect(answered.json()).toMatchObject({ details: { actualBytes: '999999999' } });
  expect(taken.bytes).toBe(0);
});

test('more files than allowed, more fields than any form has, and a field too long are 400', async () => {
  const files = Array.from({ length: MAX_FILES + 1 }, () => filePart('x'));
  const many = await send(all, formData(...files));
  expect([many.status, many.json()]).toMatchObject([
    400,
    { details: { field: 'files', reason: 'are more than 2' } },
  ]);

  const fields = Array.from({ length: 33 }, (_, n) => field(`f${n}`, 'x'));
  const crowd = await send(all, formData(...fields));
  expect([crowd.status, crowd.json()]).toMatchObject([400, { details: { field: 'fields' } }]);
  expect((await send(all, formData(...fields.slice(1)))).status).toBe(200);

  const long = await send(all, formData(field('reason', 'x'.repeat(65_537))));
  expect([long.status, long.json()]).toMatchObject([400, { details: { field: 'reason' } }]);
});

test('a body reads the same in one piece and byte by byte', async () => {
  const body = formData(field('a', 'ação'), filePart('x'.repeat(3_000)), field('b', 'c'));
  const bytes = Array.from(body, (byte) => Uint8Array.of(byte));
  const answered = await stream(all, arriving(bytes).source);
  expect(answered.json()).toEqual((await send(all, body)).json());
  expect(answered.json()).toEqual(['a 4', 'file 3000', 'b 1']);
});

test('a file is not asked for before its reader asks', async () => {
  const head = formData(filePart('')).subarray(0, -(BOUNDARY.length + 8));
  const file = Array.from({ length: 180 }, () => Buffer.alloc(5_000, 'x'));
  const { source, taken } = arriving([head, ...file, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]);
  let before = -1;
  const patient = receiving(async ({ parts }) => {
    expect(taken.bytes).toBe(0);
    for await (const part of parts) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      before = taken.bytes;
      if (part.kind === 'file') await buffer(part.content);
    }
    return [];
  });
  expect((await stream(patient, source)).status).toBe(200);
  // What streams hold on the way: far from the whole, however large the file is.
  expect(before).toBeLessThan(500_000);
  expect(taken.bytes).toBeGreaterThan(900_000);
});

const twoFiles = formData(
  filePart('x'.repeat(900_000), { name: 'first' }),
  field('between', 'y'),
  filePart('z'.repeat(900_000), { name: 'second' }),
);

test('a file that nobody reads is passed over', async () => {
  const names = receiving(async ({ parts }) => {
    const seen: string[] = [];
    for await (const part of parts) seen.push(part.name);
    return seen;
  });
  expect((await send(names, twoFiles)).json()).toEqual(['first', 'between', 'second']);
}, 5_000);

test('so is one whose reader stops after its first bytes, in whatever way it stops', async () => {
  const ways: ((file: FilePart) => Promise<void>)[] = [
    async ({ content }) => {
      for await (const _ of content) break;
    },
    async ({ content }) => {
      await new Promise((resolve) => content.once('readable', resolve));
      content.read(10);
    },
    async ({ content }) => {
      await new Promise((resolve) => content.once('data', resolve));
      content.pause();
    },
    async ({ content }) => {
      content.destroy();
    },
  ];
  for (const way of ways) {
    const peeking = receiving(async ({ parts }) => {
      const seen: string[] = [];
      for await (const part of parts) {
        seen.push(part.name);
        if (part.kind === 'file') await way(part);
      }
      return seen;
    });
    expect((await send(peeking, twoFiles)).json()).toEqual(['first', 'between', 'second']);
  }
}, 5_000);

test('who stops in the middle of a form leaves nothing open', async () => {
  let left: FilePart | undefined;
  const early = receiving(async ({ parts }) => {
    for await (const part of parts) {
      if (part.kind === 'file') left = part;
      break;
    }
    return [];
  });
  const source = new Readable({ read() {} });
  source.push(twoFiles.subarray(0, 50_000));
  expect((await stream(early, source)).status).toBe(200);
  await expect.poll(() => source.destroyed).toBe(true);
  // Nobody is left waiting for bytes that never come.
  await expect(buffer(left?.content ?? Readable.from([]))).rejects.toThrow();
}, 5_000);

test('a connection that breaks in the middle of a file fails its reader', async () => {
  const source = new Readable({ read() {} });
  source.push(twoFiles.subarray(0, 50_000));
  let failed: unknown;
  const reading = receiving(async ({ parts }) => {
    for await (const part of parts) {
      if (part.kind !== 'file') continue;
      setTimeout(() => source.destroy(new Error('connection lost')), 10);
      await buffer(part.content).catch((error: unknown) => {
        failed = error;
      });
    }
    return [];
  });
  const answered = await stream(reading, source);
  expect(failed).toMatchObject({ situation: 'invalid', details: { field: 'body' } });
  expect(answered.status).toBe(400);
}, 5_000);

test('a body that ends at its closing boundary, before its announced length, is cut short', async () => {
  const body = formData(field('a', '1'));
  const { source } = arriving([body]);
  const answered = await stream(all, source, { 'Content-Length': String(body.length + 50) });
  expect(answered.status).toBe(400);
  expect(answered.json()).toMatchObject({ details: { reason: 'ended before its announced length' } });
});

test('a form is not over while its announced bytes are missing', async () => {
  const body = formData(field('a', '1'));
  const source = new Readable({ read() {} });
  source.push(body);
  const answering = stream(all, source, { 'Content-Length': String(body.length + 50) });
  // The caller hangs up. Until then the form, whole by its boundaries, is not taken for one.
  setImmediate(() => source.destroy());
  expect((await answering).status).toBe(400);
});

test('a file that is too large fails its reader with the refusal, and the next part is not reached', async () => {
  const seen: string[] = [];
  const careful = receiving(async ({ parts }) => {
    for await (const part of parts) {
      seen.push(part.name);
      if (part.kind === 'file') await buffer(part.content);
    }
    return [];
  });
  const body = formData(filePart('x'.repeat(MAX_FILE_BYTES + 1), { name: 'large' }), field('after', 'y'));
  expect((await send(careful, body)).status).toBe(413);
  expect(seen).toEqual(['large']);
});

test('who wants one file is given the first, and the rest of the form is still held to its limits', async () => {
  const first = receiving(async (form) => {
    const size = await firstFile(form, async ({ content }) => (await buffer(content)).length);
    return [String(size)];
  });
  expect((await send(first, twoFiles)).json()).toEqual(['900000']);
  expect((await send(first, formData(field('a', 'b')))).json()).toEqual(['undefined']);
  expect((await send(first, formData(filePart('x'), filePart('y'), filePart('z')))).status).toBe(400);
  expect((await send(first, twoFiles.subarray(0, -20))).status).toBe(400);
});

test('parts that are nothing of a form are counted too, so that a small body cannot take long', async () => {
  const nothings = Buffer.from(`${`--${BOUNDARY}\r\n\r\n\r\n`.repeat(5_000)}--${BOUNDARY}--\r\n`);
  const answer = await send(all, nothings);
  expect(answer.status).toBe(400);
  expect(answer.text).toContain('parts');
});
