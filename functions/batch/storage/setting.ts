import type { Setting } from '../../../shared/settings/kinds.ts';

/** A folder that files are dropped into: of the service's own bucket, or of a share. */
export type InputFolder = {
  readonly name: string;
  /** As the setting writes it: `input/inbox`, `share:acme/entrada`. */
  readonly path: string;
  /** Null for the service's own bucket. */
  readonly share: string | null;
  /** The folder in that store. Empty for a whole share. */
  readonly prefix: string;
  /** Seconds between two scans. */
  readonly pollSeconds: number;
};

/** The share, and the folder of it, in which the service works. */
export type WorkStore = { readonly share: string; readonly prefix: string };

/** Names of folders and shares. They are safe in paths, labels and logs. */
const NAME = /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/;
export const isStoreName = (text: string): boolean => NAME.test(text);

/** The folder of the service's bucket whose new objects it is told of. */
const INPUT = 'input';

/** The folder in which files arrive by a presigned link. */
export const PRESIGNED = `${INPUT}/presigned`;

const SHARE_POLL_SECONDS = { usual: 30, least: 5, most: 3_600 };
/** Arrivals in the service's bucket are notified. A scan finds what a notification did not start. */
const LOCAL_SCAN_SECONDS = 60;

const SHAPE = /^([^=]+)=(share:([^/?]+)(?:\/([^?]*))?|[^?]+)(?:\?poll=(\d+))?$/;

function parseFolder(text: string): InputFolder {
  const [, name = '', target = '', share, sharePrefix = '', poll] = SHAPE.exec(text) ?? [];
  if (!isStoreName(name) || (share !== undefined && !isStoreName(share)))
    throw new Error(
      'must be name=input/path or name=share:NAME/path?poll=SECONDS, several separated by commas, with names of a-z, 0-9 and dashes',
    );
  const prefix = requirePath(share === undefined ? target : sharePrefix, { mayBeEmpty: share !== undefined });
  if (share === undefined) {
    if (poll !== undefined)
      throw new Error(
        `must give no poll to the folder ${name}: the service is told of files in its own bucket`,
      );
    if (!prefix.startsWith(`${INPUT}/`) || isSameOrInside(prefix, PRESIGNED))
      throw new Error(`must put the folder ${name} below input/, and not at ${PRESIGNED}`);
    return { name, path: prefix, share: null, prefix, pollSeconds: LOCAL_SCAN_SECONDS };
  }
  const { usual, least, most } = SHARE_POLL_SECONDS;
  const pollSeconds = poll === undefined ? usual : Number(poll);
  if (pollSeconds < least || pollSeconds > most)
    throw new Error(`must give the folder ${name} a poll of ${least} to ${most} seconds`);
  return { name, path: pathOnShare(share, prefix), share, prefix, pollSeconds };
}

/** A path on a share as operators write it. */
export const pathOnShare = (share: string, prefix: string): string =>
  prefix === '' ? `share:${share}` : `share:${share}/${prefix}`;

function requirePath(text: string, { mayBeEmpty }: { readonly mayBeEmpty: boolean }): string {
  const path = text.replace(/\/+$/, '');
  const parts = path.split('/');
  const isPlain =
    !parts.some((part) => part === '' || part === '.' || part === '..') && !/[\\\p{Cc}]/u.test(path);
  if (path === '' ? mayBeEmpty : isPlain) return path;
  throw new Error('must have plain paths, without empty parts, "." or ".."');
}

const isSameOrInside = (inner: string, outer: string): boolean =>
  outer === '' || inner === outer || inner.startsWith(`${outer}/`);

/** Folders that hold one another would take each file twice. */
function requireApart(folders: readonly InputFolder[]): void {
  for (const [index, one] of folders.entries())
    for (const other of folders.slice(index + 1)) {
      if (one.name === other.name) throw new Error(`must name each folder once; ${one.name} is named twice`);
      const meet = isSameOrInside(one.prefix, other.prefix) || isSameOrInside(other.prefix, one.prefix);
      if (one.share === other.share && meet)
        throw new Error(`must keep folders apart; ${one.name} and ${other.name} hold one another`);
    }
}

/** Input folders, none by default. */
export const inputFolders = (why: string): Setting<readonly InputFolder[]> => ({
  default: [],
  unit: 'name=path',
  why,
  secret: false,
  parse: (given) => {
    const folders = given
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '')
      .map(parseFolder);
    requireApart(folders);
    return folders;
  },
});

const WORK = /^share:([^/?]+)(?:\/([^?]*))?$/;

/** A share to work in. Undefined where it is the service's own bucket. */
export const workStore = (why: string): Setting<WorkStore | undefined> => ({
  default: undefined,
  unit: 'share:NAME/path',
  why,
  secret: false,
  parse: (given) => {
    if (given === '') return undefined;
    const [, share = '', prefix = ''] = WORK.exec(given) ?? [];
    if (!isStoreName(share)) throw new Error('must be share:NAME/path');
    return { share, prefix: requirePath(prefix, { mayBeEmpty: true }) };
  },
});
