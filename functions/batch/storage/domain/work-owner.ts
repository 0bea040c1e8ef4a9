import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { ifThrown } from '../../../../shared/errors/expected.ts';
import { FileExists } from '../../../../shared/files/errors.ts';
import { type Files, files } from '../../../../shared/files/files.ts';
import { cached } from '../../../../shared/store/cached.ts';
import { collection } from '../../../../shared/store/collection.ts';
import { AlreadyExists } from '../../../../shared/store/refusals.ts';
import { instanceName } from '../../config/instance-name.ts';
import { settings } from '../../settings.ts';
import type { WorkStore } from '../../storage-setting.ts';
import { readClaim, writeClaim } from './claim-file.ts';
import { type OpenShare, openShare, ShareUnusable } from './share.ts';
import { explainShareFailure } from './share-failure.ts';

// Names of outputs are reserved in the table of one installation. Two installations on one work share would meet in
// output/, and each would collect the other's files in processing/. So the share has a marker, which is written once and
// never replaced:
//
//   north  |--no marker--|--writes it, only if absent--|--reads it: north--|--works
//   south     |--no marker--|--writes it: there is one--|--reads it: north--|--claims no job, readiness is red
//
// A server that ignores If-None-Match takes both. Then the later marker stands, and the other installation sees it
// within a minute.

const MARKER = '.sinete-owner';

const Marker = z.object({ installation: z.string(), instance: z.string(), claimedAt: z.string() });
type Marker = z.infer<typeof Marker>;

type Installation = { readonly id: string };

// All instances that share a table are one installation. Names of stages and buckets do not tell two machines apart.
const installations = collection<Installation, 'installation'>({
  service: 'batch',
  name: 'installation',
  id: () => 'installation',
  key: () => ({ pk: 'INSTALLATION', sk: 'INSTALLATION' }),
});

/** The id of this installation, made at its first use and kept with its data. */
async function installationId(): Promise<string> {
  const known = await installations.get('installation');
  if (known) return known.id;
  try {
    return (await installations.create({ id: randomUUID() })).id;
  } catch (error) {
    // Another instance was first.
    if (error instanceof AlreadyExists) return installationId();
    throw error;
  }
}

// The marker is read once a minute and process. A share that is not ours is asked every time.
const CHECKED_EVERY_MS = 60_000;

const held = cached<Marker>({
  name: 'batch.work-owner',
  read: (name) => claim(name, new Date().toISOString()),
  ttlMs: () => CHECKED_EVERY_MS,
});

const storeOf = ({ bucket, prefix }: OpenShare, work: WorkStore): Files =>
  files({ bucket, prefix: [prefix, work.prefix].filter((part) => part !== '').join('/') });

/**
 * The work share, with its marker held by this installation. Throws ShareUnusable where another holds it, or the claim
 * failed: then nothing there is read, written or deleted.
 */
export async function openWorkShare(work: WorkStore): Promise<Files> {
  await holdWorkShare(work);
  return storeOf(await openShare(work.share), work);
}

/** The marker of this installation, which is claimed where there is none. Throws as openWorkShare. */
export async function holdWorkShare(work: WorkStore): Promise<Marker> {
  const { version } = await openShare(work.share);
  const marker = await held.get(JSON.stringify([work, version]));
  if (!marker) throw new Error('A claim ends with a marker or an error.');
  return marker;
}

async function claim(_: string, claimedAt: string): Promise<Marker> {
  const work = settings['Storage:Work'];
  if (work === undefined) throw new Error('There is no work share to claim.');
  const installation = await installationId();
  try {
    const store = storeOf(await openShare(work.share), work);
    const found = await readMarker(store);
    const marker = found === undefined ? await writeMarker(store, installation, claimedAt) : found;
    return requireOwn(work, installation, marker);
  } catch (error) {
    if (error instanceof ShareUnusable) throw error;
    const why = explainShareFailure(work.share, error);
    if (why === undefined) throw error;
    throw new ShareUnusable(`The work share could not be claimed. ${why}`, { cause: error });
  }
}

/** Undefined where there is none, null for one that cannot be read. */
async function readMarker(store: Files): Promise<Marker | null | undefined> {
  const found = await readClaim(store, MARKER, Marker);
  return found && (found.claim ?? null);
}

/** Answers the marker that is there afterwards, whoever wrote it. */
async function writeMarker(
  store: Files,
  installation: string,
  claimedAt: string,
): Promise<Marker | null | undefined> {
  const marker: Marker = { installation, instance: instanceName(), claimedAt };
  await writeClaim(store, MARKER, marker, { onlyIfAbsent: true }).catch(ifThrown(FileExists));
  return readMarker(store);
}

function requireOwn(work: WorkStore, installation: string, found: Marker | null | undefined): Marker {
  if (found?.installation === installation) return found;
  const where = `${MARKER} of the work share ${work.share}`;
  if (found === undefined)
    throw new ShareUnusable(`${where} was written and is not there. Let the key read what it writes.`);
  if (found === null)
    throw new ShareUnusable(
      `${where} is no marker that can be read. Remove it if no other installation works there.`,
    );
  throw new ShareUnusable(
    `${where} is of another installation: its instance ${found.instance} claimed it at ${found.claimedAt}. Give this one a folder of its own, or remove the marker if that installation is gone.`,
  );
}
