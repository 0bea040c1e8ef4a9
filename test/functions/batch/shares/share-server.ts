import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { S3Client } from '@aws-sdk/client-s3';
import { putShare } from '../../../../functions/batch/storage/domain/change-share.ts';
import { type Files, files } from '../../../../shared/files/files.ts';
import type { Fault, ShareProcessOptions } from './share-process.ts';

export type ShareServer = Awaited<ReturnType<typeof startShareServer>>;

const PROCESS = new URL('share-process.ts', import.meta.url).pathname;

/** Another S3 server, in a process of its own, with a key of its own. */
export async function startShareServer({ tls = false } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'sinete-share-'));
  const bucket = 'entrada';
  const credentials = { accessKeyId: `AK${randomUUID().slice(0, 8)}`, secretAccessKey: randomUUID() };
  const authority = tls ? makeAuthority(folder) : undefined;
  const options = {
    credentials,
    bucket,
    dataDir: join(folder, 'data'),
    tls: authority && { key: authority.key, cert: authority.cert },
  };
  let { child, port } = await start({ ...options, port: 0 });
  const endpoint = `${tls ? 'https' : 'http'}://127.0.0.1:${port}`;
  const client = new S3Client({
    endpoint,
    region: 'us-east-1',
    credentials,
    forcePathStyle: true,
    expectContinueHeader: false,
    requestHandler: { ...(authority && { httpsAgent: { ca: authority.pem } }) },
  });
  const tell = async (message: object): Promise<string[]> => {
    child.send(message);
    const [{ requests }] = (await once(child, 'message')) as [{ requests: string[] }];
    return requests;
  };
  return {
    endpoint,
    bucket,
    ...credentials,
    /** The PEM file of the authority of its certificate. */
    authorityFile: authority?.ca,
    /** The bucket as another process sees it. */
    at: (prefix: string): Files => files({ bucket: { name: bucket, client }, prefix }),
    /** Misbehaves from now on as told, and as nothing else. Answers the requests since the last call. */
    misbehave: (...faults: readonly Fault[]) => tell({ faults }),
    /** The requests since the last call. */
    requests: () => tell({}),
    /** Waits for the process to end, which a fault has told to die. */
    ended: async () => {
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
    async kill() {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
    /** Starts it again with its data, at its address. */
    async restart() {
      ({ child } = await start({ ...options, port }));
    },
    /** Adds it as a share of the service. */
    share: (name: string, prefix = '') =>
      putShare({
        name,
        endpoint,
        bucket,
        prefix,
        region: 'us-east-1',
        ...credentials,
        authority: authority?.pem,
      }),
    async stop() {
      client.destroy();
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function start(options: ShareProcessOptions): Promise<{ child: ChildProcess; port: number }> {
  const child = fork(PROCESS, [JSON.stringify(options)], {
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return { child, port };
}

/** An authority of this test alone, and a server's certificate of it for 127.0.0.1. */
function makeAuthority(folder: string) {
  const [ca, caKey, cert, key] = ['ca.crt', 'ca.key', 'server.crt', 'server.key'].map((name) =>
    join(folder, name),
  ) as [string, string, string, string];
  const openssl = (...words: string[]): Buffer => execFileSync('openssl', words, { stdio: 'pipe' });
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  openssl('req', '-x509', ...newKey, '-keyout', caKey, '-out', ca, '-subj', '/CN=Share authority of a test');
  openssl(
    ...[
      'req',
      '-x509',
      ...newKey,
      '-keyout',
      key,
      '-out',
      cert,
      '-subj',
      '/CN=share',
      '-CA',
      ca,
      '-CAkey',
      caKey,
    ],
    ...['-addext', 'subjectAltName=IP:127.0.0.1', '-addext', 'basicConstraints=CA:FALSE'],
  );
  return { ca, cert, key, pem: readFileSync(ca, 'utf8') };
}
