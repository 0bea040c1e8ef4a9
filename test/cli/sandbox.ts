import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PDFDocument } from 'pdf-lib';
import { answerOcsp } from '../../functions/sandbox/authority/domain/answer-ocsp.ts';
import type { SandboxAuthority } from '../../functions/sandbox/authority/domain/authority.ts';
import { completeAuthority } from '../../functions/sandbox/authority/domain/make-authority.ts';
import { readPublishedFile } from '../../functions/sandbox/authority/domain/published.ts';
import { stampTime } from '../../functions/sandbox/authority/domain/stamp-time.ts';
import { writePkiFolder } from '../../infra/local/seed/pki-folder.ts';

export type ServedSandbox = {
  readonly url: string;
  readonly authority: SandboxAuthority;
  /** A file of its pki folder. */
  pki(...path: string[]): string;
  /** A place for the test's own files. */
  path(name: string): string;
  stop(): void;
};

const TYPES: Readonly<Record<string, string>> = {
  ocsp: 'application/ocsp-response',
  timestamp: 'application/timestamp-reply',
};

/** The sandbox's authority with its files, lists, responder and timestamps, and nothing else of the engine. */
export async function serveSandbox({ onRequest = (_path: string): void => {} } = {}): Promise<ServedSandbox> {
  let authority: SandboxAuthority | undefined;
  const answer = async (path: string, body: Buffer): Promise<Buffer> => {
    if (!authority) throw new Error('Nobody asks before the authority is made.');
    if (path === 'ocsp') return answerOcsp(authority, body, Date.now());
    if (path === 'timestamp') return stampTime(authority, body, Date.now());
    return readPublishedFile(authority, path, Date.now()).bytes;
  };
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    const path = String(request.url).replace('/sandbox/pki/', '');
    onRequest(path);
    answer(path, body).then(
      (bytes) => response.setHeader('content-type', TYPES[path] ?? 'application/octet-stream').end(bytes),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((done) => server.listen(0, 'localhost', done));
  const url = `http://localhost:${(server.address() as AddressInfo).port}`;
  authority = await completeAuthority(undefined, { address: url, nowMs: Date.now() });
  if (!authority) throw new Error('An authority that is not there lacks everything.');

  const folder = mkdtempSync(join(tmpdir(), 'sinete-sign-'));
  await writePkiFolder(join(folder, 'pki'), { ...authority, version: 'test' });
  return {
    url,
    authority,
    pki: (...path) => join(folder, 'pki', ...path),
    path: (name) => join(folder, name),
    stop() {
      server.closeAllConnections();
      server.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** A file of every kind to sign, and the holders' PIN. */
export async function writeFilesToSign({ path }: Pick<ServedSandbox, 'path'>): Promise<void> {
  const pdf = await PDFDocument.create();
  pdf.addPage([400, 300]).drawText('A contract');
  writeFileSync(path('contract.pdf'), await pdf.save());
  writeFileSync(path('contract.xml'), '<contract><party Id="p1">Maria</party></contract>\n');
  writeFileSync(path('data.bin'), Buffer.alloc(100_000, 'data '));
  writeFileSync(path('pin'), '1234\n');
}
