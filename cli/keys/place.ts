import {
  closeSync,
  fchownSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs';
import { resolve } from 'node:path';
import { AdminRefusal } from '../../shared/access/administration.ts';
import { reasonOf } from '../../shared/command-line/reason.ts';
import { ringSource } from '../../shared/keyring/stored.ts';
import { commonSettings } from '../../shared/settings/common.ts';
import { formatRing, parseRing, type Ring } from '../../shared/settings/keyring.ts';
import { encryptionContext, namedValue, parameterOf, sourceOf } from '../../shared/settings/named-values.ts';

/** Where the ring is kept: a file, or a parameter of Systems Manager. */
export type Place = {
  readonly name: string;
  /** As it is now; undefined where there is none yet. */
  readonly read: () => Promise<Ring | undefined>;
  readonly write: (ring: Ring) => Promise<void>;
};

/** The place that Sealing:Keys names. One that this command cannot write is read all the same. */
export function placeOfRing(): Place {
  const given = ringSource() ?? '';
  if (given === '')
    throw new AdminRefusal(
      'Setting Sealing:Keys (Sealing__Keys) is not set. Name where the ring of the stage is, such as Sealing__Keys=ssm:/sinete/prod/sealing/keys.',
    );
  const place = placeAt(given);
  if (place) return place;
  const isNamed = sourceOf(given) !== undefined;
  return {
    name: isNamed ? given : 'the value of Sealing:Keys itself',
    read: async () => (isNamed ? parseRing(namedValue(given)) : commonSettings['Sealing:Keys']),
    write: async () => {
      throw new NotWritable('is not a file or a parameter, which this command could write');
    },
  };
}

/** The place cannot be written. The message completes "The ring's place …". */
export class NotWritable extends Error {
  override readonly name = 'NotWritable';
}

/** A place by its name: `file:PATH` or a path, `ssm:NAME`. Undefined for any other. */
export function placeAt(name: string): Place | undefined {
  const source = sourceOf(name);
  if (source === 'ssm') return parameterPlace(name);
  if (source === 'file') return filePlace(parameterOf(name));
  return source === undefined && /[/.]/.test(name) && !/\s/.test(name) && !isRing(name)
    ? filePlace(resolve(name))
    : undefined;
}

function isRing(text: string): boolean {
  try {
    return parseRing(text).length > 0;
  } catch {
    return false;
  }
}

const filePlace = (path: string): Place => ({
  name: path,
  read: async () => {
    try {
      return parse(path, readFileSync(path, 'utf8'));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  },
  write: async (ring) => {
    try {
      replaceFile(path, formatRing(ring));
    } catch (error) {
      throw new NotWritable(`cannot be written: ${reasonOf(error)}`);
    }
  },
});

/** Renamed into place after it is on the disk: a process that reads it, or is started, has the whole ring. */
function replaceFile(path: string, text: string): void {
  const draft = `${path}.draft`;
  const before = statSync(path, { throwIfNoEntry: false });
  const file = openSync(draft, 'w', before ? before.mode & 0o777 : OWNER_ALONE);
  // The service, which reads it, may be another user than the one who runs this.
  if (before) fchownSync(file, before.uid, before.gid);
  writeSync(file, text);
  fsyncSync(file);
  closeSync(file);
  renameSync(draft, path);
}

const OWNER_ALONE = 0o600;

function parameterPlace(name: string): Place {
  const Name = parameterOf(name);
  return {
    name,
    read: async () => {
      const { GetParameterCommand, SSMClient } = await import('@aws-sdk/client-ssm');
      const request = new GetParameterCommand({ Name, WithDecryption: true });
      const found = await new SSMClient().send(request).catch((error: Error) => {
        if (error.name === 'ParameterNotFound') return undefined;
        throw error;
      });
      const text = found?.Parameter?.Value;
      return text === undefined ? undefined : parse(name, await decrypted(text));
    },
    write: async (ring) => {
      const { DescribeParametersCommand, PutParameterCommand, SSMClient } = await import(
        '@aws-sdk/client-ssm'
      );
      const client = new SSMClient();
      const filter = { Key: 'Name', Option: 'Equals', Values: [Name] };
      const { Parameters: [known] = [] } = await client.send(
        new DescribeParametersCommand({ ParameterFilters: [filter] }),
      );
      await client.send(
        new PutParameterCommand({
          Name,
          Value: await encrypted(formatRing(ring)),
          Overwrite: known !== undefined,
          Type: known?.Type ?? 'SecureString',
          // An overwritten parameter would go back to the account's own key.
          ...(known?.KeyId && { KeyId: known.KeyId }),
        }),
      );
    },
  };
}

const WRAPPED = 'kms:';

/** By Sealing:KmsKey, where it is set. Operators alone may encrypt with it; functions decrypt. */
async function encrypted(text: string): Promise<string> {
  const KeyId = commonSettings['Sealing:KmsKey'];
  if (KeyId === '') return text;
  const { EncryptCommand, KMSClient } = await import('@aws-sdk/client-kms');
  const { CiphertextBlob = new Uint8Array() } = await new KMSClient().send(
    new EncryptCommand({ KeyId, Plaintext: Buffer.from(text), EncryptionContext: encryptionContext() }),
  );
  return `${WRAPPED}${Buffer.from(CiphertextBlob).toString('base64')}`;
}

async function decrypted(text: string): Promise<string> {
  if (!text.startsWith(WRAPPED)) return text;
  const { DecryptCommand, KMSClient } = await import('@aws-sdk/client-kms');
  const CiphertextBlob = Buffer.from(text.slice(WRAPPED.length), 'base64');
  const { Plaintext = new Uint8Array() } = await new KMSClient().send(
    new DecryptCommand({ CiphertextBlob, EncryptionContext: encryptionContext() }),
  );
  return Buffer.from(Plaintext).toString('utf8');
}

function parse(place: string, text: string): Ring {
  try {
    return parseRing(text);
  } catch (error) {
    throw new AdminRefusal(`The ring in ${place} ${(error as Error).message}.`);
  }
}
