import { createPrivateKey, generateKeyPair, type KeyObject, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const generate = promisify(generateKeyPair);

/**
 * An RSA key: the one that a folder keeps under a name, which is made where there is none yet. Without a folder it
 * is a new one. Making one takes a third of a second, and a run of tests has some hundred authorities.
 * @example const key = await rsaKey('52998224725', 2048, settings['Authority:KeyFolder']);
 */
export async function rsaKey(name: string, bits: number, folder: string): Promise<KeyObject> {
  if (folder === '') return newKey(bits);
  const file = join(folder, `${name}-${bits}.der`);
  const kept = await readFile(file).catch(() => undefined);
  if (kept !== undefined) return createPrivateKey({ key: kept, format: 'der', type: 'pkcs8' });
  const key = await newKey(bits);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // Two that make it at once each have a whole file: the later one stays, and both keys are good.
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, key.export({ format: 'der', type: 'pkcs8' }), { mode: 0o600 });
  await rename(draft, file);
  return key;
}

const newKey = async (modulusLength: number): Promise<KeyObject> =>
  (await generate('rsa', { modulusLength })).privateKey;
