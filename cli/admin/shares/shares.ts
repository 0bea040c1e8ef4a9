import { isIgnored } from '../../../functions/batch/folders/domain/take-file.ts';
import { settings } from '../../../functions/batch/settings.ts';
import { listShares, putShare, removeShare } from '../../../functions/batch/storage/domain/change-share.ts';
import {
  openSecret,
  requireShare,
  type Share,
  shares,
} from '../../../functions/batch/storage/domain/share.ts';
import { explainShareFailure } from '../../../functions/batch/storage/domain/share-failure.ts';
import { inputFiles } from '../../../functions/batch/storage/domain/stores.ts';
import type { InputFolder } from '../../../functions/batch/storage-setting.ts';
import { AdminRefusal } from '../../../shared/access/administration.ts';
import type { Files } from '../../../shared/files/files.ts';
import type { ListedFile } from '../../../shared/files/get.ts';
import { literalAddress } from '../../../shared/net/url.ts';
import { readSecret } from '../../terminal/pin.ts';
import { type ShareValues, shareOf } from './options.ts';

/** Adds a share, or replaces one. Its secret comes from a prompt, a file, a variable or a pipe, and is kept sealed. */
export async function add(name: string, values: ShareValues): Promise<string> {
  const request = shareOf(name, values);
  const known = await shares.get(name);
  const secretAccessKey = await secretOf(name, values, known !== undefined);
  const { replaced } = await putShare({ ...request, secretAccessKey });
  const kept = secretAccessKey === undefined ? ' Its secret is as it was.' : '';
  const lines = [`${replaced ? 'Replaced' : 'Added'} ${name}.${kept}`];
  if (isOpenToReaders(request.endpoint))
    lines.push(
      'Warning: the address is http. Everyone on the way can read and change the files. Use https where the server has it.',
    );
  return [...lines, `Then try it: npm run admin -- shares test ${name}`].join('\n');
}

/** A share that is replaced keeps its secret unless another is named. */
async function secretOf(name: string, values: ShareValues, isKnown: boolean): Promise<string | undefined> {
  const source = { file: values['secret-file'], variable: values['secret-env'] };
  if (isKnown && source.file === undefined && source.variable === undefined) return undefined;
  return readSecret(source, { name: 'secret access key', whose: name, option: 'secret' });
}

const LOOPBACK = /^(localhost|.*\.localhost|127\.[\d.]+|::1)$/;

function isOpenToReaders(endpoint: string): boolean {
  const { protocol, hostname } = new URL(endpoint);
  return protocol === 'http:' && !LOOPBACK.test(literalAddress(hostname) ?? hostname);
}

export async function list(): Promise<string> {
  const all = await listShares();
  return all.length > 0 ? (await Promise.all(all.map(line))).join('\n') : 'There are no shares.';
}

async function line(share: Share): Promise<string> {
  const secret = await openSecret(share);
  const facts = [
    `region ${share.region}`,
    `key ${share.accessKeyId}`,
    ...(share.authority === null ? [] : ['own authority']),
    ...('plain' in secret ? [] : [`its secret does not open: ${secret.problem}`]),
  ];
  return `${share.name}  ${addressOf(share)}  ${facts.join('; ')}`;
}

const addressOf = ({ endpoint, bucket, prefix }: Share): string =>
  [endpoint, bucket, prefix].filter((part) => part !== '').join('/');

export async function remove(name: string, { force = false }: ShareValues): Promise<string> {
  await removeShare(name, { force });
  return `Removed ${name} with its secret: jobs that wait for its files fail.`;
}

const MAX_LISTED = 10_000;
const MAX_NAMED = 5;

/** Lists a share as a scan does, and takes nothing: the folders of the settings that are on it, or all of it. */
export async function test(name: string): Promise<string> {
  try {
    const share = await requireShare(name);
    const store = await inputFiles(name);
    const folders = settings['Storage:Inputs'].filter((folder) => folder.share === name);
    const lines = [`${name}  ${addressOf(share)}`];
    for (const folder of folders.length > 0 ? folders : [wholeShare(name)])
      lines.push(...(await describe(store, folder)));
    return [...lines, 'It works. Nothing was taken, written or deleted.'].join('\n');
  } catch (error) {
    const why = explainShareFailure(name, error);
    throw why === undefined ? error : new AdminRefusal(why);
  }
}

const wholeShare = (share: string): InputFolder => ({
  name: '',
  path: `share:${share}`,
  share,
  prefix: '',
  pollSeconds: 0,
});

async function describe(store: Files, folder: InputFolder): Promise<string[]> {
  const { found, isMore } = await listFiles(store, folder);
  const start = folder.prefix === '' ? 0 : folder.prefix.length + 1;
  const nameOf = ({ key }: ListedFile): string => key.slice(start);
  const nested = found.filter((file) => nameOf(file).includes('/'));
  const ignored = found.filter((file) => !nested.includes(file) && isIgnored(folder, file.key));
  const taken = found.filter((file) => !nested.includes(file) && !ignored.includes(file));
  const row = (what: string, files: readonly ListedFile[]): string[] =>
    files.length === 0 ? [] : [`${what.padEnd(14)}${files.length}: ${firstOf(files.map(nameOf))}`];
  const [first] = taken;
  return [
    `${folder.name === '' ? 'all of it' : `folder ${folder.name}`}: ${isMore ? 'more than ' : ''}${found.length} ${found.length === 1 ? 'file' : 'files'}`,
    ...row('  signed', taken),
    ...row('  ignored', ignored),
    ...row('  in folders', nested),
    ...(first && (await hasOtherTag(store, first)) ? [OTHER_TAG] : []),
  ];
}

const OTHER_TAG =
  'Warning: a file has another entity tag each time. The service would take it for a rewritten one and not delete it.';

const hasOtherTag = async (store: Files, { key, etag, length }: ListedFile): Promise<boolean> => {
  const found = await store.head(key);
  return found !== undefined && found.length === length && found.etag !== etag;
};

// A name may hold anything: what would move the cursor of a terminal is left out.
const firstOf = (names: readonly string[]): string =>
  names
    .slice(0, MAX_NAMED)
    .map((name) => name.replaceAll(/\p{C}/gu, '?'))
    .join(', ') + (names.length > MAX_NAMED ? ', …' : '');

async function listFiles(store: Files, { prefix }: InputFolder) {
  const found: ListedFile[] = [];
  let cursor: string | undefined;
  do {
    const page = await store.list(prefix === '' ? '' : `${prefix}/`, { cursor });
    found.push(...page.files);
    cursor = page.cursor;
  } while (cursor !== undefined && found.length < MAX_LISTED);
  return { found, isMore: cursor !== undefined };
}
