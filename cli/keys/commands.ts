import { setTimeout as pause } from 'node:timers/promises';
import { AdminRefusal } from '../../shared/access/administration.ts';
import { newRingKey } from '../../shared/settings/keyring.ts';
import type { ServiceName } from '../../shared/settings/names.ts';
import { backupsNaming, rewrapBackups } from './backups.ts';
import { placeAt, placeOfRing } from './place.ts';
import {
  awaitNewestKey,
  beginRotation,
  type Deps,
  deployedServices,
  readRingRecord,
  readSweep,
  removeKey,
  requireRetirable,
  type SweepRecord,
  settle,
  sweepTable,
} from './rotation.ts';
import { countNamed, pagesOf } from './sweep.ts';

const REAL: Deps = { say: (line) => console.error(line), now: Date.now, wait: (ms) => pause(ms) };

/** Makes a ring of one key where there is none: before the first start, so without the stores. */
export async function createRing(to: string | undefined): Promise<string> {
  const place = to === undefined ? undefined : placeAt(to);
  if (!place)
    throw new AdminRefusal('Name where: --to FILE, or --to ssm:/NAME for a parameter of Systems Manager.');
  if (await place.read())
    throw new AdminRefusal(
      `There is a ring in ${place.name} already. Another key is added to it with keys rotate.`,
    );
  const key = newRingKey(Date.now());
  await place.write([key]);
  return `Made a ring with the key ${key.id} in ${place.name}. Keep a copy of it apart from the backups: without it no secret of the store can be read again.`;
}

export async function listKeys(): Promise<string> {
  const place = placeOfRing();
  const ring = (await place.read()) ?? [];
  const services = await deployedServices();
  const [newest] = ring;
  const record = await readRingRecord(services);
  const isEnded = record === undefined || newest === undefined || record.settled === newest.id;
  const lines = ring.map(({ id }, n) => `${id}  ${n === 0 ? 'seals and opens' : 'opens'}`);
  const ended =
    record?.settledAtMs === undefined
      ? 'No rotation has been made.'
      : `Every value has named ${record.settled} since ${new Date(record.settledAtMs).toISOString()}.`;
  const state = isEnded
    ? [ended]
    : ['A rotation has not ended. Go on with it: npm run admin -- keys rotate', ...(await sweeps(services))];
  return [`The ring in ${place.name}, newest first:`, ...lines, ...state].join('\n');
}

const sweeps = async (services: readonly ServiceName[]): Promise<string[]> =>
  (await Promise.all(services.map(async (service) => ({ service, sweep: await readSweep(service) })))).map(
    ({ service, sweep }) => `  ${service}: ${sweep ? textOf(sweep) : 'not begun'}`,
  );

const textOf = ({ looked, rewrapped }: SweepRecord): string =>
  `${looked} items looked at, ${rewrapped} values wrapped anew`;

/** Adds a key to the ring and wraps every value with it, while the services run. */
export async function rotateKeys(deps = REAL): Promise<string> {
  const place = placeOfRing();
  const services = await deployedServices();
  const rotation = await beginRotation(services, place, deps);
  const { to, ring, isNew } = rotation;
  deps.say(isNew ? `The ring has a new key, ${to.id}.` : `Going on with the rotation to ${to.id}.`);
  await awaitNewestKey(services, deps);
  const done: { readonly service: ServiceName; readonly sweep: SweepRecord }[] = [];
  for (const service of services) done.push({ service, sweep: await sweepTable(service, rotation, deps) });
  const problems = services.includes('batch') ? await rewrapBackups(rotation, deps) : [];
  await settle(services, place, rotation, deps);
  const sum = (of: (sweep: SweepRecord) => number) => done.reduce((total, { sweep }) => total + of(sweep), 0);
  const older = ring.map(({ id }) => id).filter((id) => id !== to.id);
  return [
    `Every value that opens is under ${to.id} now: ${sum(({ rewrapped }) => rewrapped)} wrapped anew in ${sum(({ looked }) => looked)} items of ${services.length} tables.`,
    ...done.flatMap(({ service, sweep }) =>
      Object.entries(sweep.unknown).map(
        ([id, count]) =>
          `${service}: ${count} ${count === 1 ? 'value names' : 'values name'} the key ${id}, which the ring does not have or which does not open them. They were left as they are: put the line of that key back, and rotate again.`,
      ),
    ),
    ...problems,
    ...older.map((id) => `${id} only opens now. Take it out: npm run admin -- keys retire ${id}`),
  ].join('\n');
}

/** Takes a key out of the ring that nothing names any more. */
export async function retireKey(id: string, deps = REAL): Promise<string> {
  const place = placeOfRing();
  const services = await deployedServices();
  await requireRetirable(services, place, id, deps);
  // Of a ring that was given its newest key by hand. After a rotation there is nothing to wait for.
  await awaitNewestKey(services, deps);
  const found: string[] = [];
  for (const service of services) {
    const count = await countIn(service, id);
    if (count > 0) found.push(`${count} ${count === 1 ? 'value' : 'values'} of ${service}`);
  }
  if (services.includes('batch'))
    found.push(...(await backupsNaming(id)).map((each) => `the backup ${each}`));
  if (found.length > 0)
    throw new AdminRefusal(
      `${id} is still named by ${found.join(', ')}. Values and backups are wrapped anew by keys rotate. A backup that cannot be goes by Backup:RetainCount, or is deleted.`,
    );
  await removeKey(services, place, id, deps);
  return `Took ${id} out of the ring in ${place.name}. Copies of the stores from before the last rotation still need it: a backup of the whole installation, an export, a point in time of a table. Keep the former ring with them, or let them go.`;
}

async function countIn(service: ServiceName, id: string): Promise<number> {
  let count = 0;
  for await (const { items } of pagesOf(service))
    for (const item of items)
      count += Object.values(item).reduce((sum, value) => sum + countNamed(value, id), 0);
  return count;
}
