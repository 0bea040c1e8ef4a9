// Run in a process of its own with what to do and a number of megabytes: does it, and prints the most memory it took.
import { createSecretKey, randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { cosignAttached } from '../../../../shared/signing/cades/sign.ts';
import { sealForRecipients } from '../../../../shared/signing/encryption/enveloped.ts';
import { openEnveloped } from '../../../../shared/signing/encryption/open-enveloped.ts';
import {
  openWithPassword,
  sealWithPassword,
} from '../../../../shared/signing/encryption/password-envelope.ts';
import { signFile } from '../../../../shared/signing/sign-file.ts';
import { verifySignedFile } from '../../../../shared/signing/verification/verify-signed-file.ts';
import { peakBytes } from '../../../measure/peak-bytes.ts';
import { holderKey, pki } from '../cms/fixtures.ts';

const [what, megabytes] = [process.argv[2], Number(process.argv[3])];
const chunk = randomBytes(64 * 1024);

async function* content(): AsyncGenerator<Buffer> {
  for (let sent = 0; sent < megabytes * 16; sent++) yield chunk;
}

const drain = async (source: AsyncIterable<unknown>) => {
  for await (const _ of source);
};

async function sign(file: string): Promise<void> {
  const options = { signingTimeMs: Date.now() };
  await signFile('', file, { ...options, format: 'cades', key: holderKey(), open: content });
  await drain(cosignAttached(() => createReadStream(file), holderKey(), options));
  const { ok } = await verifySignedFile(file, { format: 'cades', atMs: Date.now() });
  if (!ok) throw new Error('The signature that was made is not valid.');
}

async function encrypt(file: string): Promise<void> {
  const secret = createSecretKey(randomBytes(32));
  await pipeline(sealWithPassword(content(), secret), createWriteStream(file));
  await drain(openWithPassword(() => createReadStream(file), secret));
  const holder = pki.holder();
  await drain(openEnveloped(sealForRecipients(content(), [holder.certificate]), holder));
}

const folder = await mkdtemp(join(tmpdir(), 'sinete-memory-'));
try {
  await (what === 'sign' ? sign : encrypt)(join(folder, 'file'));
  console.log(peakBytes());
} finally {
  await rm(folder, { recursive: true });
}
